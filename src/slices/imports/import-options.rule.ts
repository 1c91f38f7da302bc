import type { FieldError } from "../../core/errors/domain-error.js";
import type { StoredRule } from "../../core/operations/operation-arguments.js";
import { CategoryNames } from "./category-names.js";
import { readOptions } from "./import-options.rules.js";

/** Finds texts of `mapping`, `config` and `categoryMapping` that mean nothing, and categories that are not there. */
export const optionsRule: StoredRule = async (input, context, args): Promise<readonly FieldError[]> => {
  const { options, errors } = readOptions(input, typeof args["branchId"] === "number");
  if (options.categories.length === 0) return errors;
  const { db, companyId } = context.companyScope(args["companyId"] as number);
  const categories = await db.category.findMany({ where: { companyId }, select: { id: true, name: true } });
  const names = new CategoryNames(categories, []);
  const sent = input["categoryMapping"] as readonly string[];
  const missing = options.categories
    .filter(({ category }) => names.idOf(category) === null)
    .map(({ value, category }) => ({
      field: `categoryMapping[${sent.findIndex((item) => item.trim().startsWith(value))}]`,
      rule: "exists",
      message: `${JSON.stringify(category)} is no category`,
    }));
  return [...errors, ...missing];
};
