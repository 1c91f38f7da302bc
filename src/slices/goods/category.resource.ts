import { IdField, InputObject, IntField, partialInput } from "../../core/inputs/input-fields.js";
import { Category, categoryList } from "./category.model.js";
import { categoryService } from "./category.service.js";
import { NameField } from "../../core/resources/resource-fields.js";
import { resourceResolvers } from "../../core/resources/resource-resolver.js";

@InputObject({ description: "A category." })
class CreateCategoryInput {
  @NameField()
  name!: string;

  @IdField("Category", {
    description: "The category above it, neither itself nor one below it; null: at the top.",
    nullable: true,
  })
  parentId?: number | null;

  @IntField({ description: "Place among its neighbours, 0 when absent.", optional: true, min: 0 })
  inOrder?: number;
}

export const categoryCrud = resourceResolvers({
  model: "Category",
  type: Category,
  list: categoryList,
  plural: "categories",
  area: "goods",
  create: CreateCategoryInput,
  update: partialInput(CreateCategoryInput, "UpdateCategoryInput", { description: "Changes of a category." }),
  service: categoryService,
});
