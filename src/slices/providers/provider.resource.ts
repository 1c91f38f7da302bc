import {
  BooleanField,
  EmailField,
  IdField,
  InputObject,
  partialInput,
  TextField,
} from "../../core/inputs/input-fields.js";
import { Provider, providerList } from "./provider.model.js";
import { providerService } from "./provider.service.js";
import { NameField } from "../../core/resources/resource-fields.js";
import { resourceResolvers } from "../../core/resources/resource-resolver.js";
import { ExternalIdField } from "../../core/resources/external-id.js";

@InputObject({ description: "A provider." })
class CreateProviderInput {
  @NameField()
  name!: string;

  @ExternalIdField()
  externalId?: string | null;

  @EmailField({ description: "E-mail address.", nullable: true, max: 254 })
  email?: string | null;

  @TextField({ description: "Phone number.", nullable: true, max: 32 })
  phone?: string | null;

  @IdField("City", { description: "The city it works in.", nullable: true })
  cityId?: number | null;

  @BooleanField({ description: "Whether it takes orders at present, true when absent.", optional: true })
  enabled?: boolean;
}

export const providerCrud = resourceResolvers({
  model: "Provider",
  type: Provider,
  list: providerList,
  plural: "providers",
  area: "company",
  create: CreateProviderInput,
  update: partialInput(CreateProviderInput, "UpdateProviderInput", { description: "Changes of a provider." }),
  service: providerService,
  descriptions: {
    delete:
      "Removes a provider. CONFLICT while other rows refer to it; INVALID_STATE while it has a balance, which it names.",
  },
});
