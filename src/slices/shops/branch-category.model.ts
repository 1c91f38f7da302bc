import { Field, Int, ObjectType } from "type-graphql";
import { defineList } from "../../core/lists/list-definition.js";
import { NAMED_FIELDS, NamedRow } from "../../core/resources/resource-row.js";

@ObjectType({ description: "A kind of shops, such as restaurants." })
export class BranchCategory extends NamedRow {
  @Field(() => Int, { description: "Place among the branch categories, from 0." })
  inOrder!: number;
}

export const branchCategoryList = defineList(
  BranchCategory,
  "BranchCategory",
  { ...NAMED_FIELDS, inOrder: { kind: "int" } },
  { defaultOrder: [{ field: "inOrder", direction: "asc" }] },
);
