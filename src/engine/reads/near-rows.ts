import { compileClauses, type CompiledRead, type Forms, type ReadQuery } from "./compile-read.js";
import type { Table } from "./model-tables.js";
import { COUNTED_TABLES } from "../counts/row-counts.js";
import { conditionsIn, isIndexedPart, isPart, type Condition, type Where } from "./text-conditions.js";

/**
 * Pages of rows with parts of texts or with values of other fields, in the order of ids, in companies with very many rows. An
 * index of filters has no order: it finds all rows of the company that have the part or the value, however few of them a
 * page shows. It has the block of each row as a key, though, and the blocks where a page begins mostly have rows enough:
 * small ones when the part comes often, larger ones when it is rarer.
 */

/** Blocks of ids: those of one block are alike but for the last bits. Indexes of filters have the keys `id >> bits`. */
export const SMALL_BITS = 10;
export const LARGE_BITS = 14;
/** A page is looked for in one small block, that of the first row or of the cursor, and in so many large ones. */
const LARGE_BLOCKS = 3;
/** The blocks are not likely to have more rows than this. */
const MOST_ROWS = 401;

const ID_BOUNDS: ReadonlySet<string> = new Set(["gt", "gte", "lt", "lte"]);

type Direction = "asc" | "desc";

/**
 * Returns the company whose rows are wanted by nothing but parts of texts and values that the index of filters finds, in the
 * order of their ids; `null` for any other query. Other conditions could leave out most of what the blocks have.
 */
export function companyOfNearPage(table: Table, query: ReadQuery): number | null {
  const { where, take, skip = 0, select, keys = [] } = query;
  if (!COUNTED_TABLES.has(table.name) || typeof take !== "number") return null;
  if (take + (skip as number) > MOST_ROWS || directionById(query) === null) return null;
  if (select != null && (select as Where)["id"] !== true) return null;
  const { companyId, deletedAt, ...others } = (where ?? {}) as Where;
  if (typeof companyId !== "number" || (deletedAt !== undefined && deletedAt !== null)) return null;
  const conditions = [...conditionsIn(others)];
  const isValue = (condition: Condition): boolean => isValueOf(keys as readonly string[], condition);
  const isFound = (condition: Condition): boolean => isIndexedPart(condition) || isValue(condition);
  return conditions.every((one) => isPartOrBound(one) || isValue(one)) && conditions.some(isFound)
    ? companyId
    : null;
}

/**
 * Compiles the read of a page from the blocks where it begins, one after the other until they have rows enough. With fewer
 * rows than wanted it shows nothing: more may come in later blocks.
 *
 * @param query is one that `companyOfNearPage` knows.
 */
export function compileNear(table: Table, query: ReadQuery, forms: Forms = {}): CompiledRead | null {
  // The indexes of filters suit whatever the texts are, so that the plan need not be made for them.
  const clauses = compileClauses(table, query, { ...forms, hidesTexts: true, isKeptFromKey: true });
  const direction = directionById(query);
  if (clauses === null || direction === null) return null;
  const { columns, condition, order, take = 0, skip, sought, values } = clauses;
  const wanted = take + skip;
  const blocks = blocksFrom(direction);
  // PostgreSQL does not see that the key has ids and their order: along it, it would walk through all rows for those of one block.
  const byBlock = direction === "asc" ? `"id" + 0` : `"id" + 0 DESC`;
  const reads = blocks.map((block, n) => {
    const found = blocks.slice(0, n).map((_, m) => `(SELECT count(*) FROM "near${m}")`);
    const isNeeded = n === 0 ? "" : ` AND ${found.join(" + ")} < ${wanted}`;
    return `"near${n}" AS MATERIALIZED (SELECT ${columns} FROM "${table.name}"
      WHERE ${condition} AND ${block}${isNeeded} ORDER BY ${byBlock} LIMIT ${wanted})`;
  });
  const parts = [
    `"sought" AS MATERIALIZED (SELECT ${sought.map((expression, n) => `${expression} AS "s${n}"`).join(", ")})`,
    `"start" AS MATERIALIZED (${startOf(firstId(table, query.where, direction, values), direction)})`,
    ...reads,
  ];
  const all = blocks.map((_, n) => `SELECT * FROM "near${n}"`).join(" UNION ALL ");
  const text = `WITH ${parts.join(", ")} ${all} ORDER BY ${order} LIMIT ${take}`;
  return { text: skip > 0 ? `${text} OFFSET ${skip}` : text, values };
}

/** Returns the query for where a page begins: its small block, the bound of ids beyond it, and the large block there. */
function startOf(firstId: string, direction: Direction): string {
  const small = `"id" >> ${SMALL_BITS}`;
  const [bound, next] =
    direction === "asc" ? [`((${small}) + 1) << ${SMALL_BITS}`, "0"] : [`(${small}) << ${SMALL_BITS}`, "1"];
  return `SELECT ${small} AS "small", ${bound} AS "bound", ((${bound}) - ${next}) >> ${LARGE_BITS} AS "large" FROM (${firstId}) AS "first"`;
}

/** Returns the conditions for the ids of each block: the small one, and large ones beyond it. */
function blocksFrom(direction: Direction): string[] {
  const start = (column: string): string => `(SELECT "${column}" FROM "start")`;
  const [step, beyond] = direction === "asc" ? ["+", ">="] : ["-", "<"];
  const large = (n: number): string =>
    `("id" >> ${LARGE_BITS}) = ${start("large")} ${step} ${n} AND "id" + 0 ${beyond} ${start("bound")}`;
  return [
    `("id" >> ${SMALL_BITS}) = ${start("small")}`,
    ...Array.from({ length: LARGE_BLOCKS }, (_, n) => large(n)),
  ];
}

/** Returns the query for the id from which on a page shows rows. */
function firstId(table: Table, where: unknown, direction: Direction, values: unknown[]): string {
  const bound = boundOfIds(where, direction);
  if (bound !== null) return `SELECT $${values.push(bound)}::int AS "id"`;
  const companyId = `$${values.push((where as Where)["companyId"])}`;
  const order = direction === "asc" ? `"id"` : `"id" DESC`;
  return `SELECT "id" FROM "${table.name}" WHERE "company_id" = ${companyId} ORDER BY ${order} LIMIT 1`;
}

/**
 * Returns the last id that all rows are beyond, in a direction: that of the cursor, or of a filter. It is 0 at least, as ids
 * are: the blocks beyond the smallest integer cannot be counted.
 */
function boundOfIds(where: unknown, direction: Direction): number | null {
  const operators = direction === "asc" ? ["gt", "gte"] : ["lt", "lte"];
  const bounds = [...conditionsIn(where)]
    .filter(({ field, operator }) => field === "id" && operators.includes(operator))
    .map(({ operand }) => operand as number);
  if (bounds.length === 0) return null;
  return Math.max(0, direction === "asc" ? Math.max(...bounds) : Math.min(...bounds));
}

function isPartOrBound({ field, operator, operand }: Condition): boolean {
  if (field === "id") return ID_BOUNDS.has(operator) && typeof operand === "number";
  return isPart(operator);
}

/** Whether the condition asks for values of a key of the index of filters. */
function isValueOf(keys: readonly string[], { field, operator, operand }: Condition): boolean {
  if (!keys.includes(field) || operand === null) return false;
  return operator === "equals" || (operator === "in" && Array.isArray(operand) && operand.length > 0);
}

function directionById({ orderBy }: ReadQuery): Direction | null {
  const terms = [orderBy ?? []].flat() as Readonly<Record<string, Direction>>[];
  return terms.length === 1 ? (terms[0]?.["id"] ?? null) : null;
}
