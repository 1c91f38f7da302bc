import { Field, Int, ObjectType } from "type-graphql";
import { ToMany, ToOne } from "../../core/relations/relations.js";
import { defineList } from "../../core/lists/list-definition.js";
import { Branch } from "./branch.model.js";
import { BranchCategory } from "./branch-category.model.js";
import { NAMED_FIELDS, NamedRow } from "../../core/resources/resource-row.js";
import { EXTERNAL_ID_FIELDS, ExternalId } from "../../core/resources/external-id.js";

@ObjectType({ description: "A shop, which has one branch or several." })
export class BranchGroup extends NamedRow {
  @ExternalId()
  externalId!: string | null;

  @Field(() => Boolean, { description: "Whether it is open for business." })
  enabled!: boolean;

  @Field(() => Int, { nullable: true, description: "The kind of shop." })
  branchCategoryId!: number | null;

  @ToOne(() => BranchCategory, {
    model: "BranchCategory",
    via: "branchCategoryId",
    openTo: "readers",
    description: "The kind of shop.",
  })
  branchCategory!: BranchCategory | null;

  @ToMany(() => Branch, {
    model: "Branch",
    foreignKey: "branchGroupId",
    order: [{ id: "asc" }],
    expectedRows: 20,
    openTo: "readers",
    description: "Its branches, oldest first.",
  })
  branches!: Branch[];
}

export const branchGroupList = defineList(BranchGroup, "BranchGroup", {
  ...NAMED_FIELDS,
  ...EXTERNAL_ID_FIELDS,
  enabled: { kind: "boolean", sortable: false },
  branchCategoryId: { kind: "int", nullable: true },
});
