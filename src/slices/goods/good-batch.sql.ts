import { lockByName } from "../../core/db/lock-by-name.js";
import { sql, type Sql } from "../../core/db/sql.js";
import type { Db } from "../../core/scope/company-scope.js";
import { restGood } from "./rest-good.js";

/** The shop and the branch to which a batch of goods goes. */
export interface GoodBatchTarget {
  readonly companyId: number;
  /** The shop of the goods; null for those of the whole company. */
  readonly branchGroupId: number | null;
  /** The branch where the goods are put on sale. */
  readonly branchId: number | null;
}

type Shop = Pick<GoodBatchTarget, "companyId" | "branchGroupId">;

/** A good that a batch changes; its row is locked. */
export interface FoundGood {
  readonly id: number;
  /** Empty for a good without one. */
  readonly sku: string;
  readonly name: string;
  readonly type: number;
  readonly priceE2: bigint;
  readonly compareAtPriceE2: bigint | null;
  readonly providerFeeE2: bigint;
  readonly unitConfig: object | null;
}

/** By what goods are looked for. */
export interface GoodKeys {
  readonly ids: readonly number[];
  readonly skus: readonly string[];
  readonly names: readonly string[];
}

/** Values of a good by its columns; what is absent stays as it is, or gets its default. */
export type GoodValues = Readonly<Record<string, unknown>> & { readonly id?: number };

export type BranchGoodValues = Readonly<Record<string, unknown>> & { readonly good_id: number };

/** The columns that a batch writes, with their types as JSON is read. */
const TYPES = {
  name: "text",
  external_id: "text",
  short_details: "text",
  details: "text",
  price_e2: "bigint",
  compare_at_price_e2: "bigint",
  type: "int",
  eta: "text",
  eta_config_id: "int",
  provider_fee_e2: "bigint",
  provider_fee_prc: "numeric",
  sku: "text",
  notes_enabled: "boolean",
  unit: "text",
  max_quantity: "int",
  limit_type: "text",
  unit_config: "jsonb",
  keywords: "text[]",
  barcodes: "text[]",
  weight: "text",
  label: "text",
} as const;
type Column = keyof typeof TYPES;

/** Those of them that may be null. */
const NULLABLE: ReadonlySet<Column> = new Set([
  "external_id",
  "compare_at_price_e2",
  "eta",
  "eta_config_id",
  "sku",
  "max_quantity",
  "limit_type",
  "unit_config",
  "weight",
  "label",
] as const);

/** What a new good has where nothing is said. */
const DEFAULTS: Readonly<Partial<Record<Column, string>>> = {
  provider_fee_e2: "0",
  provider_fee_prc: "0",
  keywords: "'{}'",
  barcodes: "'{}'",
};

const NAMES = Object.keys(TYPES) as Column[];
const listed = (written: (column: Column) => string, between = ", "): Sql =>
  sql.raw(NAMES.map(written).join(between));

/** How JSON with the values of goods is read; `emptied` names the columns that become null. */
const READ = sql`id int, emptied text[], ${listed((column) => `${column} ${TYPES[column]}`)}`;
const INSERTED = listed((column) => column);
const VALUES = listed((column) =>
  DEFAULTS[column] === undefined ? column : `coalesce(${column}, ${DEFAULTS[column]})`,
);
const valueOf = (column: Column): string =>
  NULLABLE.has(column)
    ? `CASE WHEN '${column}' = ANY (n.emptied) THEN NULL ELSE coalesce(n.${column}, g.${column}) END`
    : `coalesce(n.${column}, g.${column})`;
const CHANGES = listed((column) => `${column} = ${valueOf(column)}`);
const DIFFERS = listed(
  (column) =>
    !NULLABLE.has(column)
      ? `n.${column} <> g.${column}`
      : column === "unit_config"
        ? `jsonb_strip_nulls(${valueOf(column)}) IS DISTINCT FROM jsonb_strip_nulls(g.${column})`
        : `${valueOf(column)} IS DISTINCT FROM g.${column}`,
  " OR ",
);

/** Written for each case: an index is not used for a comparison that takes nulls, too. */
export function ofShop(branchGroupId: number | null): Sql {
  return branchGroupId === null ? sql`branch_group_id IS NULL` : sql`branch_group_id = ${branchGroupId}`;
}

/**
 * Has the statements of a batch look up rows one by one in an index, until the transaction ends. PostgreSQL learns of new
 * rows a minute later: until then it takes a shop that is being filled for an empty one, and would read all of it at each
 * batch.
 */
export async function lookUpInIndexes(db: Db): Promise<void> {
  await db.$executeRaw`
    SELECT set_config(name, 'off', true) FROM unnest(ARRAY['enable_hashjoin', 'enable_mergejoin', 'enable_sort']) AS name`;
}

/** Lets one batch at a time create goods of the shop, until the transaction ends. */
export function lockShop(db: Db, { companyId, branchGroupId }: Shop): Promise<void> {
  return lockByName({ db }, `goods of shop ${companyId}/${branchGroupId}`);
}

/** The goods of the company, of any shop, that have external ids. */
export async function goodsByExternalIds(
  db: Db,
  companyId: number,
  externalIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (externalIds.length === 0) return new Map();
  const rows = await db.$queryRaw<{ externalId: string; goodId: number }[]>`
    SELECT external_id AS "externalId", entity_id AS "goodId" FROM external_ids
     WHERE company_id = ${companyId} AND table_name = 'goods' AND external_id = ANY (${[...externalIds]}::text[]) AND deleted_id = 0`;
  return new Map(rows.map(({ externalId, goodId }) => [externalId, goodId]));
}

/**
 * The goods of the shop with these ids and these skus, and those without a sku that have these names. They are locked until the
 * transaction ends, in the order of their ids.
 */
export async function findGoods(
  db: Db,
  { companyId, branchGroupId }: GoodBatchTarget,
  { ids: known, skus, names }: GoodKeys,
): Promise<FoundGood[]> {
  // Found first and locked then. Only the indexes of skus and of names have these orders, and so need no sorting; of one sku the
  // index of the shop has its order too, and would be read as a whole for each of them.
  const shop = ofShop(branchGroupId);
  const rows = await db.$queryRaw<{ id: number }[]>`
    ${ofSkus({ companyId, branchGroupId }, skus)}
    UNION ALL
    SELECT g.id FROM unnest(${names}::text[]) AS n, LATERAL (
      SELECT id FROM goods WHERE company_id = ${companyId} AND ${shop} AND coalesce(sku, '') = '' AND name BETWEEN n AND n AND deleted_at IS NULL ORDER BY name, id) AS g`;
  const ids = [...known, ...rows.map(({ id }) => id)];
  if (ids.length === 0) return [];
  return db.$queryRaw<FoundGood[]>`
    SELECT id, coalesce(sku, '') AS sku, name, type, price_e2 AS "priceE2",
           compare_at_price_e2 AS "compareAtPriceE2", provider_fee_e2 AS "providerFeeE2", unit_config AS "unitConfig"
      FROM goods
     WHERE company_id = ${companyId} AND ${shop} AND deleted_at IS NULL AND id = ANY (${ids}::int[])
     ORDER BY id FOR NO KEY UPDATE`;
}

/** The ids of the goods of the shop with these skus. */
function ofSkus({ companyId, branchGroupId }: Shop, skus: readonly string[]): Sql {
  return sql`
    SELECT g.id FROM unnest(${[...skus]}::text[]) AS s, LATERAL (
      SELECT id FROM goods WHERE company_id = ${companyId} AND ${ofShop(branchGroupId)} AND sku BETWEEN s AND s AND deleted_at IS NULL ORDER BY sku, id) AS g`;
}

/** The goods of the shop with these skus. */
export async function goodsBySkus(db: Db, shop: Shop, skus: readonly string[]): Promise<number[]> {
  return skus.length === 0
    ? []
    : (await db.$queryRaw<{ id: number }[]>(ofSkus(shop, skus))).map(({ id }) => id);
}

/** The oldest two goods of the shop with a sku. */
export async function goodsBySku(db: Db, { companyId, branchGroupId }: Shop, sku: string): Promise<number[]> {
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT id FROM goods
     WHERE company_id = ${companyId} AND ${ofShop(branchGroupId)} AND sku = ${sku} AND deleted_at IS NULL
     ORDER BY sku, id LIMIT 2`;
  return rows.map(({ id }) => id);
}

export async function newGoodIds(db: Db, count: number): Promise<number[]> {
  if (count === 0) return [];
  const rows = await db.$queryRaw<{ id: bigint }[]>`
    SELECT nextval(pg_get_serial_sequence('goods', 'id')) AS id FROM generate_series(1, ${count}::int)`;
  return rows.map(({ id }) => Number(id));
}

/**
 * The company of new rows, as its row says it. By this a distributed database sees that all of them are of one worker, and has that read
 * them; those of any number would be copied there, and an error would come back without its code.
 */
const ofCompany = (companyId: number): Sql =>
  sql`(SELECT id AS of_company FROM companies WHERE id = ${companyId}) AS own`;

export async function insertGoods(
  db: Db,
  { companyId, branchGroupId }: GoodBatchTarget,
  goods: readonly GoodValues[],
): Promise<void> {
  if (goods.length === 0) return;
  await db.$executeRaw`
    INSERT INTO goods (company_id, id, branch_group_id, ${INSERTED}, updated_at)
    SELECT of_company, id, ${branchGroupId}::int, ${VALUES}, now()
      FROM ${ofCompany(companyId)} CROSS JOIN json_to_recordset(${JSON.stringify(goods)}::json) AS n(${READ})`;
}

/**
 * Writes the goods in which something differs: their version is moved on here, so that the trigger compares nothing again. Goods are
 * looked up one by one, since a join reads the whole company for each of them as long as PostgreSQL takes it for an empty one;
 * those that differ are read by their ids. @returns their ids.
 */
export async function updateGoods(
  db: Db,
  { companyId }: GoodBatchTarget,
  goods: readonly GoodValues[],
): Promise<Set<number>> {
  if (goods.length === 0) return new Set();
  const rows = await db.$queryRaw<{ id: number }[]>`
    WITH differing AS MATERIALIZED (
      SELECT n.* FROM json_to_recordset(${JSON.stringify(goods)}::json) AS n(${READ}),
             LATERAL (SELECT FROM goods AS g WHERE g.company_id = ${companyId} AND g.id = n.id AND (${DIFFERS}) OFFSET 0) AS there)
    UPDATE goods AS g
       SET ${CHANGES}, updated_at = now(), version = g.version + 1
      FROM differing AS n
     WHERE g.company_id = ${companyId} AND g.id = ANY (ARRAY(SELECT id FROM differing)) AND g.id = n.id
    RETURNING g.id`;
  return new Set(rows.map(({ id }) => id));
}

/** What goods cost at a branch, null for as much as elsewhere. */
export async function branchPrices(
  db: Db,
  { companyId, branchId }: { companyId: number; branchId: number | null },
  goodIds: readonly number[],
): Promise<ReadonlyMap<number, bigint | null>> {
  if (goodIds.length === 0) return new Map();
  const rows = await db.$queryRaw<{ goodId: number; priceE2: bigint | null }[]>`
    SELECT good_id AS "goodId", price_e2 AS "priceE2" FROM branch_goods
     WHERE company_id = ${companyId} AND branch_id = ${branchId}::int AND good_id = ANY (${[...goodIds]}::int[])`;
  return new Map(rows.map(({ goodId, priceE2 }) => [goodId, priceE2]));
}

/** Puts goods on sale at a branch that does not sell them, looked up as `updateGoods` does. @returns which. */
export async function insertBranchGoods(
  db: Db,
  { companyId, branchId }: { companyId: number; branchId: number },
  goods: readonly BranchGoodValues[],
): Promise<Set<number>> {
  if (goods.length === 0) return new Set();
  // A row that is there would take a number, of which there are few.
  const sold = await db.$queryRaw<{ goodId: number }[]>`
    SELECT good_id AS "goodId" FROM branch_goods
     WHERE company_id = ${companyId} AND branch_id = ${branchId} AND good_id = ANY (${goods.map(({ good_id: id }) => id)}::int[])`;
  const isSold = new Set(sold.map(({ goodId }) => goodId));
  const others = goods.filter(({ good_id: id }) => !isSold.has(id));
  if (others.length === 0) return new Set();
  const rows = await db.$queryRaw<{ goodId: number }[]>`
    INSERT INTO branch_goods (company_id, branch_id, good_id, price_e2, stock, disabled, updated_at)
    SELECT of_company, ${branchId}::int, n.good_id, n.price_e2, n.stock, coalesce(n.disabled, false), now()
      FROM ${ofCompany(companyId)} CROSS JOIN json_to_recordset(${JSON.stringify(others)}::json)
           AS n(good_id int, price_e2 bigint, stock numeric, disabled boolean)
     ORDER BY n.good_id
        ON CONFLICT DO NOTHING
    RETURNING good_id AS "goodId"`;
  return new Set(rows.map(({ goodId }) => goodId));
}

const atBranch = (column: string): Sql =>
  sql.raw(`CASE WHEN '${column}' = ANY (n.emptied) THEN NULL ELSE coalesce(n.${column}, b.${column}) END`);
const BRANCH_PRICE = atBranch("price_e2");
const BRANCH_STOCK = atBranch("stock");

/** Writes the goods of a branch in which something differs, looked up as `updateGoods` does. @returns which. */
export async function updateBranchGoods(
  db: Db,
  { companyId, branchId }: { companyId: number; branchId: number },
  goods: readonly BranchGoodValues[],
): Promise<number[]> {
  if (goods.length === 0) return [];
  const rows = await db.$queryRaw<{ goodId: number }[]>`
    WITH differing AS MATERIALIZED (
      SELECT n.*
        FROM json_to_recordset(${JSON.stringify(goods)}::json)
             AS n(good_id int, emptied text[], price_e2 bigint, stock numeric, disabled boolean),
             LATERAL (SELECT FROM branch_goods AS b
                       WHERE b.company_id = ${companyId} AND b.branch_id = ${branchId} AND b.good_id = n.good_id
                         AND (${BRANCH_PRICE} IS DISTINCT FROM b.price_e2 OR ${BRANCH_STOCK} IS DISTINCT FROM b.stock
                              OR n.disabled <> b.disabled) OFFSET 0) AS there)
    UPDATE branch_goods AS b
       SET price_e2 = ${BRANCH_PRICE}, stock = ${BRANCH_STOCK}, disabled = coalesce(n.disabled, b.disabled), updated_at = now()
      FROM differing AS n
     WHERE b.company_id = ${companyId} AND b.branch_id = ${branchId}
       AND b.good_id = ANY (ARRAY(SELECT good_id FROM differing)) AND b.good_id = n.good_id
    RETURNING b.good_id AS "goodId"`;
  return rows.map(({ goodId }) => goodId);
}

/** Links goods to categories; links that are there stay, those to a category that is gone are left out. @returns which. */
export async function linkCategories(
  db: Db,
  companyId: number,
  links: readonly { goodId: number; categoryId: number }[],
): Promise<number[]> {
  if (links.length === 0) return [];
  const rows = await db.$queryRaw<{ goodId: number }[]>`
    INSERT INTO good_categories (company_id, category_id, good_id)
    SELECT ${companyId}::int, c.id, n."goodId"
      FROM json_to_recordset(${JSON.stringify(links)}::json) AS n("goodId" int, "categoryId" int)
      JOIN categories c ON c.company_id = ${companyId} AND c.id = n."categoryId"
        ON CONFLICT DO NOTHING
    RETURNING good_id AS "goodId"`;
  return rows.map(({ goodId }) => goodId);
}

/** Goods as previews show them, by the keys of REST. */
export async function shownGoods(
  db: Db,
  companyId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, unknown>> {
  if (ids.length === 0) return new Map();
  const rows = await db.$queryRaw<{ id: number; good: Readonly<Record<string, unknown>> }[]>`
    SELECT id, to_jsonb(g) - '{company_id,id,created_at,updated_at,version,shares_second,deleted_at,rating_e2,rating_sum,rating_count,search_words}'::text[] AS good
      FROM goods AS g WHERE g.company_id = ${companyId} AND g.id = ANY (${ids}::int[])`;
  return new Map(rows.map(({ id, good }) => [id, restGood(good)]));
}

/** A good beside which a new one may stand by mistake. */
export interface GoodBeside {
  readonly newId: number;
  readonly id: number;
  /** Whether the names are the same; else the skus differ by case or leading zeros alone. */
  readonly hasName: boolean;
}

/** The goods of the shop that new goods are most likely meant to be: the oldest one for each. */
export async function goodsBeside(
  db: Db,
  { companyId, branchGroupId }: GoodBatchTarget,
  newIds: readonly number[],
): Promise<GoodBeside[]> {
  if (newIds.length === 0) return [];
  const ids = [...newIds];
  return db.$queryRaw<GoodBeside[]>`
    WITH n AS MATERIALIZED (
      SELECT id, name, lower(ltrim(sku, '0')) AS sku FROM goods WHERE company_id = ${companyId} AND id = ANY (${ids}::int[]))
    SELECT DISTINCT ON (n.id) n.id AS "newId", g.id, g.name = n.name AS "hasName"
      FROM n, goods AS g
     WHERE g.company_id = ${companyId} AND ${ofShop(branchGroupId)} AND g.deleted_at IS NULL AND g.id <> ALL (${ids}::int[])
       AND (g.name = ANY (SELECT name FROM n) OR lower(ltrim(g.sku, '0')) = ANY (SELECT sku FROM n))
       AND (g.name = n.name OR n.sku <> '' AND lower(ltrim(g.sku, '0')) = n.sku)
     ORDER BY n.id, lower(ltrim(g.sku, '0')) IS DISTINCT FROM n.sku, g.id`;
}
