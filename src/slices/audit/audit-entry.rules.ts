import { camelCaseOf, snakeCaseOf } from "../../core/names.js";
import { AUDITED_MODELS, shownPath, splitPath, targetTypeOf } from "../../core/operations/audited-models.js";
import type { ModelName } from "../../core/scope/tenant-models.js";
import { MODEL_FACTS } from "../../generated/models.js";
import { formatMoment } from "../../core/time/moments.js";
import type { AuditChange } from "./audit-entry.model.js";
import type { PartKind } from "./audit-entry.sql.js";

/** A moment as the database writes it in JSON. */
const STORED_MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?[+-]\d\d:\d\d$/u;

/** Settings of banks stand together, each under its bank. */
const BANK_SETTINGS = /^[a-z0-9]+_settings$/u;

const MODEL_OF_TARGET: ReadonlyMap<string, ModelName> = new Map(
  AUDITED_MODELS.map((model) => [targetTypeOf(model), model]),
);

/** The model of a kind of rows, such as `good_property`. */
export function modelOfTarget(targetType: string): ModelName | undefined {
  return MODEL_OF_TARGET.get(targetType);
}

/** The kinds of rows that are parts of those of a model. */
export function partsOf(model: ModelName): PartKind[] {
  return AUDITED_MODELS.flatMap((part) =>
    MODEL_FACTS[part].wholes
      .filter((whole) => whole.model === model)
      .map(({ column }) => ({ targetType: targetTypeOf(part), column })),
  );
}

/** The columns by the names that clients know them by, where these differ: `label_url`, `currency.iso`, and `currency` for all of it. */
const STORED_NAMES = storedNames();

function storedNames(): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map<string, Set<string>>();
  for (const model of AUDITED_MODELS)
    for (const [column, shown] of Object.entries(MODEL_FACTS[model].audit?.shows ?? {})) {
      const [first, key] = splitPath(shown);
      const whole = snakeCaseOf(first);
      for (const name of key === null ? [whole] : [whole, `${whole}.${key}`])
        names.set(name, (names.get(name) ?? new Set()).add(column));
    }
  return names;
}

/**
 * Changes as they are shown: fields by their GraphQL names, moments in the form of all answers, files by their URLs. What no client
 * knows is left out.
 *
 * @param urlOf returns the URL of a stored file.
 */
export function shownChanges(
  stored: unknown,
  targetType: string,
  urlOf: (key: string) => string,
): AuditChange[] {
  const model = modelOfTarget(targetType);
  return Object.entries(stored as Record<string, [unknown, unknown]>)
    .flatMap(([path, [before, after]]) => {
      const field = shownField(path, targetType, model);
      if (field === null) return [];
      const shown = (value: unknown): unknown => {
        if (typeof value !== "string") return value;
        if (namesFile(path, model)) return urlOf(value);
        return STORED_MOMENT.test(value) && isMoment(path, model) ? formatMoment(new Date(value)) : value;
      };
      return [{ field, before: shown(before), after: shown(after) }];
    })
    .sort((one, other) => (one.field < other.field ? -1 : 1));
}

/** Whether a column, or a key within one, holds the key of a stored file, which is shown by its URL. */
function namesFile(path: string, model: ModelName | undefined): boolean {
  if (path === "data.defaultPromotedBanner") return true;
  if (model === undefined) return false;
  const { relations, audit } = MODEL_FACTS[model];
  const isFile = relations.some(
    (relation) => relation.model === "StoredFile" && relation.columns.includes(path),
  );
  return isFile && audit?.hides.includes(path) !== true;
}

/** Whether a column holds moments: a text of another column may look like one. */
function isMoment(path: string, model: ModelName | undefined): boolean {
  if (model === undefined) return false;
  return MODEL_FACTS[model].columns.some(([column, type]) => column === path && type === "DateTime");
}

/** The key of a link by its GraphQL names. */
export function shownKey(stored: unknown): Record<string, unknown> | null {
  if (stored === null) return null;
  return Object.fromEntries(
    Object.entries(stored as Record<string, unknown>).map(([column, value]) => [camelCaseOf(column), value]),
  );
}

function shownField(path: string, targetType: string, model: ModelName | undefined): string | null {
  const name = model === undefined ? camelCaseOf(path) : shownPath(model, path);
  return targetType === "company_settings" && name !== null && BANK_SETTINGS.test(name)
    ? `bankSettings.${name}`
    : name;
}

/**
 * Returns the stored forms that a field may have, by the name under which it is shown: `priceE2` is `price_e2`,
 * `config.limit` stays as it is within its column. REST writes the names in snake_case, which means the same.
 */
export function storedFields(shown: string): string[] {
  const [first = "", ...within] = shown.split(".");
  const column = first.includes("_") ? first : snakeCaseOf(first);
  const name = [column, ...within].join(".");
  const setting = column === "bank_settings" && within.length > 0 ? within.join(".") : camelCaseOf(shown);
  return [
    name,
    ...(STORED_NAMES.get(name) ?? []),
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
