import { invalidField } from "../../core/errors/domain-error.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { type BranchGoodProperty, branchGoodPropertyList } from "./branch-good-property.model.js";
import { resourceService, type Values } from "../../core/resources/resource-service.js";

export const branchGoodPropertyService = resourceService<BranchGoodProperty>(
  "BranchGoodProperty",
  branchGoodPropertyList,
  { unique: "goodPropertyId", prepare: assertSameGood },
);

/**
 * Asserts that the property belongs to the good that the branch sells.
 *
 * @throws DomainError VALIDATION_FAILED with rule `exists`.
 */
async function assertSameGood(scope: CompanyScope, input: Values, id: number | null): Promise<Values> {
  if (id !== null) return input;
  const { db, companyId } = scope;
  const { branchGoodId, goodPropertyId } = input as { branchGoodId: number; goodPropertyId: number };
  // One after the other: a transaction has one connection.
  const property = await db.goodProperty.findFirst({
    where: { companyId, id: goodPropertyId },
    select: { goodId: true },
  });
  const sold = await db.branchGood.findFirst({
    where: { companyId, id: branchGoodId },
    select: { goodId: true },
  });
  if (property !== null && property.goodId === sold?.goodId) return input;
  throw invalidField("goodPropertyId", "exists", `${goodPropertyId} is no property of that good`);
}
