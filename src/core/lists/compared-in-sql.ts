import { Prisma } from "../../generated/prisma/client.js";

/** A comparison of a filter, such as `{ gte: 5 }`. */
export type Comparison = Readonly<Record<string, unknown>>;

const OPERATORS: Readonly<Record<string, Prisma.Sql>> = {
  eq: Prisma.sql`=`,
  ne: Prisma.sql`IS DISTINCT FROM`,
  lt: Prisma.sql`<`,
  lte: Prisma.sql`<=`,
  gt: Prisma.sql`>`,
  gte: Prisma.sql`>=`,
};

/**
 * The conditions of a comparison for a statement written by hand. As in lists, `ne` and `nin` are met by null.
 *
 * @param type is the type of the column in SQL, such as `text`.
 */
export function comparedInSql(
  column: Prisma.Sql,
  type: "int" | "bigint" | "text",
  comparison: Comparison | null | undefined,
): Prisma.Sql[] {
  return Object.entries(comparison ?? {}).flatMap(([name, value]): Prisma.Sql[] => {
    if (value == null) return [];
    if (name === "isNull")
      return [value === true ? Prisma.sql`${column} IS NULL` : Prisma.sql`${column} IS NOT NULL`];
    const operator = OPERATORS[name];
    if (operator !== undefined) return [Prisma.sql`${column} ${operator} ${value}::${Prisma.raw(type)}`];
    const isAmong = Prisma.sql`${column} = ANY (${value}::${Prisma.raw(type)}[])`;
    return [name === "in" ? isAmong : Prisma.sql`(${isAmong}) IS NOT TRUE`];
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
