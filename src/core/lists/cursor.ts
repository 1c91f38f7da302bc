import { createHash } from "node:crypto";
import { DomainError } from "../errors/domain-error.js";
import { MAX_BIGINT, MAX_INT } from "../integers.js";
import { parseMoment } from "../time/moments.js";
import type { Where } from "./compile-filter.js";
import type { Filter, ListField } from "./list-definition.js";
import { RowsOf } from "./rows-of.js";

/**
 * Names which rows of a company a list has, for cursors: by the ids and words of its own conditions, which name its parent,
 * and by the caller's filter. Moments and lists of ids in its own conditions may change from page to page; they are left out.
 */
export function nameOfRows(conditions: Where, filter: Filter | null | undefined): string {
  const named = JSON.stringify([lasting(conditions), filter ?? {}], withoutNulls);
  return named === "[{},{}]" ? "" : createHash("sha256").update(named).digest("base64url").slice(0, 16);
}

function lasting(value: unknown): unknown {
  if (value instanceof RowsOf) return [value.model, value.field, lasting(value.where)];
  if (value instanceof Date) return undefined;
  if (Array.isArray(value)) return value.filter((item) => typeof item === "object").map(lasting);
  if (value === null) return "null";
  if (typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, lasting(item)]));
}

function withoutNulls(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : (value ?? undefined);
}

type Stored = string | number | boolean | null;

/**
 * The cursor of a row: its place in an order, opaque to callers.
 *
 * @param signature names the list and its order, see `nameOfRows`.
 * @param values the row's values in the fields of the order.
 */
export function encodeCursor(signature: string, values: readonly unknown[]): string {
  const stored = values.map((value): Stored => {
    if (value instanceof Date) return value.toISOString();
    if (typeof value === "bigint") return value.toString();
    return value as Stored;
  });
  return Buffer.from(JSON.stringify([signature, ...stored])).toString("base64url");
}

/**
 * The values that a cursor holds.
 *
 * @param argument names the argument with the cursor.
 * @throws DomainError BAD_REQUEST for a cursor of another list or order, and for text that is no cursor.
 */
export function decodeCursor(
  cursor: string,
  signature: string,
  fields: readonly ListField[],
  argument: "after" | "before" = "after",
): unknown[] {
  const values = valuesOf(cursor, signature, fields);
  if (values === null) throw wrongCursor(argument, CURSOR_ERROR.message);
  return values;
}

/** The values that a cursor holds; `null` for a cursor of another list or order, and for text that is no cursor. */
export function valuesOf(cursor: string, signature: string, fields: readonly ListField[]): unknown[] | null {
  const [signed, ...stored] = parse(cursor);
  const values = stored.map((value, index) => revive(value as Stored, fields[index]));
  const isOfIt = signed === signature && values.length === fields.length && !values.includes(undefined);
  return isOfIt ? values : null;
}

/** @param message says what the argument is not. */
export function wrongCursor(argument: "after" | "before", message: string): DomainError {
  return new DomainError("BAD_REQUEST", `${argument} ${message}.`, {
    errors: [{ field: argument, rule: CURSOR_ERROR.rule, message }],
  });
}

/** The error of a text that is no cursor of the list. */
export const CURSOR_ERROR = {
  rule: "cursor",
  message: "is no cursor of this list with this filter in this order",
} as const;

/** Returns whether a text is a cursor whose signature begins with the name of the list. */
export function isCursorOf(list: string, cursor: string): boolean {
  const [signed] = parse(cursor);
  return typeof signed === "string" && signed.split(",", 1)[0] === list;
}

function parse(cursor: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    return Array.isArray(parsed) ? (parsed as unknown[]) : [];
  } catch {
    return [];
  }
}

/** Accepts only values that a row can hold, since a cursor may come from anybody; `undefined` for any other. */
function revive(value: Stored, field: ListField | undefined): unknown {
  if (field === undefined) return undefined;
  const { kind, nullable } = field;
  if (value === null && nullable === true) return null;
  if (kind === "dateTime" && typeof value === "string") return parseMoment(value) ?? undefined;
  if (kind === "safeInt" && typeof value === "string" && isBigInt(value)) return BigInt(value);
  if (kind === "int" && Number.isInteger(value) && Math.abs(value as number) <= MAX_INT) return value;
  if ((kind === "text" || kind === "enum") && typeof value === "string" && !value.includes("\0"))
    return value;
  return kind === "boolean" && typeof value === "boolean" ? value : undefined;
}

function isBigInt(text: string): boolean {
  return /^-?\d{1,19}$/u.test(text) && BigInt(text) <= MAX_BIGINT && BigInt(text) >= -MAX_BIGINT;
}
