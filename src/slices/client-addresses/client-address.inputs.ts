import { ChoiceField, InputObject, partialInput, TextField } from "../../core/inputs/input-fields.js";
import { LatitudeField, LongitudeField } from "../../core/resources/resource-fields.js";
import { ClientAddressKindEnum } from "./client-address.model.js";

@InputObject({
  description:
    "An address. Without a type it needs `address`. With a type it needs `addressLine1` and `country`; for delivery " +
    "both coordinates besides, for shipping `addressLine2`, `addressLine3`, `postalCode`, `state` and `city`. An empty " +
    "text is none, and of the coordinates there are both or none.",
})
export class CreateClientAddressInput {
  @TextField({ description: "Name, such as `Home`.", min: 1, max: 32 })
  name!: string;

  @ChoiceField(ClientAddressKindEnum, { description: "What it is for.", nullable: true })
  type?: string | null;

  @LatitudeField()
  latitudeE6?: number | null;

  @LongitudeField()
  longitudeE6?: number | null;

  @TextField({ description: "Country.", nullable: true, max: 80 })
  country?: string | null;

  @TextField({ description: "Postal code.", nullable: true, max: 16 })
  postalCode?: string | null;

  @TextField({ description: "State.", nullable: true, max: 80 })
  state?: string | null;

  @TextField({ description: "City.", nullable: true, max: 80 })
  city?: string | null;

  @TextField({
    description: "The whole address in one line; null: it is put together from its parts.",
    nullable: true,
    max: 255,
  })
  address?: string | null;

  @TextField({ description: "First line.", nullable: true, max: 255 })
  addressLine1?: string | null;

  @TextField({ description: "Second line.", nullable: true, max: 255 })
  addressLine2?: string | null;

  @TextField({ description: "Third line.", nullable: true, max: 255 })
  addressLine3?: string | null;

  @TextField({ description: "How to find it, such as `next to the pharmacy`.", nullable: true, max: 255 })
  reference?: string | null;
}

export const UpdateClientAddressInput = partialInput(CreateClientAddressInput, "UpdateClientAddressInput", {
  description:
    "Changes of an address, which then has to be what its type needs. With `type` there has to be `addressLine1`, too.",
});
export type UpdateClientAddressInput = InstanceType<typeof UpdateClientAddressInput>;
