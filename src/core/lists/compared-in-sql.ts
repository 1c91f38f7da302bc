import { type Sql, sql } from "../db/sql.js";

/** A comparison of a filter, such as `{ gte: 5 }`. */
export type Comparison = Readonly<Record<string, unknown>>;

const OPERATORS: Readonly<Record<string, Sql>> = {
  eq: sql`=`,
  ne: sql`IS DISTINCT FROM`,
  lt: sql`<`,
  lte: sql`<=`,
  gt: sql`>`,
  gte: sql`>=`,
};

/**
 * The conditions of a comparison for a statement written by hand. As in lists, `ne` and `nin` are met by null.
 *
 * @param type is the type of the column in SQL, such as `text`.
 */
export function comparedInSql(
  column: Sql,
  type: "int" | "bigint" | "text",
  comparison: Comparison | null | undefined,
): Sql[] {
  return Object.entries(comparison ?? {}).flatMap(([name, value]): Sql[] => {
    if (value == null) return [];
    if (name === "isNull") return [value === true ? sql`${column} IS NULL` : sql`${column} IS NOT NULL`];
    const operator = OPERATORS[name];
    if (operator !== undefined) return [sql`${column} ${operator} ${value}::${sql.raw(type)}`];
    const isAmong = sql`${column} = ANY (${value}::${sql.raw(type)}[])`;
    return [name === "in" ? isAmong : sql`(${isAmong}) IS NOT TRUE`];
  });
}

/** A comparison of words that are stored in capitals, such as currencies. */
export function inCapitals(comparison: Comparison | null | undefined): Comparison {
  const folded = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(folded) : typeof value === "string" ? value.toUpperCase() : value;
  return Object.fromEntries(
    Object.entries(comparison ?? {}).map(([operator, value]) => [operator, folded(value)]),
  );
}
