import { Prisma } from "../../generated/prisma/client.js";
import { arrayLiteral, bytesText, columnValue } from "../reads/column-values.js";
import { compileCondition, selection, type CompiledRead } from "../reads/compile-read.js";
import type { Column, Table } from "../reads/model-tables.js";

type Data = Readonly<Record<string, unknown>>;

/** The field that Prisma sets at each change. */
const UPDATED_AT = "updatedAt";
/** A statement with more values is for Prisma, which takes several of them. */
const MOST_VALUES = 5_000;

/**
 * Compiles the arguments of Prisma's `create`: a new row by its own columns alone. Columns that are not named get the
 * defaults of the database.
 *
 * @returns `null` for what is not simple, such as rows of other tables besides; Prisma's engine does that.
 */
export function compileCreate(table: Table, args: Data): CompiledRead | null {
  const { data, select, ...others } = args;
  const columns = hasKeys(others) ? null : selection(table, select);
  const rows = columns === null ? null : insertion(table, [data]);
  return columns === null || rows === null
    ? null
    : { text: `${rows.text} RETURNING ${columns}`, values: rows.values };
}

/** Compiles the arguments of Prisma's `createMany`; see `compileCreate`. */
export function compileCreateMany(table: Table, args: Data): CompiledRead | null {
  const { data, skipDuplicates, ...others } = args;
  const rows = hasKeys(others) || !Array.isArray(data) || data.length === 0 ? null : insertion(table, data);
  if (rows === null || rows.values.length > MOST_VALUES) return null;
  return {
    text: skipDuplicates === true ? `${rows.text} ON CONFLICT DO NOTHING` : rows.text,
    values: rows.values,
  };
}

function insertion(table: Table, rows: readonly unknown[]): CompiledRead | null {
  const fields = new Set<string>();
  for (const row of rows)
    for (const field in row as Data) if ((row as Data)[field] !== undefined) fields.add(field);
  const columns = [...fields].map((field) => table.columns.get(field));
  if (columns.length === 0 || columns.includes(undefined)) return null;
  const values: unknown[] = [];
  const lists: string[] = [];
  for (const row of rows) {
    const list: string[] = [];
    for (const column of columns as Column[]) {
      const given = (row as Data)[column.field];
      const value = given === undefined ? undefined : storedValue(column, given);
      if (given !== undefined && value === undefined) return null;
      list.push(given === undefined ? "DEFAULT" : `$${values.push(value)}`);
    }
    lists.push(`(${list.join(", ")})`);
  }
  const names = (columns as Column[]).map(({ name }) => `"${name}"`);
  return { text: `INSERT INTO "${table.name}" (${names.join(", ")}) VALUES ${lists.join(", ")}`, values };
}

/**
 * Compiles the arguments of Prisma's `update`, `updateMany` and `updateManyAndReturn`: changes of columns by conditions on
 * columns.
 *
 * @param returns whether the rows are answered as they are then.
 * @returns `null` for what is not simple.
 */
export function compileUpdate(
  table: Table,
  args: Data,
  { returns, at }: { returns: boolean; at: Date },
): CompiledRead | null {
  const { where, data, select, ...others } = args;
  const columns = selection(table, select);
  const condition = compileCondition(table, flat(table, where));
  if (hasKeys(others) || columns === null || condition === null) return null;
  const values = [...condition.values];
  const changes: string[] = [];
  for (const field in data as Data) {
    const given = (data as Data)[field];
    if (given === undefined) continue;
    const column = table.columns.get(field);
    const change = column === undefined ? null : changeOf(column, given, values);
    if (change === null) return null;
    changes.push(change);
  }
  // A change of nothing has a meaning of Prisma's own.
  if (changes.length === 0) return null;
  const moment = table.columns.get(UPDATED_AT);
  if (moment !== undefined && (data as Data)[UPDATED_AT] === undefined)
    changes.push(`"${moment.name}" = $${values.push(at.toISOString())}`);
  const text = `UPDATE "${table.name}" SET ${changes.join(", ")} WHERE ${condition.text}`;
  return { text: returns ? `${text} RETURNING ${columns}` : text, values };
}

/** The steps by which a number may change. */
const STEPS: Readonly<Record<string, string>> = { increment: "+", decrement: "-" };

function changeOf(column: Column, given: unknown, values: unknown[]): string | null {
  const name = `"${column.name}"`;
  const value = storedValue(column, given);
  if (value !== undefined) return `${name} = $${values.push(value)}`;
  if (typeof given !== "object" || given === null) return null;
  const [[step, by], another] = Object.entries(given) as [[string, unknown], unknown];
  const operator = STEPS[step];
  const amount = columnValue(column, by);
  if (another !== undefined || operator === undefined || amount === undefined) return null;
  return `${name} = ${name} ${operator} $${values.push(amount)}`;
}

/**
 * Compiles the arguments of Prisma's `delete` and `deleteMany`.
 *
 * @param returns whether the rows are answered as they were.
 * @returns `null` for what is not simple.
 */
export function compileDelete(
  table: Table,
  args: Data,
  { returns }: { returns: boolean },
): CompiledRead | null {
  const { where, select, ...others } = args;
  const columns = selection(table, select);
  const condition = compileCondition(table, flat(table, where));
  if (hasKeys(others) || columns === null || condition === null) return null;
  const text = `DELETE FROM "${table.name}" WHERE ${condition.text}`;
  return { text: returns ? `${text} RETURNING ${columns}` : text, values: condition.values };
}

/** Returns conditions in which a key of several columns, such as `companyId_id`, stands as its columns. */
export function flat(table: Table, where: unknown): Data {
  const conditions: Record<string, unknown> = {};
  for (const [key, condition] of Object.entries((where ?? {}) as Data)) {
    const isKey = !table.columns.has(key) && key.includes("_") && typeof condition === "object";
    if (isKey) Object.assign(conditions, condition);
    else conditions[key] = condition;
  }
  return conditions;
}

function hasKeys(args: Data): boolean {
  return Object.values(args).some((value) => value !== undefined);
}

/**
 * Converts a value of a column to what is bound.
 *
 * @returns `undefined` for what does not plainly fit: Prisma reports such a value in its own words.
 */
function storedValue(column: Column, value: unknown): unknown {
  if (column.type === "Json") return jsonText(value);
  if (value === null) return null;
  if (Array.isArray(value)) {
    const items = value.map((item) => columnValue(column, item));
    return items.includes(undefined) ? undefined : arrayLiteral(items);
  }
  if (column.type === "Decimal") return decimalText(value);
  if (column.type === "Bytes") return value instanceof Uint8Array ? bytesText(value) : undefined;
  return columnValue(column, value);
}

function jsonText(value: unknown): string | null | undefined {
  if (value === null || value === Prisma.DbNull) return null;
  if (value === Prisma.JsonNull) return "null";
  if (value instanceof Prisma.NullTypes.AnyNull) return undefined;
  const text = JSON.stringify(value) as string | undefined;
  return text?.includes("\\u0000") === true ? undefined : text;
}

const DECIMAL_TEXT = /^-?\d+(?:\.\d+)?$/u;

function decimalText(value: unknown): string | undefined {
  if (Prisma.Decimal.isDecimal(value)) return value.toFixed();
  if (typeof value === "string") return DECIMAL_TEXT.test(value) ? value : undefined;
  return typeof value === "number" && Number.isFinite(value) ? String(value) : undefined;
}
