import { getNamedType, isEnumType, isInputObjectType } from "graphql";
import pg from "pg";
import { COUNTED_TABLES } from "../../src/engine/counts/row-counts.js";
import { TENANT_MODELS } from "../../src/core/scope/tenant-models.js";
import { GOOD_TYPE } from "../../src/slices/goods/good.masks.js";
import { toSnakeCase } from "../../src/api/rest/naming.js";
import { sharedSchema as createSchema } from "../support/schema.js";
import { createTestDatabase, type TestDatabase } from "../support/database.js";

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/**
 * What serves a field of a list: a btree to order, a GIN index for parts of texts, with statistics by which the planner
 * knows when to use it, or any of them to look a value up.
 */
interface Need {
  readonly list: string;
  readonly field: string;
  readonly method: "btree" | "gin" | "any";
  /** The expression behind the columns that every list is limited by. */
  readonly key: string;
  readonly isOrder: boolean;
}

const { schema } = createSchema();

/** Orders that the service reads by another column, which gives the same order. */
const SAME_ORDERS: Readonly<Record<string, string>> = {
  "AvailableTicket.createdAt": "id",
  "BalanceMovement.id": "created_at",
};

/** Orders that another table has, with the column of the row's id there. */
const ORDERS_ELSEWHERE: Readonly<Record<string, { table: string; key: string; id: string }>> = {
  "Coupon.spentCount": { table: "coupon_ranks", key: "uses", id: "coupon_id" },
};

/** Filters whose values another table has, with its columns before the value, and its name where that is another. */
const FILTERS_ELSEWHERE: Readonly<
  Record<string, { table: string; before: readonly string[]; key?: string }>
> = {
  externalId: { table: "external_ids", before: ["company_id", "table_name"] },
  categoryId: { table: "good_categories", before: ["company_id"] },
  goodTagId: { table: "good_tag_goods", before: ["company_id"] },
  onSaleAtBranchId: { table: "branch_goods", before: ["company_id"], key: "branch_id" },
  inStockAtBranchId: { table: "branch_goods", before: ["company_id"], key: "branch_id" },
};

/** Filters that narrow little and are no columns: their rows are found on the way through the list. */
const DERIVED: ReadonlySet<string> = new Set(["hasPictures", ...Object.keys(GOOD_TYPE)]);

/** Filters to which the service adds all values of a column with few, which their index has first. */
const BEHIND_KINDS: Readonly<Record<string, string>> = { "BalanceMovement.relatedId": "related_type" };

/** The keys by which the indexes of texts find what is near the beginning of a page, in the tables that grow most. */
const BLOCKS = ["(id >> 10)", "(id >> 14)"];

/** Lists that are no model's own: those of one parent at a time, with the columns of the parent. */
const PARENT_COLUMNS: Readonly<Record<string, string | readonly string[]>> = {
  AvailableTicket: "coupon_id",
  BalanceMovement: [],
  CartItem: "cart_id",
  ClientAddress: "client_id",
  CouponCode: "coupon_id",
  CouponRedemption: "coupon_id",
  CouponUse: [],
  ImportError: "import_job_id",
};

/** Kinds of fields that narrow much. The others are enums and booleans: few rows are found on the way through them. */
const NARROW: ReadonlySet<string> = new Set(
  ["Int", "Ids", "SafeInt", "Float", "DateTime", "Code", "Word"].map((kind) => `${kind}FilterInput`),
);

/** The needs of all lists of tenant models, by what their filters and orders take. */
const needs: Need[] = Object.values(schema.getTypeMap()).flatMap((type): Need[] => {
  const list = /^(?<list>\w+)FilterInput$/u.exec(type.name)?.groups?.["list"] ?? "";
  if (!isInputObjectType(type) || !isList(list)) return [];
  const filters = Object.values(type.getFields())
    .filter(({ name }) => name !== "or" && name !== "not" && !(list === "Good" && DERIVED.has(name)))
    .flatMap(({ name, type: comparison }) =>
      keysOf(list, getNamedType(comparison).name, toSnakeCase(name)).map((need) => ({
        list,
        field: name,
        isOrder: false,
        ...need,
      })),
    );
  const orders = schema.getType(`${list}OrderField`);
  if (!isEnumType(orders)) throw new Error(`${list} has no orders`);
  const ordered = orders.getValues().map(({ value }): Need => {
    const field = value as string;
    const key = SAME_ORDERS[`${list}.${field}`] ?? toSnakeCase(field);
    return { list, field, method: "btree", key, isOrder: true };
  });
  return [...filters, ...ordered];
});

function isList(name: string): boolean {
  return name in PARENT_COLUMNS || (TENANT_MODELS as readonly string[]).includes(name);
}

function keysOf(list: string, comparison: string, column: string): Pick<Need, "method" | "key">[] {
  switch (comparison) {
    case "StringFilterInput":
      return [{ method: "gin", key: `folded(${column})` }];
    case "StringListFilterInput":
      return [{ method: "gin", key: `folded_texts(${column})` }];
    default:
      return NARROW.has(comparison) || COUNTED_TABLES.has(tableOf(list))
        ? [{ method: "any", key: column }]
        : [];
  }
}

function tableOf(list: string): string {
  if (list === "AvailableTicket") return tableOf("CouponCode");
  if (list === "CouponUse") return tableOf("CouponRedemption");
  const singular = toSnakeCase(list);
  if (/[^aeiou]y$/u.test(singular)) return `${singular.slice(0, -1)}ies`;
  return /(?:ch|ss)$/u.test(singular) ? `${singular}es` : `${singular}s`;
}

/** An index: `keys` are its columns and expressions. */
interface Index {
  readonly table: string;
  readonly method: string;
  readonly keys: readonly string[];
}

/** Returns the expressions of which there are statistics, as `table: expression`. */
async function statistics(): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ line: string }>(
    "SELECT s.stxrelid::regclass || ': ' || e AS line FROM pg_statistic_ext s, unnest(pg_get_statisticsobjdef_expressions(s.oid)) AS e",
  );
  return new Set(rows.map(({ line }) => line));
}

async function indexes(): Promise<Index[]> {
  const { rows } = await client.query<Index>(`
    SELECT c.relname AS table, m.amname AS method,
           array_agg(pg_get_indexdef(i.indexrelid, k, true) ORDER BY k) AS keys
      FROM pg_index i
      JOIN pg_class c ON c.oid = i.indrelid
      JOIN pg_class x ON x.oid = i.indexrelid
      JOIN pg_am m ON m.oid = x.relam
      CROSS JOIN LATERAL generate_series(1, i.indnkeyatts) AS k
     GROUP BY c.relname, m.amname, i.indexrelid`);
  return rows;
}

/** Returns the needs that no index serves, one line each. */
async function unserved(): Promise<string[]> {
  const all = await indexes();
  const known = await statistics();
  // Elements of lists that hardly come twice leave statistics in the joined texts alone.
  const isKnown = ({ list, method, key }: Need) =>
    method !== "gin" || known.has(`${tableOf(list)}: ${key.replace("folded_texts(", "joined_texts(")}`);
  return needs
    .filter((need) => !isKnown(need) || !all.some((index) => serves(index, need)))
    .map(
      ({ list, method, key, isOrder }) =>
        `${list} ${isOrder ? "ordered by" : "filtered by"} ${method} ${key}`,
    );
}

function serves(index: Index, { list, field, method, key, isOrder }: Need): boolean {
  const other = isOrder ? ORDERS_ELSEWHERE[`${list}.${field}`] : undefined;
  if (other !== undefined)
    return (
      index.table === other.table &&
      index.method === method &&
      index.keys.join() === ["company_id", other.key, other.id].join()
    );
  const elsewhere = isOrder ? undefined : FILTERS_ELSEWHERE[field];
  if (elsewhere !== undefined)
    return (
      index.table === elsewhere.table &&
      index.keys.join().startsWith([...elsewhere.before, elsewhere.key ?? key].join())
    );
  if (index.table !== tableOf(list) || (method !== "any" && index.method !== method)) return false;
  // Company and code find the one code.
  if (key === "code" && /^company_id,code(?:,id)?$/u.test(index.keys.join())) return true;
  const limits = ["company_id", PARENT_COLUMNS[list] ?? []].flat();
  // A value of one parent is found from the other side, too.
  if (method === "any" && index.keys.join() === ["company_id", key, ...limits.slice(1)].join()) return true;
  const own = index.keys.slice(limits.length);
  if (!limits.every((column, place) => index.keys[place] === column)) return false;
  if (index.method === "gin")
    return (
      own.includes(key) && (!COUNTED_TABLES.has(index.table) || BLOCKS.every((block) => own.includes(block)))
    );
  if (key === "id") return own[0] === "id";
  if (!isOrder && own[0] === BEHIND_KINDS[`${list}.${field}`] && own[1] === key) return true;
  return own[0] === key && (!isOrder || own[1] === "id");
}

it("serves each filter and each order of each list by an index", async () => {
  expect(await unserved()).toEqual([]);
});

it("notices an index that is gone", async () => {
  await client.query("BEGIN");
  await client.query("DROP INDEX goods_company_id_price_e2_id_idx");
  await client.query("DROP INDEX goods_filters_idx");
  await client.query("DROP STATISTICS branches_name_folded");

  expect(await unserved()).toEqual(
    expect.arrayContaining([
      "Good filtered by any price_e2",
      "Good filtered by any type",
      "Good filtered by gin folded(name)",
      "Branch filtered by gin folded(name)",
    ]),
  );

  await client.query("ROLLBACK");
});

it("notices an index of texts without blocks of ids", async () => {
  await client.query("BEGIN");
  await client.query("DROP INDEX properties_filters_idx");
  await client.query(
    "CREATE INDEX properties_filters_idx ON properties USING gin (company_id, folded(name) gin_trgm_ops, type, disabled)",
  );

  expect((await unserved()).sort()).toEqual([
    "Property filtered by any disabled",
    "Property filtered by any type",
    "Property filtered by gin folded(name)",
  ]);

  await client.query("ROLLBACK");
});

it("knows the lists of the service", () => {
  expect(new Set(needs.map(({ list }) => list)).size).toBeGreaterThan(25);
  expect(needs.length).toBeGreaterThan(180);
});
