import { arrayLiteral, columnValue } from "./column-values.js";
import type { Column, Table } from "./model-tables.js";

/** The arguments of Prisma's `findMany`. */
export type ReadQuery = Readonly<Record<string, unknown>>;

export interface CompiledRead {
  readonly text: string;
  readonly values: readonly unknown[];
}

const CLAUSES: ReadonlySet<string> = new Set(["where", "orderBy", "take", "skip", "select"]);

const COMPARISONS: Readonly<Record<string, string>> = { lt: "<", lte: "<=", gt: ">", gte: ">=" };

/**
 * Compiles a simple read, which asks for rows of one table by conditions on its columns. Values are always bound.
 * The text holds names of the schema only, and the number of `LIMIT`: PostgreSQL plans a statement anew at each run
 * when it does not know how few rows are wanted.
 *
 * @returns `null` for a query that is not simple, such as one with relations or patterns; Prisma runs such a query.
 */
export function compileRead(table: Table, query: ReadQuery): CompiledRead | null {
  for (const key in query) if (query[key] !== undefined && !CLAUSES.has(key)) return null;
  const { where, orderBy, take, skip, select } = query;
  const values: unknown[] = [];
  const columns = selection(table, select);
  const condition = all(table, where ?? {}, values);
  const order = ordering(table, orderBy);
  if (columns === null || condition === null || order === null) return null;
  if (!isCount(take) || !isCount(skip)) return null;
  let text = `SELECT ${columns} FROM "${table.name}"`;
  if (condition !== "") text += ` WHERE ${condition}`;
  if (order !== "") text += ` ORDER BY ${order}`;
  if (take !== undefined) text += ` LIMIT ${take}`;
  if (skip !== undefined && skip > 0) text += ` OFFSET $${values.push(skip)}`;
  return { text, values };
}

function isCount(value: unknown): value is number | undefined {
  return value === undefined || (Number.isSafeInteger(value) && (value as number) >= 0);
}

const everyColumn = new WeakMap<Table, string>();

function selection(table: Table, select: unknown): string | null {
  if (select === undefined || select === null) {
    let list = everyColumn.get(table);
    if (list === undefined)
      everyColumn.set(table, (list = [...table.columns.values()].map(selected).join(", ")));
    return list;
  }
  const list: string[] = [];
  for (const field in select) {
    const wanted = (select as Record<string, unknown>)[field];
    if (wanted === undefined || wanted === false) continue;
    const column = table.columns.get(field);
    if (column === undefined || wanted !== true) return null;
    list.push(selected(column));
  }
  return list.length === 0 ? null : list.join(", ");
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

/** Joins all conditions of an object, `""` for none, `null` when one of them is not simple. */
function all(table: Table, where: unknown, values: unknown[]): string | null {
  if (typeof where !== "object" || where === null) return null;
  const parts: string[] = [];
  for (const key in where) {
    const condition = (where as Record<string, unknown>)[key];
    if (condition === undefined) continue;
    const part =
      key === "AND"
        ? joined(table, condition, "AND", values)
        : key === "OR"
          ? joined(table, condition, "OR", values)
          : onColumn(table.columns.get(key), condition, values);
    if (part === null) return null;
    if (part !== "") parts.push(part);
  }
  return parts.join(" AND ");
}

function joined(table: Table, conditions: unknown, by: "AND" | "OR", values: unknown[]): string | null {
  const parts: string[] = [];
  for (const condition of [conditions].flat()) {
    const part = all(table, condition, values);
    // An alternative without conditions has a meaning of Prisma's own, so Prisma runs that query.
    if (part === null || (part === "" && by === "OR")) return null;
    if (part !== "") parts.push(part);
  }
  if (parts.length === 0) return by === "AND" ? "" : null;
  return parts.length === 1 ? (parts[0] as string) : `(${parts.map((part) => `(${part})`).join(` ${by} `)})`;
}

function onColumn(column: Column | undefined, condition: unknown, values: unknown[]): string | null {
  if (column === undefined) return null;
  const name = `"${column.name}"`;
  if (condition === null) return `${name} IS NULL`;
  if (typeof condition !== "object" || condition instanceof Date)
    return compared(column, "=", condition, values);
  const parts: string[] = [];
  for (const operator in condition) {
    const operand = (condition as Record<string, unknown>)[operator];
    if (operand === undefined) continue;
    const part = operated(column, operator, operand, values);
    if (part === null) return null;
    parts.push(part);
  }
  return parts.join(" AND ");
}

function operated(column: Column, operator: string, operand: unknown, values: unknown[]): string | null {
  const name = `"${column.name}"`;
  if (operator === "equals")
    return operand === null ? `${name} IS NULL` : compared(column, "=", operand, values);
  if (operator === "not")
    return operand === null ? `${name} IS NOT NULL` : compared(column, "<>", operand, values);
  const comparison = COMPARISONS[operator];
  if (comparison !== undefined) return compared(column, comparison, operand, values);
  if (operator !== "in" || !Array.isArray(operand)) return null;
  const list = operand.map((item) => columnValue(column, item));
  if (list.includes(undefined)) return null;
  return `${name} = ANY($${values.push(arrayLiteral(list))})`;
}

function compared(column: Column, comparison: string, operand: unknown, values: unknown[]): string | null {
  const value = columnValue(column, operand);
  return value === undefined ? null : `"${column.name}" ${comparison} $${values.push(value)}`;
}
