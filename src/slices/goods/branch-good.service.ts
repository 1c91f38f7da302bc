import { invalidField } from "../../core/errors/domain-error.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { getGood } from "./good.service.js";
import { getBranch } from "../shops/branch.service.js";
import { type BranchGood, branchGoodList } from "./branch-good.model.js";
import { resourceService, type Values } from "../../core/resources/resource-service.js";

export const branchGoodService = resourceService<BranchGood>("BranchGood", branchGoodList, {
  unique: "goodId",
  prepare: assertSameShop,
});

/**
 * Asserts that a branch sells goods of its own shop.
 *
 * @throws DomainError VALIDATION_FAILED with rule `exists` for a good of another shop.
 */
async function assertSameShop(scope: CompanyScope, input: Values, id: number | null): Promise<Values> {
  if (id !== null) return input;
  const { branchId, goodId } = input as { branchId: number; goodId: number };
  const [branch, good] = [await getBranch(scope, branchId), await getGood(scope, goodId)];
  if (good.branchGroupId === null || good.branchGroupId === branch.branchGroupId) return input;
  throw invalidField("goodId", "exists", `${goodId} is no good of the branch's shop`);
}
