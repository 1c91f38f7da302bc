import { MODEL_FACTS } from "../../generated/models.js";
import { camelCaseOf, snakeCaseOf } from "../names.js";
import { hasField, MODELS, ownerField, type ModelName } from "../scope/tenant-models.js";

/**
 * Models whose rows are written to the audit trail when an audited mutation changes them: those with the mark `@audited` in
 * `prisma/schema`. The others are records themselves, or bookkeeping that no mutation is about.
 */
export const AUDITED_MODELS: readonly ModelName[] = MODELS.filter(
  (model) => MODEL_FACTS[model].audit !== null,
);

/** Models whose changes the journal has: those of audited rows with an id and a version, but for what is a client's own. */
export const FOLLOWED_MODELS: readonly ModelName[] = AUDITED_MODELS.filter(
  (model) =>
    hasField(model, "version") && MODEL_FACTS[model].key.includes("id") && ownerField(model) === null,
);

/** The name of a model in the audit trail: `GoodProperty` → `good_property`. */
export function targetTypeOf(model: ModelName): string {
  return snakeCaseOf(model);
}

/**
 * The name by which clients know a column of an audited model, or a key within one: `price_e2` → `priceE2`, `config.limit` as it is;
 * `null` for a column that no client knows.
 */
export function shownPath(model: ModelName, path: string): string | null {
  const { omits = [], shows = {} } = MODEL_FACTS[model].audit ?? {};
  const [column, key] = splitPath(path);
  if (omits.includes(column)) return null;
  return [shows[column] ?? camelCaseOf(column), key].filter((name) => name !== null && name !== "").join(".");
}

/** The column of a path, and the key within it: `config.limit`; `null` for the column itself. */
export function splitPath(path: string): readonly [column: string, key: string | null] {
  const dot = path.indexOf(".");
  return dot === -1 ? [path, null] : [path.slice(0, dot), path.slice(dot + 1)];
}
