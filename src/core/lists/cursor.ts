import { DomainError } from "../errors/domain-error.js";
import { MAX_BIGINT, MAX_INT } from "../integers.js";
import { parseMoment } from "../time/moments.js";
import type { ListField } from "./list-definition.js";

type Stored = string | number | boolean | null;

/**
 * The cursor of a row: its place in an order, opaque to callers.
 *
 * @param signature names the list and its order.
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
 * @throws DomainError BAD_REQUEST for a cursor of another list or order, and for text that is no cursor.
 */
export function decodeCursor(cursor: string, signature: string, fields: readonly ListField[]): unknown[] {
  const [signed, ...values] = parse(cursor);
  if (signed !== signature || values.length !== fields.length) return badCursor();
  return values.map((value, index) => revive(value as Stored, fields[index] as ListField));
}

function parse(cursor: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    return Array.isArray(parsed) ? (parsed as unknown[]) : [];
  } catch {
    return badCursor();
  }
}

/** Accepts only values that a row can hold, since a cursor may come from anybody. */
function revive(value: Stored, { kind, nullable }: ListField): unknown {
  if (value === null && nullable === true) return null;
  if (kind === "dateTime" && typeof value === "string") return parseMoment(value) ?? badCursor();
  if (kind === "safeInt" && typeof value === "string" && isBigInt(value)) return BigInt(value);
  if (kind === "int" && Number.isInteger(value) && Math.abs(value as number) <= MAX_INT) return value;
  if ((kind === "text" || kind === "enum") && typeof value === "string" && !value.includes("\0"))
    return value;
  if (kind === "boolean" && typeof value === "boolean") return value;
  return badCursor();
}

function isBigInt(text: string): boolean {
  return /^-?\d{1,19}$/u.test(text) && BigInt(text) <= MAX_BIGINT && BigInt(text) >= -MAX_BIGINT;
}

function badCursor(): never {
  throw new DomainError("BAD_REQUEST", "The cursor is not one of this list in this order.");
}
