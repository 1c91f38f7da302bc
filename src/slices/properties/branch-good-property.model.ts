import { Field, Int, ObjectType } from "type-graphql";
import { ToOne } from "../../core/relations/relations.js";
import { defineList } from "../../core/lists/list-definition.js";
import { SafeInt } from "../../core/scalars/safe-int.js";
import { GoodProperty } from "./good-property.model.js";
import { BranchGood } from "../goods/branch-good.model.js";
import { ResourceRow } from "../../core/resources/resource-row.js";

@ObjectType({ description: "A good's property as one branch sells it." })
export class BranchGoodProperty extends ResourceRow {
  @Field(() => Int, { description: "The good of the branch." })
  branchGoodId!: number;

  @Field(() => Int, { description: "The property of the good." })
  goodPropertyId!: number;

  @Field(() => SafeInt, {
    nullable: true,
    description: "Price at this branch, in hundredths; null: the property's own.",
  })
  priceE2!: bigint | null;

  @Field(() => Boolean, { description: "Whether it is switched off at this branch." })
  disabled!: boolean;

  @Field(() => Int, { description: "Place among the good's properties, from 0." })
  inOrder!: number;

  @ToOne(() => BranchGood, {
    model: "BranchGood",
    via: "branchGoodId",
    required: true,
    description: "The good of the branch.",
  })
  branchGood!: BranchGood;

  @ToOne(() => GoodProperty, {
    model: "GoodProperty",
    via: "goodPropertyId",
    required: true,
    openTo: "readers",
    description: "The property of the good.",
  })
  goodProperty!: GoodProperty;
}

export const branchGoodPropertyList = defineList(BranchGoodProperty, "BranchGoodProperty", {
  branchGoodId: { kind: "int", sortable: false },
  goodPropertyId: { kind: "int" },
  disabled: { kind: "boolean", sortable: false },
  createdAt: { kind: "dateTime" },
});
