import { invalidField } from "../../core/errors/domain-error.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { type Category, categoryList } from "./category.model.js";
import { lockCategoryTree } from "./category.sql.js";
import { resourceService, type Values } from "../../core/resources/resource-service.js";

export const categoryService = resourceService<Category>("Category", categoryList, { prepare: keepTree });

/** Asserts that no category is below itself. @throws DomainError VALIDATION_FAILED with rule `circular`. */
async function keepTree(scope: CompanyScope, input: Values, id: number | null): Promise<Values> {
  const parentId = input["parentId"] as number | null | undefined;
  if (id === null || parentId === null || parentId === undefined) return input;
  const parents = await lockCategoryTree(scope);
  if (pathToTop(parents, parentId).includes(id)) {
    throw invalidField("parentId", "circular", "must be neither the category itself nor one below it");
  }
  return input;
}

/** Ids of the category and of all categories above it. */
function pathToTop(parents: ReadonlyMap<number, number | null>, start: number): number[] {
  const path: number[] = [];
  for (let id: number | null = start; id !== null && !path.includes(id); id = parents.get(id) ?? null) {
    path.push(id);
  }
  return path;
}
