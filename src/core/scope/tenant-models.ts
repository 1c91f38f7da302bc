import { MODEL_FACTS, type ModelName } from "../../generated/models.js";

export type { ModelName };

/** All models. */
export const MODELS = Object.keys(MODEL_FACTS) as readonly ModelName[];

/** Whether the model's rows belong to one company each. */
export function isTenantModel(model: string): boolean {
  return MODEL_FACTS[model as ModelName].isTenant;
}

/**
 * The field that holds the owner to whom the model's rows are private (`@private`); `null` when they are not private. A scope
 * reaches those of its caller alone, and none when the caller owns none.
 */
export function ownerField(model: string): string | null {
  return MODEL_FACTS[model as ModelName].owner?.field ?? null;
}

export const TENANT_MODELS: readonly ModelName[] = MODELS.filter(isTenantModel);

/** The name of a model's delegate on Prisma's client: `GoodProperty` → `goodProperty`. */
export function delegateName<Name extends string>(model: Name): Uncapitalize<Name> {
  return (model.charAt(0).toLowerCase() + model.slice(1)) as Uncapitalize<Name>;
}

export function isModel(name: string): name is ModelName {
  return Object.hasOwn(MODEL_FACTS, name);
}

/** Whether rows of the model have this field. */
export function hasField(model: ModelName, field: string): boolean {
  return MODEL_FACTS[model].fields.includes(field);
}

/** Whether deleting a row of the model sets its `deletedAt`, so that it can be restored. */
export function isSoftDeleted(model: ModelName): boolean {
  return MODEL_FACTS[model].isSoftDeleted;
}
