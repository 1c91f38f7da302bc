import { MODEL_FACTS } from "../../generated/models.js";
import { snakeCaseOf } from "../names.js";
import { MODELS, type ModelName } from "../scope/tenant-models.js";

/**
 * Models whose rows are written to the audit trail when an audited mutation changes them: those with the mark `@audited` in
 * `prisma/schema`. The others are records themselves, or bookkeeping that no mutation is about.
 */
export const AUDITED_MODELS: readonly ModelName[] = MODELS.filter(
  (model) => MODEL_FACTS[model].audit !== null,
);

/** The name of a model in the audit trail: `GoodProperty` → `good_property`. */
export function targetTypeOf(model: ModelName): string {
  return snakeCaseOf(model);
}
