import { formatMoment } from "../../core/time/moments.js";
import type { AuditChange } from "./audit-entry.model.js";

/** A moment as the database writes it in JSON. */
const STORED_MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?[+-]\d\d:\d\d$/u;

/** Columns that clients know by another name than that of the column. */
const SHOWN_NAMES: Readonly<Record<string, string>> = { password_hash: "password", token_hash: "token" };
/** Columns of settings whose keys stand beside each other in answers. */
const SETTINGS_COLUMN = /^(?:data|secrets)\./u;
const BANK_SETTINGS = /^[a-z0-9]+_settings$/u;

/**
 * Changes as they are shown: fields by their GraphQL names, moments in the form of all answers, files by their URLs.
 *
 * @param urlOf returns the URL of a stored file.
 */
export function shownChanges(
  stored: unknown,
  targetType: string,
  urlOf: (key: string) => string,
): AuditChange[] {
  return Object.entries(stored as Record<string, [unknown, unknown]>)
    .map(([path, [before, after]]) => {
      const field = shownField(path, targetType);
      const isFile = path === "avatar_key" || path === "data.defaultPromotedBanner";
      const shown = (value: unknown): unknown =>
        isFile && typeof value === "string" ? urlOf(value) : shownValue(value);
      return { field, before: shown(before), after: shown(after) };
    })
    .sort((one, other) => (one.field < other.field ? -1 : 1));
}

/** The key of a link by its GraphQL names. */
export function shownKey(stored: unknown): Record<string, unknown> | null {
  if (stored === null) return null;
  return Object.fromEntries(
    Object.entries(stored as Record<string, unknown>).map(([column, value]) => [camelCase(column), value]),
  );
}

/** `address_line_1` → `addressLine1`; keys within an object have their GraphQL names already. */
function shownField(path: string, targetType: string): string {
  if (targetType === "company_settings" && SETTINGS_COLUMN.test(path)) {
    const name = path.replace(SETTINGS_COLUMN, "");
    return BANK_SETTINGS.test(name) ? `bankSettings.${name}` : name;
  }
  if (path === "avatar_key") return "avatarUrl";
  const [column = "", ...within] = path.split(".");
  return [SHOWN_NAMES[column] ?? camelCase(column), ...within].join(".");
}

function camelCase(column: string): string {
  return column.replace(/_([a-z0-9])/gu, (_, letter: string) => letter.toUpperCase());
}

function shownValue(value: unknown): unknown {
  if (typeof value !== "string" || !STORED_MOMENT.test(value)) return value;
  return formatMoment(new Date(value));
}
