import type { Row } from "../../core/db/db.js";
import type { Where } from "../../core/lists/compile-filter.js";
import type { Connection } from "../../core/lists/connection.js";
import type { ListArguments } from "../../core/lists/list-definition.js";
import { listAll, listPage, MAX_UNPAGED_ROWS } from "../../core/lists/list-page.js";
import { RowsOf } from "../../core/lists/rows-of.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { getBranch } from "../shops/branch.service.js";
import { getBranchGroup } from "../shops/branch-group.service.js";
import { categoryService } from "./category.service.js";
import { getGoodTag } from "./good-tag.service.js";
import { getGoodType } from "./good-type.service.js";
import { type BranchGood, branchGoodList } from "./branch-good.model.js";
import { type Good, goodList } from "./good.model.js";
import { countGoodsOfTag, newestGoodsOfTag } from "./good-of-tag.sql.js";
import { getGood } from "./good.service.js";
import { sharedSkus, type SharedSkuRow } from "./good-sku.sql.js";

type ProviderRow = Row<"Provider">;

export function listGoods(
  { db, companyId, selected }: CompanyScope,
  args: ListArguments,
  belonging: Where = {},
): Promise<Connection<Good>> {
  const where = { companyId, ...belonging };
  return listPage(goodList, { delegate: db.good, where, select: selected("Good") }, args);
}

/** A page of the goods of the branch's shop, and of other goods that the branch sells. */
export async function listGoodsOfBranch(
  scope: CompanyScope,
  branchId: number,
  args: ListArguments,
): Promise<Connection<Good>> {
  return listGoods(scope, args, await atBranch(scope, branchId));
}

/** A page of the goods of the branch's shop that the branch sells, as it sells them, in an order of goods. */
export async function listGoodsOnSale(
  scope: CompanyScope,
  branchId: number,
  args: ListArguments,
): Promise<Connection<BranchGood>> {
  const { db, companyId } = scope;
  const { branchGroupId } = await getBranch(scope, branchId);
  const sold = { id: { in: new RowsOf("BranchGood", "goodId", { companyId, branchId }) } };
  const where = { companyId, branchGroupId, ...sold };
  const goods = await listPage(goodList, { delegate: db.good, where, select: { id: true } }, args);
  const ids = goods.nodes.map(({ id }) => id);
  const rows = await db.branchGood.findMany({ where: { companyId, branchId, goodId: { in: ids } } });
  const byGood = new Map(rows.map((row) => [row.goodId, row]));
  return goods.map(branchGoodList.Connection, ({ id }) => byGood.get(id) as BranchGood | undefined);
}

export async function listGoodsOfBranchGroup(
  scope: CompanyScope,
  branchGroupId: number,
  args: ListArguments,
): Promise<Connection<Good>> {
  await getBranchGroup(scope, branchGroupId);
  return listGoods(scope, args, { branchGroupId });
}

/** A page of the branch's goods that are in the category. */
export async function listGoodsOfCategory(
  scope: CompanyScope,
  branchId: number,
  categoryId: number,
  args: ListArguments,
): Promise<Connection<Good>> {
  const here = await atBranch(scope, branchId);
  await categoryService.get(scope, categoryId);
  const { companyId } = scope;
  return listGoods(scope, args, {
    ...here,
    AND: [{ id: { in: new RowsOf("GoodCategory", "goodId", { companyId, categoryId }) } }],
  });
}

/** All goods that carry the tag, newest first, at most 10,000. */
export async function listGoodsOfTag(
  scope: CompanyScope,
  goodTagId: number,
  { withDeleted, offset }: { withDeleted: boolean; offset: number },
): Promise<readonly Good[]> {
  await getGoodTag(scope, goodTagId);
  const { db, companyId, selected } = scope;
  const ids = await newestGoodsOfTag(scope, goodTagId, withDeleted, offset);
  const where = { companyId, id: { in: ids } };
  return listAll(goodList, { delegate: db.good, where, select: selected("Good") }, { withDeleted });
}

export async function goodsOfTagCount(
  scope: CompanyScope,
  goodTagId: number,
  withDeleted: boolean,
): Promise<number> {
  await getGoodTag(scope, goodTagId);
  return countGoodsOfTag(scope, goodTagId, withDeleted);
}

/** The skus that several goods of a shop have, at most 10,000. */
export function listSharedSkus(scope: CompanyScope, offset: number): Promise<SharedSkuRow[]> {
  return sharedSkus(scope, offset);
}

export async function listGoodsOfType(
  scope: CompanyScope,
  goodTypeId: number,
  args: ListArguments,
): Promise<Connection<Good>> {
  await getGoodType(scope, goodTypeId);
  return listGoods(scope, args, { goodTypeId });
}

/** The enabled providers of the good's shop; a good of the whole company has none. */
export async function listAllowedProviders(
  scope: CompanyScope,
  goodId: number,
  offset: number,
): Promise<ProviderRow[]> {
  const where = await allowedFor(scope, goodId);
  const orderBy = [{ id: "asc" as const }];
  return scope.db.provider.findMany({ where, orderBy, skip: offset, take: MAX_UNPAGED_ROWS });
}

export async function allowedProvidersCount(scope: CompanyScope, goodId: number): Promise<number> {
  return scope.db.provider.count({ where: await allowedFor(scope, goodId) });
}

async function allowedFor(scope: CompanyScope, goodId: number) {
  const { db, companyId } = scope;
  const { branchGroupId } = await getGood(scope, goodId);
  if (branchGroupId === null) return { companyId, id: { in: [] } };
  const ofShop = { where: { companyId, branchGroupId }, select: { providerId: true } };
  const links = await db.providerBranchGroup.findMany(ofShop);
  return { companyId, enabled: true, id: { in: links.map(({ providerId }) => providerId) } };
}

async function atBranch(scope: CompanyScope, branchId: number): Promise<Where> {
  const { branchGroupId } = await getBranch(scope, branchId);
  const sold = { id: { in: new RowsOf("BranchGood", "goodId", { companyId: scope.companyId, branchId }) } };
  return branchGroupId === null ? sold : { OR: [{ branchGroupId }, sold] };
}
