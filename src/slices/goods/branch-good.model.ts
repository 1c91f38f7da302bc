import { Field, Float, Int, ObjectType } from "type-graphql";
import { ToMany, ToOne } from "../../core/relations/relations.js";
import { defineList } from "../../core/lists/list-definition.js";
import { SafeInt } from "../../core/scalars/safe-int.js";
import { Good } from "./good.model.js";
import { Branch } from "../shops/branch.model.js";
import { BranchGoodProperty } from "../properties/branch-good-property.model.js";
import { ResourceRow } from "../../core/resources/resource-row.js";

@ObjectType({ description: "A good as one branch sells it." })
export class BranchGood extends ResourceRow {
  @Field(() => Int, { description: "The branch." })
  branchId!: number;

  @Field(() => Int, { description: "The good." })
  goodId!: number;

  @Field(() => SafeInt, {
    nullable: true,
    description: "Price at this branch, in hundredths; null: the good's own.",
  })
  priceE2!: bigint | null;

  @Field(() => Float, {
    nullable: true,
    description: "How much is left, to three decimals; null: not counted.",
  })
  stock!: number | null;

  @Field(() => Boolean, { description: "Whether the branch does not sell it at present." })
  disabled!: boolean;

  @ToOne(() => Branch, { model: "Branch", via: "branchId", required: true, description: "The branch." })
  branch!: Branch;

  @ToOne(() => Good, { model: "Good", via: "goodId", required: true, description: "The good." })
  good!: Good;

  @ToMany(() => BranchGoodProperty, {
    model: "BranchGoodProperty",
    foreignKey: "branchGoodId",
    order: [{ inOrder: "asc" }, { id: "asc" }],
    description: "The good's properties as the branch sells them, in their order.",
  })
  branchGoodProperties!: BranchGoodProperty[];
}

export const branchGoodList = defineList(BranchGood, "BranchGood", {
  branchId: { kind: "int", sortable: false },
  goodId: { kind: "int" },
  disabled: { kind: "boolean", sortable: false },
  createdAt: { kind: "dateTime" },
  updatedAt: { kind: "dateTime" },
});
