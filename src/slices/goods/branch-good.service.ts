import { invalidField, notFound } from "../../core/errors/domain-error.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import type { UpsertedRow } from "../../core/operations/upsert-operation.js";
import type { GoodKey } from "./good-key.js";
import { goodByKey, lockGoodsOfRows } from "./good-upsert.service.js";
import { changePartOf, getGood } from "./good.service.js";
import { getBranch } from "../shops/branch.service.js";
import { type BranchGood, branchGoodList } from "./branch-good.model.js";
import { resourceService, type Values } from "../../core/resources/resource-service.js";

export const branchGoodService = resourceService<BranchGood>("BranchGood", branchGoodList, {
  unique: "goodId",
  prepare: assertSameShop,
});

interface BranchGoodRow {
  readonly branchId: number;
  readonly goodId?: number;
  readonly sku?: string;
  readonly externalId?: string;
}

/** Locks the goods of rows, each before what branches have of it. */
export async function lockGoodsOfBranches(
  scope: CompanyScope,
  rows: readonly BranchGoodRow[],
  by: string,
): Promise<void> {
  const { db, companyId } = scope;
  const ids = rows.map(({ branchId }) => branchId);
  const branches = await db.branch.findMany({
    where: { companyId, id: { in: ids } },
    select: { id: true, branchGroupId: true },
  });
  const shops = new Map(branches.map(({ id, branchGroupId }) => [id, branchGroupId]));
  const keys = rows.flatMap(({ branchId, goodId: id, ...others }) => {
    const branchGroupId = shops.get(branchId);
    return branchGroupId === undefined ? [] : [{ ...others, id, branchGroupId }];
  });
  await lockGoodsOfRows(scope, keys, by as GoodKey);
}

/**
 * Changes a good at a branch, or puts it on sale there. The good is locked, so that of two who put it on sale at once the second one
 * changes it.
 *
 * @throws DomainError NOT_FOUND for a good that is none; VALIDATION_FAILED with rule `required` for a row without its key, and with rule
 *   `exists` for a good of another shop.
 */
export function upsertBranchGood(
  scope: CompanyScope,
  { goodId, sku, externalId, ...values }: BranchGoodRow,
  by: string,
): Promise<UpsertedRow> {
  return scope.transaction(async (inside) => {
    const { db, companyId } = inside;
    const { branchId, ...changes } = values;
    const { branchGroupId } = await getBranch(inside, branchId);
    const keys = { id: goodId, sku, externalId, branchGroupId };
    const id = await goodByKey(inside, keys, by as GoodKey, by === "id" ? "goodId" : undefined);
    if (id === null || !(await changePartOf(inside, id))) throw notFound("Good");
    const stored = await db.branchGood.findFirst({ where: { companyId, branchId, goodId: id } });
    if (stored === null)
      return {
        created: true,
        row: await branchGoodService.create(inside, { ...changes, branchId, goodId: id }),
      };
    if (Object.keys(changes).length === 0) return { created: false, row: stored };
    return { created: false, row: await branchGoodService.update(inside, stored.id, changes) };
  });
}

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
