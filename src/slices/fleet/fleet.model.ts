import { Field, ObjectType } from "type-graphql";
import { defineList } from "../../core/lists/list-definition.js";
import { NAMED_FIELDS, NamedRow } from "../../core/resources/resource-row.js";

@ObjectType({ description: "A fleet of vehicles or providers." })
export class Fleet extends NamedRow {
  @Field(() => Boolean, { description: "Whether it works at present." })
  enabled!: boolean;
}

export const fleetList = defineList(Fleet, "Fleet", {
  ...NAMED_FIELDS,
  enabled: { kind: "boolean", sortable: false },
});
