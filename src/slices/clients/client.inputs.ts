import {
  EmailField,
  IdField,
  InputObject,
  IntField,
  partialInput,
  TextField,
} from "../../core/inputs/input-fields.js";
import { defineEnum } from "../../core/enums.js";
import { ExternalIdField } from "../../core/resources/external-id.js";
import { NameField } from "../../core/resources/resource-fields.js";

@InputObject({ description: "A client." })
export class CreateClientInput {
  @NameField()
  name!: string;

  @ExternalIdField()
  externalId?: string | null;

  @EmailField({ description: "E-mail address.", nullable: true, max: 254 })
  email?: string | null;

  @TextField({ description: "Phone number.", nullable: true, max: 32 })
  phone?: string | null;

  @IdField("City", { description: "The city it lives in.", nullable: true })
  cityId?: number | null;
}

export const UpdateClientInput = partialInput(CreateClientInput, "UpdateClientInput", {
  description: "Changes of a client.",
});

export const ClientKeyEnum = defineEnum("ClientKey", ["id", "external_id"], {
  description: "By what a row says which client it is of.",
  values: {
    id: "By its id: nothing is created.",
    external_id: "By the id of the company's own systems.",
  },
});

@InputObject({ description: "A client, and its id where it is found by that." })
class ClientRowFields extends CreateClientInput {
  @IntField({ description: "Its id, where rows are found by that.", min: 1 })
  id!: number;
}

export const UpsertClientInput = partialInput(ClientRowFields, "UpsertClientInput", {
  description:
    "A client as it should be. What is absent of one that is there stays as it is; a new one needs a name.",
});
export type UpsertClientInput = InstanceType<typeof UpsertClientInput>;
