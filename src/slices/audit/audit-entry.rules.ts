import { formatMoment } from "../../core/time/moments.js";
import type { AuditChange } from "./audit-entry.model.js";

/** A moment as the database writes it in JSON. */
const STORED_MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?[+-]\d\d:\d\d$/u;

/** Changes as they are shown: fields by their GraphQL names, moments in the form of all answers. */
export function shownChanges(stored: unknown): AuditChange[] {
  return Object.entries(stored as Record<string, [unknown, unknown]>)
    .map(([column, [before, after]]) => ({
      field: fieldOf(column),
      before: shownValue(before),
      after: shownValue(after),
    }))
    .sort((one, other) => (one.field < other.field ? -1 : 1));
}

/** The key of a link by its GraphQL names. */
export function shownKey(stored: unknown): Record<string, unknown> | null {
  if (stored === null) return null;
  return Object.fromEntries(
    Object.entries(stored as Record<string, unknown>).map(([column, value]) => [fieldOf(column), value]),
  );
}

/** `address_line_1` → `addressLine1`; keys within an object have their GraphQL names already. */
function fieldOf(path: string): string {
  const [column = "", ...within] = path.split(".");
  return [column.replace(/_([a-z0-9])/gu, (_, letter: string) => letter.toUpperCase()), ...within].join(".");
}

function shownValue(value: unknown): unknown {
  if (typeof value !== "string" || !STORED_MOMENT.test(value)) return value;
  return formatMoment(new Date(value));
}
