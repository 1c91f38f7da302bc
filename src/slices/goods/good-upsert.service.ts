import { invalidField, validationFailed } from "../../core/errors/domain-error.js";
import type { UpsertedRow } from "../../core/operations/upsert-operation.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { getBranchGroup } from "../shops/branch-group.service.js";
import { goodsByExternalIds, goodsBySku, goodsBySkus, lockShop } from "./good-batch.sql.js";
import { missingOf, shortened } from "./good-cell.rules.js";
import type { GoodKey } from "./good-key.js";
import { lockGoods } from "./good-links.sql.js";
import type { CreateGoodInput, UpsertGoodInput } from "./good.inputs.js";
import { createGood, getGood, updateGood } from "./good.service.js";

/** What may say which good a row is of. */
interface Keys {
  readonly id?: number | undefined;
  readonly sku?: string | null | undefined;
  readonly externalId?: string | null | undefined;
  readonly branchGroupId?: number | null | undefined;
}

const FIELDS = { id: "id", sku: "sku", external_id: "externalId" } as const;

/**
 * Finds a good by one of its keys.
 *
 * @param field is what a refusal calls the key.
 * @returns its id; `null` for one that is not there.
 * @throws DomainError VALIDATION_FAILED with rule `required` for a row without the key, and with rule `unique` for a sku of several goods.
 */
export async function goodByKey(
  { db, companyId }: CompanyScope,
  keys: Keys,
  by: GoodKey,
  field: string = FIELDS[by],
): Promise<number | null> {
  const key = keys[FIELDS[by]];
  if (key == null || key === "") throw invalidField(field, "required", "is required: rows are found by it");
  if (typeof key === "number") return key;
  if (by === "external_id") return (await goodsByExternalIds(db, companyId, [key])).get(key) ?? null;
  const [id, another] = await goodsBySku(db, { companyId, branchGroupId: keys.branchGroupId ?? null }, key);
  if (another !== undefined) throw invalidField(field, "unique", "is that of several goods of the shop");
  return id ?? null;
}

/** Locks the goods that rows name, in the order of their ids. */
export async function lockGoodsOfRows(
  scope: CompanyScope,
  rows: readonly Keys[],
  by: GoodKey,
): Promise<void> {
  await lockGoods(scope, await goodsOfRows(scope, rows, by));
}

/** The ids of the goods that rows name, as far as they are there. */
async function goodsOfRows(
  { db, companyId }: CompanyScope,
  rows: readonly Keys[],
  by: GoodKey,
): Promise<number[]> {
  if (by === "id") return rows.flatMap(({ id }) => id ?? []);
  if (by === "external_id") {
    const externalIds = rows.flatMap(({ externalId }) => externalId ?? []);
    return [...(await goodsByExternalIds(db, companyId, externalIds)).values()];
  }
  const found: number[] = [];
  for (const branchGroupId of shopsOf(rows)) {
    const ofShop = rows.filter((row) => (row.branchGroupId ?? null) === branchGroupId);
    const skus = new Set(ofShop.flatMap(({ sku }) => sku || []));
    found.push(...(await goodsBySkus(db, { companyId, branchGroupId }, [...skus])));
  }
  return found;
}

/** The shops of rows in one order; null, the company's goods, is the first one. */
const shopsOf = (rows: readonly Pick<Keys, "branchGroupId">[]): (number | null)[] =>
  [...new Set(rows.map(({ branchGroupId }) => branchGroupId ?? null))].sort((a, b) => (a ?? 0) - (b ?? 0));

/**
 * Locks the goods that rows are to change. Where one may be created or get another sku, the shops are locked before the goods, as
 * imports do.
 */
export async function lockUpserted(
  scope: CompanyScope,
  rows: readonly UpsertGoodInput[],
  by: string,
): Promise<void> {
  const { db, companyId } = scope;
  let found = await goodsOfRows(scope, rows, by as GoodKey);
  if (found.length < rows.length || (by !== "sku" && rows.some(({ sku }) => typeof sku === "string"))) {
    const stored = await db.good.findMany({
      where: { companyId, id: { in: found } },
      select: { branchGroupId: true },
    });
    for (const branchGroupId of shopsOf([...rows, ...stored]))
      await lockShop(db, { companyId, branchGroupId });
    found = await goodsOfRows(scope, rows, by as GoodKey);
  }
  await lockGoods(scope, found);
}

/**
 * Changes the good that a row names, or creates it where there is none. The shop is locked before one is created, so that of two who
 * create it at once the second one changes it.
 *
 * @throws DomainError NOT_FOUND for an id that is none; VALIDATION_FAILED as `createGood` and `updateGood`.
 */
export function upsertGood(scope: CompanyScope, row: UpsertGoodInput, by: string): Promise<UpsertedRow> {
  return scope.transaction(async (inside) => {
    const { id: _, branchGroupId, ...values } = row;
    const found = await goodByKey(inside, row, by as GoodKey);
    if (found !== null)
      return { created: false, row: await changed(inside, found, { branchGroupId, ...values }) };
    await lockShop(inside.db, { companyId: inside.companyId, branchGroupId: branchGroupId ?? null });
    const meanwhile = await goodByKey(inside, row, by as GoodKey);
    if (meanwhile !== null)
      return { created: false, row: await changed(inside, meanwhile, { branchGroupId, ...values }) };
    if (branchGroupId != null) await getBranchGroup(inside, branchGroupId);
    return {
      created: true,
      row: await createGood(inside, newGood(values), { branchGroupId: branchGroupId ?? null }),
    };
  });
}

async function changed(inside: CompanyScope, id: number, { branchGroupId, ...values }: UpsertGoodInput) {
  const good = await getGood(inside, id);
  if (branchGroupId !== undefined && good.branchGroupId !== branchGroupId)
    throw invalidField("branchGroupId", "immutable", "is that of another shop: a good stays in its own");
  return Object.keys(values).length === 0 ? good : updateGood(inside, id, values);
}

/** A row with what a new good needs. @throws DomainError VALIDATION_FAILED with rule `required`. */
function newGood(values: Omit<UpsertGoodInput, "id" | "branchGroupId">): CreateGoodInput {
  const { name, priceE2 } = values;
  const missing = missingOf(values);
  if (name === undefined || priceE2 === undefined) throw validationFailed(missing);
  return {
    ...values,
    name,
    priceE2,
    type: values.type ?? 0,
    details: values.details ?? values.shortDetails ?? name,
    shortDetails: values.shortDetails ?? shortened(values.details ?? name),
  };
}
