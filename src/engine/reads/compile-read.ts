import { RowsOf } from "../../core/lists/rows-of.js";
import { arrayLiteral, columnValue } from "./column-values.js";
import { MODEL_TABLES, type Column, type Table } from "./model-tables.js";
import { conditionsIn, INDEXED_PART } from "./text-conditions.js";

/**
 * The arguments of Prisma's `findMany`, and `plan`, a `PlanChoice`, with the fields that are `keys` of the index of filters;
 * `rare` is a field that orders the rows and that few of them have. Conditions may also be `RowsOf` other tables,
 * `amongExternalIds`, those on keys, `hasBits` of a mask and the operators on folded texts below, which Prisma does not have.
 */
export type ReadQuery = Readonly<Record<string, unknown>>;

export interface CompiledRead {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** A read of whole rows. */
export interface CompiledRows extends CompiledRead {
  /** Whether its conditions are on keys alone, so that one plan suits all values. */
  readonly isByKeys: boolean;
  /** The types of the values in SQL, when it reads the one row that has them; `null` for any other read. */
  readonly keys: readonly string[] | null;
}

export interface CompiledCount extends CompiledRead {
  /** Asks PostgreSQL how many rows it expects, when there are more than were counted. */
  readonly expected?: string;
}

/** An estimate is exact up to this number of rows. */
export const MOST_COUNTED = 10_000;
/** Rows are counted by at most this many values. */
const MOST_GROUPS = 1_000;

const CLAUSES: ReadonlySet<string> = new Set([
  "where",
  "orderBy",
  "take",
  "skip",
  "select",
  "plan",
  "keys",
  "rare",
]);
const COUNT_CLAUSES: ReadonlySet<string> = new Set([
  "where",
  "by",
  "isEstimated",
] satisfies (keyof CountQuery)[]);

const COMPARISONS: Readonly<Record<string, string>> = { lt: "<", lte: "<=", gt: ">", gte: ">=" };

/**
 * Conditions on texts: `@` stands for the column, `$` for the text that is looked for. What does not depend on the row is
 * in braces.
 */
const PATTERNS: Readonly<Record<string, string>> = {
  startsWith: "@ LIKE {like_literal($) || '%'}",
  // The second condition follows from the first one: by it an index of parts finds the text.
  sameText: "(@ = {$} AND folded(@) LIKE {like_literal(folded($))})",
  foldedEquals: "folded(@) LIKE {like_literal(folded($))}",
  foldedLt: "folded(@) < {folded($)}",
  foldedLte: "folded(@) <= {folded($)}",
  foldedGt: "folded(@) > {folded($)}",
  foldedGte: "folded(@) >= {folded($)}",
  foldedContains: "folded(@) LIKE {'%' || like_literal(folded($)) || '%'}",
  foldedStartsWith: "folded(@) LIKE {like_literal(folded($)) || '%'}",
};

/**
 * The same as `foldedStartsWith`. An index finds a part faster than a start, for which it also reads all rows with a word
 * that begins with the first letter, and all with the first two.
 */
const PART_AT_START =
  "(folded(@) LIKE {'%' || like_literal(folded($)) || '%'} AND starts_with(folded(@), {folded($)}))";

/** Whether the text `@` is one of `$`. The second condition follows from the first one, for the index of parts. */
const AMONG_TEXTS = "(@ = ANY ({$}) AND folded(@) = ANY ({folded_texts($)}))";

/** Whether the list `@` has one of the texts `$`. */
const LIST_OVERLAPS = "folded_texts(@) && {folded_texts($)}";

/**
 * The same, with what PostgreSQL needs for a plan. It has statistics of the elements of lists only when some come often:
 * others, such as barcodes, it would take for so frequent that it walks the whole company for them. The second condition
 * is always true with the first one, and shows how rare the texts are: to estimate it, PostgreSQL looks at the patterns;
 * to run it, it needs the difference alone.
 */
const RARE_LIST_OVERLAPS = `(${LIST_OVERLAPS} AND (cardinality(@) - cardinality(@) = 0 OR joined_texts(@) LIKE ANY ({list_patterns($)})))`;

/** Whether the object `@` has one of the keys `$`. */
const HAS_KEYS = "jsonb_exists_any(@, {$::text[]})";

/** Whether it has a key within one of them, as `config.limit` is within `config`. It costs three times as much. */
const HAS_KEYS_WITHIN =
  "EXISTS (SELECT FROM jsonb_object_keys(@) AS key WHERE split_part(key, '.', 1) = ANY ({$::text[]}) AND strpos(key, '.') > 0)";

const KEY_PATTERNS: Readonly<Record<string, string>> = { hasKeys: HAS_KEYS, hasKeysWithin: HAS_KEYS_WITHIN };

/** What a condition on a text seeks, in braces. */
const SOUGHT = /\{(?<expression>[^}]*)\}/gu;

const COMPANY = "companyId";

/** The types of keys in SQL. */
const KEY_TYPES: Readonly<Partial<Record<Column["type"], string>>> = { Int: "int", BigInt: "bigint" };

/**
 * Compiles a simple read, which asks for rows of one table by conditions on its columns. Values are always bound.
 * The text holds names of the schema only, and the number of `LIMIT`: PostgreSQL plans a statement anew at each run
 * when it does not know how few rows are wanted.
 *
 * @returns `null` for a query that is not simple, such as one that includes relations; Prisma runs such a query.
 */
export function compileRead(table: Table, query: ReadQuery, forms: Forms = PLAIN): CompiledRows | null {
  const clauses = compileClauses(table, query, forms);
  if (clauses === null) return null;
  const apart = query["rare"] === undefined ? null : compileRareOrder(table, query, clauses);
  if (apart !== null) return { ...apart, isByKeys: false, keys: null };
  const { columns, condition, order, take, skip, keys, values } = clauses;
  let text = `SELECT ${columns} FROM "${table.name}"`;
  if (condition !== "") text += ` WHERE ${condition}`;
  if (order !== "") text += ` ORDER BY ${order}`;
  if (take !== undefined) text += ` LIMIT ${take}`;
  if (skip > 0) text += ` OFFSET $${values.push(skip)}`;
  const isByKeys = clauses.isByKeys && skip === 0;
  const isOfOne = isByKeys && take === 1 && keys.length > 0 && keys.length === values.length;
  return { text, values, isByKeys, keys: isOfOne ? keys : null };
}

/**
 * Compiles a read in the order of a field that few rows have. The index of these rows orders them alone, so the others, which
 * come before or after all of them, are read apart, in the order of what follows that field.
 *
 * @returns `null` where the field is not selected, or orders alone.
 */
function compileRareOrder(
  table: Table,
  { where, orderBy, select, rare }: ReadQuery,
  { columns, condition, order, take, skip, values }: Clauses,
): CompiledRead | null {
  const terms = [orderBy ?? []].flat() as Readonly<Record<string, string>>[];
  const fields = terms.flatMap((term) => Object.keys(term));
  const column = table.columns.get(String(rare));
  const others = ordering(table, terms.slice(1));
  const isShown = (field: string): boolean => select == null || (select as Row)[field] === true;
  if (column === undefined || fields[0] !== rare || take === undefined || !fields.every(isShown)) return null;
  if (others === null || others === "") return null;
  const isOfFew = [...conditionsIn(where)].some(
    ({ field, operator, operand }) => field === rare && (operator === "not") === (operand === null),
  );
  const part = (isSet: string, by: string): string =>
    `(SELECT ${columns} FROM "${table.name}" WHERE ${condition === "" ? "" : `${condition} AND `}"${column.name}" ${isSet} ORDER BY ${by} LIMIT ${take + skip})`;
  const parts = [part("IS NOT NULL", order), ...(isOfFew ? [] : [part("IS NULL", others)])];
  const all = terms
    .flatMap((term) => Object.entries(term))
    .map(([field, direction]) => (direction === "asc" ? `"${field}"` : `"${field}" DESC`));
  const text = `SELECT * FROM (${parts.join(" UNION ALL ")}) AS "apart" ORDER BY ${all.join(", ")} LIMIT ${take}`;
  return { text: skip > 0 ? `${text} OFFSET ${skip}` : text, values };
}

type Row = Readonly<Record<string, unknown>>;

/** How conditions are written that PostgreSQL is to plan in another way than usual. */
export interface Forms {
  /** What is sought in texts stands in `sought`, so that PostgreSQL does not see it, and one plan suits all texts. */
  readonly hidesTexts?: true;
  /** No GIN index looks the company up: its list of the rows of a large company takes longer than all else. */
  readonly keepsCompanyFromGin?: true;
  /** The key looks up no ids, since nearly all rows may lie beyond one, and no company that is kept from GIN indexes. */
  readonly isKeptFromKey?: true;
}

const PLAIN: Forms = {};
export const KEPT_FROM_GIN: Forms = { keepsCompanyFromGin: true };

/** The parts of a simple read; `values` are those of the condition and of what is sought. */
export interface Clauses {
  readonly columns: string;
  readonly condition: string;
  readonly order: string;
  readonly take: number | undefined;
  readonly skip: number;
  /** The expressions of the columns `s0`, `s1` … of `sought`, which the condition asks for where texts are hidden. */
  readonly sought: readonly string[];
  readonly isByKeys: boolean;
  /** The types in SQL of the values that are compared for equality and are numbers. */
  readonly keys: readonly string[];
  readonly values: unknown[];
}

/** Compiles the parts of a simple read; see `compileRead`. */
export function compileClauses(table: Table, query: ReadQuery, forms: Forms = PLAIN): Clauses | null {
  for (const key in query) if (query[key] !== undefined && !CLAUSES.has(key)) return null;
  const { where, orderBy, take, skip = 0, select } = query;
  const conditions = new Conditions(forms);
  const columns = selection(table, select);
  const condition = conditions.all(table, where ?? {});
  const order = ordering(table, orderBy);
  if (columns === null || condition === null || order === null) return null;
  if (!isCount(skip) || (take !== undefined && !isCount(take))) return null;
  const { sought, isByKeys, keys, values } = conditions;
  return { columns, condition, order, take, skip, sought, isByKeys, keys, values };
}

/**
 * Compiles conditions alone, for a statement that is written by hand: columns stand without the name of their table.
 *
 * @returns `null` for conditions that are not simple.
 */
export function compileCondition(table: Table, where: unknown): CompiledRead | null {
  const conditions = new Conditions();
  const text = conditions.all(table, where);
  return text === null ? null : { text: text === "" ? "true" : text, values: conditions.values };
}

/** The arguments of a count. */
export interface CountQuery {
  readonly where?: unknown;
  /** The field for each of whose values the rows are counted; without it there is one number. */
  readonly by?: string;
  /** Whether the number may be what PostgreSQL expects, where rows are very many. */
  readonly isEstimated?: boolean;
}

/**
 * Compiles the question how many rows there are: `count` in each row, with the `value` that they have.
 *
 * @returns `null` for conditions that are not simple.
 */
export function compileCount(table: Table, query: CountQuery): CompiledCount | null {
  for (const key in query) if (!COUNT_CLAUSES.has(key)) return null;
  const { where, by, isEstimated } = query;
  const conditions = new Conditions();
  const condition = conditions.all(table, where ?? {});
  const column = by === undefined ? null : table.columns.get(by);
  if (condition === null || column === undefined) return null;
  const rows = `FROM "${table.name}"${condition === "" ? "" : ` WHERE ${condition}`}`;
  const { values } = conditions;
  if (column !== null)
    return {
      text: `SELECT "${column.name}" AS value, count(*)::int AS count ${rows} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${MOST_GROUPS}`,
      values,
    };
  if (isEstimated !== true) return { text: `SELECT count(*)::int AS count ${rows}`, values };
  return {
    text: `SELECT count(*)::int AS count FROM (SELECT 1 ${rows} LIMIT ${MOST_COUNTED + 1}) AS counted`,
    values,
    expected: `EXPLAIN (FORMAT JSON) SELECT 1 ${rows}`,
  };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

const everyColumn = new WeakMap<Table, string>();
/** The lists of selections that never change, such as those of plans. A selection is of one table. */
const writtenOnce = new WeakMap<object, string>();

/** Returns the list of the selected columns, all of them where nothing is selected; `null` for what are no columns. */
export function selection(table: Table, select: unknown): string | null {
  if (select === undefined || select === null) {
    let list = everyColumn.get(table);
    if (list === undefined)
      everyColumn.set(table, (list = [...table.columns.values()].map(selected).join(", ")));
    return list;
  }
  if (typeof select !== "object") return null;
  const known = writtenOnce.get(select);
  if (known !== undefined) return known;
  const list: string[] = [];
  for (const field in select) {
    const wanted = (select as Record<string, unknown>)[field];
    if (wanted === undefined || wanted === false) continue;
    const column = table.columns.get(field);
    if (column === undefined || wanted !== true) return null;
    list.push(selected(column));
  }
  if (list.length === 0) return null;
  const text = list.join(", ");
  if (Object.isFrozen(select)) writtenOnce.set(select, text);
  return text;
}

function selected({ name, field }: Column): string {
  return name === field ? `"${name}"` : `"${name}" AS "${field}"`;
}

function ordering(table: Table, orderBy: unknown): string | null {
  const terms: string[] = [];
  for (const term of orderBy === undefined ? [] : [orderBy].flat()) {
    for (const [field, direction] of Object.entries(term as object)) {
      const column = table.columns.get(field);
      if (column === undefined || (direction !== "asc" && direction !== "desc")) return null;
      terms.push(direction === "asc" ? `"${column.name}"` : `"${column.name}" DESC`);
    }
  }
  return terms.join(", ");
}

/** Compiles conditions to SQL, and collects their values. Each method returns `null` for what is not simple. */
class Conditions {
  readonly values: unknown[] = [];
  readonly sought: string[] = [];
  /** Whether columns are only asked for certain values, or for none. */
  isByKeys = true;
  readonly keys: string[] = [];
  private companyId: number | null = null;

  constructor(private readonly forms: Forms = PLAIN) {}

  /** Joins all conditions of an object, `""` for none. */
  all(table: Table, where: unknown): string | null {
    if (typeof where !== "object" || where === null) return null;
    const { companyId } = where as Row;
    if (typeof companyId === "number") this.companyId = companyId;
    const parts: string[] = [];
    for (const key in where) {
      const condition = (where as Record<string, unknown>)[key];
      if (condition === undefined) continue;
      const part =
        key === "AND" || key === "OR"
          ? this.joined(table, condition, key)
          : key === "NOT"
            ? this.negated(table, condition)
            : isAmongExternalIds(condition)
              ? this.amongExternalIds(table, condition.amongExternalIds)
              : this.onColumn(table.columns.get(key), condition);
      if (part === null) return null;
      if (part !== "") parts.push(part);
    }
    return parts.join(" AND ");
  }

  private joined(table: Table, conditions: unknown, by: "AND" | "OR"): string | null {
    const parts: string[] = [];
    if (by === "OR") this.isByKeys = false;
    for (const condition of [conditions].flat()) {
      const part = this.all(table, condition);
      // An alternative without conditions has a meaning of Prisma's own, so Prisma runs that query.
      if (part === null || (part === "" && by === "OR")) return null;
      if (part !== "") parts.push(part);
    }
    if (parts.length === 0) return by === "AND" ? "" : null;
    return parts.length === 1
      ? (parts[0] as string)
      : `(${parts.map((part) => `(${part})`).join(` ${by} `)})`;
  }

  /** What cannot be said of a null is not the case, so its opposite is. */
  private negated(table: Table, condition: unknown): string | null {
    const part = this.all(table, condition);
    return part === null || part === "" ? null : `(${part}) IS NOT TRUE`;
  }

  /** The triggers of the table keep which row has an external id. */
  private amongExternalIds({ name }: Table, operand: readonly unknown[]): string | null {
    this.isByKeys = false;
    if (this.companyId === null) return null;
    const company = this.values.push(this.companyId);
    const ids = this.values.push(arrayLiteral(operand.filter(isText)));
    return `"id" IN (SELECT "entity_id" FROM "external_ids" WHERE "company_id" = $${company} AND "table_name" = '${name}' AND "external_id" = ANY ($${ids}))`;
  }

  private onColumn(column: Column | undefined, condition: unknown): string | null {
    if (column === undefined) return null;
    const name = `"${column.name}"`;
    if (condition === null) return `${name} IS NULL`;
    if (typeof condition !== "object" || condition instanceof Date)
      return this.compared(column, "=", condition);
    const parts: string[] = [];
    for (const operator in condition) {
      const operand = (condition as Record<string, unknown>)[operator];
      if (operand === undefined) continue;
      const part = this.operated(column, operator, operand);
      if (part === null) return null;
      parts.push(part);
    }
    return parts.join(" AND ");
  }

  private operated(column: Column, operator: string, operand: unknown): string | null {
    const name = `"${column.name}"`;
    if (operator === "equals")
      return operand === null ? `${name} IS NULL` : this.compared(column, "=", operand);
    if (operator !== "in") this.isByKeys = false;
    if (operator === "not")
      return operand === null ? `${name} IS NOT NULL` : this.compared(column, "<>", operand);
    const comparison = COMPARISONS[operator];
    if (comparison !== undefined) return this.compared(column, comparison, operand);
    if (operator === "in") return this.among(column, "= ANY", "IN", operand);
    if (operator === "notIn") return this.among(column, "<> ALL", "NOT IN", operand);
    if (operator === "hasBits" && column.type === "Int" && typeof operand === "number")
      return this.hasBits(name, operand);
    if (operator === "isEmpty" && typeof operand === "boolean")
      return `cardinality(${name}) ${operand ? "=" : ">"} 0`;
    return this.onText(column, operator, operand);
  }

  /**
   * No index knows bits, but that a mask with one of them is no less than the lowest: so it is found at once that no row has
   * flags which few use.
   */
  private hasBits(name: string, bits: number): string {
    const hasOne = `(${name} & $${this.values.push(bits)}) <> 0`;
    return `${hasOne} AND ${name} >= $${this.values.push(bits & -bits)}`;
  }

  private onText({ name, type }: Column, operator: string, operand: unknown): string | null {
    const ofKeys = type === "Json" ? KEY_PATTERNS[operator] : undefined;
    if (ofKeys !== undefined && Array.isArray(operand) && operand.every(isText))
      return this.filled(ofKeys, name, arrayLiteral(operand));
    if (type !== "String") return null;
    const { hidesTexts } = this.forms;
    if (operator === "foldedOverlaps" && Array.isArray(operand) && operand.every(isText))
      return this.filled(
        hidesTexts === true ? LIST_OVERLAPS : RARE_LIST_OVERLAPS,
        name,
        arrayLiteral(operand),
      );
    if (operator === "amongTexts" && Array.isArray(operand) && operand.every(isText))
      return this.filled(AMONG_TEXTS, name, arrayLiteral(operand));
    const pattern = PATTERNS[operator];
    if (pattern === undefined || !isText(operand)) return null;
    const isPart = hidesTexts === true && operator === "foldedStartsWith" && INDEXED_PART.test(operand);
    return this.filled(isPart ? PART_AT_START : pattern, name, operand);
  }

  /** Puts the column and the text into a pattern. */
  private filled(pattern: string, column: string, text: string): string {
    return pattern
      .replace(SOUGHT, (_, expression: string) =>
        this.soughtBy(expression.replace("$", () => `$${this.values.push(text)}`)),
      )
      .replaceAll("@", `"${column}"`);
  }

  private soughtBy(expression: string): string {
    if (this.forms.hidesTexts !== true) return expression;
    return `(SELECT "s${this.sought.push(expression) - 1}" FROM "sought")`;
  }

  private among(column: Column, list: string, rows: string, operand: unknown): string | null {
    const name = `"${column.name}"`;
    if (operand instanceof RowsOf) {
      this.isByKeys = false;
      const table = MODEL_TABLES.get(operand.model);
      const wanted = table?.columns.get(operand.field);
      const condition =
        table === undefined ? null : this.all(table, this.ofCompany(table, operand.where as Row));
      if (table === undefined || wanted === undefined || condition === null) return null;
      return `${name} ${rows} (SELECT "${wanted.name}" FROM "${table.name}" WHERE ${condition})`;
    }
    if (!Array.isArray(operand)) return null;
    const values = operand.map((item) => columnValue(column, item));
    return values.includes(undefined) ? null : `${name} ${list}($${this.values.push(arrayLiteral(values))})`;
  }

  /** Rows of other tables are those of the company whose rows are read, where no other is named. */
  private ofCompany(table: Table, where: Row): Row {
    if (COMPANY in where || this.companyId === null || !table.columns.has(COMPANY)) return where;
    return { [COMPANY]: this.companyId, ...where };
  }

  private compared(column: Column, comparison: string, operand: unknown): string | null {
    const value = columnValue(column, operand);
    if (value === undefined) return null;
    const key = KEY_TYPES[column.type];
    if (comparison === "=" && key !== undefined) this.keys.push(key);
    const { keepsCompanyFromGin, isKeptFromKey } = this.forms;
    const isKept = keepsCompanyFromGin === true && column.field === COMPANY;
    // Btree indexes compare columns with integers of other widths, GIN indexes do not; with a numeric neither does.
    const cast = isKept ? (isKeptFromKey === true ? "::numeric" : "::bigint") : "";
    const moved = isKeptFromKey === true && column.field === "id" ? " + 0" : "";
    return `"${column.name}"${moved} ${comparison} $${this.values.push(value)}${cast}`;
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string" && !value.includes("\0");
}

function isAmongExternalIds(
  condition: unknown,
): condition is { readonly amongExternalIds: readonly unknown[] } {
  return typeof condition === "object" && condition !== null && "amongExternalIds" in condition;
}
