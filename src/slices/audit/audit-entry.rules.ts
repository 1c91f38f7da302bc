import { snakeCaseOf } from "../../core/names.js";
import { AUDITED_MODELS, targetTypeOf } from "../../core/operations/audited-models.js";
import type { ModelName } from "../../core/scope/tenant-models.js";
import { MODEL_FACTS } from "../../generated/models.js";
import { formatMoment } from "../../core/time/moments.js";
import type { AuditChange } from "./audit-entry.model.js";

/** A moment as the database writes it in JSON. */
const STORED_MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?[+-]\d\d:\d\d$/u;

/** Columns that clients know by another name than that of the column. */
const SHOWN_NAMES: Readonly<Record<string, string>> = { password_hash: "password", token_hash: "token" };
/** Columns by the names of their fields, where these differ. */
const STORED_NAMES: Readonly<Record<string, readonly string[]>> = {
  avatar_url: ["avatar_key"],
  password: ["password_hash"],
  token: ["token_hash"],
};
/** Columns of settings whose keys stand beside each other in answers. */
const SETTINGS_COLUMN = /^(?:data|secrets)\./u;
const BANK_SETTINGS = /^[a-z0-9]+_settings$/u;

const MODEL_OF_TARGET: ReadonlyMap<string, ModelName> = new Map(
  AUDITED_MODELS.map((model) => [targetTypeOf(model), model]),
);

/** The model of a kind of rows, such as `good_property`. */
export function modelOfTarget(targetType: string): ModelName | undefined {
  return MODEL_OF_TARGET.get(targetType);
}

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

/**
 * Returns the stored forms that a field may have, by the name under which it is shown: `priceE2` is `price_e2`,
 * `config.limit` stays as it is within its column. REST writes the names in snake_case, which means the same.
 */
export function storedFields(shown: string): string[] {
  const [first = "", ...within] = shown.split(".");
  const column = first.includes("_") ? first : snakeCaseOf(first);
  const setting = column === "bank_settings" && within.length > 0 ? within.join(".") : camelCase(shown);
  const columns = [column, ...(STORED_NAMES[column] ?? [])];
  return [
    ...columns.map((name) => [name, ...within].join(".")),
    ...["data", "secrets"].map((settings) => `${settings}.${setting}`),
  ];
}

/** Returns whether a column of an audited model holds an object, of which entries name the keys that changed. */
export function holdsObject(column: string): boolean {
  return OBJECTS.has(column);
}

const OBJECTS: ReadonlySet<string> = new Set(
  AUDITED_MODELS.flatMap((model) => MODEL_FACTS[model].json.map(snakeCaseOf)),
);

function camelCase(column: string): string {
  return column.replace(/_([a-z0-9])/gu, (_, letter: string) => letter.toUpperCase());
}

function shownValue(value: unknown): unknown {
  if (typeof value !== "string" || !STORED_MOMENT.test(value)) return value;
  return formatMoment(new Date(value));
}
