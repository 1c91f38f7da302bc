import { Field, Int, ObjectType } from "type-graphql";
import { ToMany, ToOne } from "../../core/relations/relations.js";
import { defineList } from "../../core/lists/list-definition.js";
import { BranchGroup } from "../shops/branch-group.model.js";
import { City } from "../shops/city.model.js";
import { NAMED_FIELDS, NamedRow } from "../../core/resources/resource-row.js";
import { EXTERNAL_ID_FIELDS, ExternalId } from "../../core/resources/external-id.js";

@ObjectType({ description: "Somebody who shops, delivers or performs services for clients." })
export class Provider extends NamedRow {
  @ExternalId()
  externalId!: string | null;

  @Field(() => String, { nullable: true, description: "E-mail address." })
  email!: string | null;

  @Field(() => String, { nullable: true, description: "Phone number." })
  phone!: string | null;

  @Field(() => Int, { nullable: true, description: "The city it works in." })
  cityId!: number | null;

  @Field(() => Boolean, { description: "Whether it takes orders at present." })
  enabled!: boolean;

  @ToOne(() => City, { model: "City", via: "cityId", description: "The city it works in." })
  city!: City | null;

  @ToMany(() => BranchGroup, {
    model: "ProviderBranchGroup",
    foreignKey: "providerId",
    through: { model: "BranchGroup", via: "branchGroupId" },
    order: [{ branchGroupId: "asc" }],
    description: "The shops whose orders it may take.",
  })
  branchGroups!: BranchGroup[];
}

export const providerList = defineList(Provider, "Provider", {
  ...NAMED_FIELDS,
  ...EXTERNAL_ID_FIELDS,
  cityId: { kind: "int", nullable: true },
  enabled: { kind: "boolean", sortable: false },
});
