import { MODEL_FACTS } from "../../generated/models.js";
import { snakeCaseOf } from "../names.js";
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
