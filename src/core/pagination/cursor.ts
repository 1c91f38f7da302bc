import { DomainError } from "../errors/domain-error.js";
import type { FilterKind } from "../filters/filter-inputs.js";
import type { OrderTerm } from "./list-definition.js";

type Stored = string | number | boolean | null;

/** The place of a row in an order: the order itself and the row's values in it, opaque to callers. */
export function encodeCursor(order: readonly OrderTerm[], values: readonly unknown[]): string {
  const stored = values.map((value): Stored => {
    if (value instanceof Date) return value.toISOString();
    if (typeof value === "bigint") return value.toString();
    return value as Stored;
  });
  return Buffer.from(JSON.stringify([signature(order), ...stored])).toString("base64url");
}

/** @throws DomainError BAD_REQUEST for a cursor of another list or order, or none at all. */
export function decodeCursor(
  cursor: string,
  order: readonly OrderTerm[],
  kinds: readonly FilterKind[],
): unknown[] {
  const [signed, ...values] = parse(cursor);
  if (signed !== signature(order) || values.length !== order.length) throw badCursor();
  return values.map((value, index) => revive(value as Stored, kinds[index] as FilterKind));
}

function parse(cursor: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    return Array.isArray(parsed) ? (parsed as unknown[]) : [];
  } catch {
    throw badCursor();
  }
}

function revive(value: Stored, kind: FilterKind): unknown {
  if (value === null) return null;
  if (kind === "dateTime" && typeof value === "string" && !Number.isNaN(Date.parse(value)))
    return new Date(value);
  if (kind === "safeInt" && typeof value === "string" && /^-?\d{1,19}$/u.test(value)) return BigInt(value);
  if (kind === "int" && Number.isInteger(value)) return value;
  if (kind === "float" && (typeof value === "number" || typeof value === "string")) return value;
  if (kind === "text" && typeof value === "string") return value;
  if (kind === "boolean" && typeof value === "boolean") return value;
  throw badCursor();
}

function signature(order: readonly OrderTerm[]): string {
  return order.map(({ field, direction }) => (direction === "asc" ? field : `-${field}`)).join();
}

function badCursor(): DomainError {
  return new DomainError("BAD_REQUEST", "The cursor is not one of this list in this order.");
}
