import {
  AmountField,
  BooleanField,
  IdField,
  InputObject,
  IntField,
  partialInput,
} from "../../core/inputs/input-fields.js";
import { BranchGoodProperty, branchGoodPropertyList } from "./branch-good-property.model.js";
import { branchGoodPropertyService } from "./branch-good-property.service.js";
import { resourceResolvers } from "../../core/resources/resource-resolver.js";

@InputObject({
  description: "A good's property as one branch sells it; a branch good has each property once.",
})
class CreateBranchGoodPropertyInput {
  @IdField("BranchGood", { description: "The good of the branch." })
  branchGoodId!: number;

  @IdField("GoodProperty", { description: "A property of that good." })
  goodPropertyId!: number;

  @AmountField({
    description: "Price at this branch, in hundredths; null: the property's own.",
    nullable: true,
  })
  priceE2?: number | null;

  @BooleanField({
    description: "Whether it is switched off at this branch, false when absent.",
    optional: true,
  })
  disabled?: boolean;

  @IntField({ description: "Place among the good's properties, 0 when absent.", optional: true, min: 0 })
  inOrder?: number;
}

export const branchGoodPropertyCrud = resourceResolvers({
  model: "BranchGoodProperty",
  type: BranchGoodProperty,
  list: branchGoodPropertyList,
  plural: "branchGoodProperties",
  area: "goods",
  create: CreateBranchGoodPropertyInput,
  update: partialInput(CreateBranchGoodPropertyInput, "UpdateBranchGoodPropertyInput", {
    description: "Changes of a branch good property.",
    omit: ["branchGoodId", "goodPropertyId"],
  }),
  service: branchGoodPropertyService,
});
