import { InputObject, IntField, partialInput } from "../../core/inputs/input-fields.js";
import { BranchCategory, branchCategoryList } from "./branch-category.model.js";
import { NameField } from "../../core/resources/resource-fields.js";
import { resourceResolvers } from "../../core/resources/resource-resolver.js";

@InputObject({ description: "A branch category." })
class CreateBranchCategoryInput {
  @NameField()
  name!: string;

  @IntField({ description: "Place among the branch categories, 0 when absent.", optional: true, min: 0 })
  inOrder?: number;
}

export const branchCategoryCrud = resourceResolvers({
  model: "BranchCategory",
  type: BranchCategory,
  list: branchCategoryList,
  plural: "branchCategories",
  area: "company",
  create: CreateBranchCategoryInput,
  update: partialInput(CreateBranchCategoryInput, "UpdateBranchCategoryInput", {
    description: "Changes of a branch category.",
  }),
});
