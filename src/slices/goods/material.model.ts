import { Field, ObjectType } from "type-graphql";
import { defineList } from "../../core/lists/list-definition.js";
import { NAMED_FIELDS, NamedRow } from "../../core/resources/resource-row.js";

@ObjectType({ description: "What goods are made of." })
export class Material extends NamedRow {
  @Field(() => String, { nullable: true, description: "Unit of its quantities, at most 16 characters." })
  unit!: string | null;
}

export const materialList = defineList(Material, "Material", NAMED_FIELDS);
