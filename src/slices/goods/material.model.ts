import { Field, ObjectType } from "type-graphql";
import { defineList } from "../core/pagination/list-definition.js";
import { NAMED_FIELDS, NamedRow } from "./reference-row.js";

@ObjectType({ description: "What goods are made of." })
export class Material extends NamedRow {
  @Field(() => String, { nullable: true, description: "Unit of its quantities, at most 16 characters." })
  unit!: string | null;
}

export const materialList = defineList(Material, "Material", NAMED_FIELDS);
