import { Prisma } from "../../generated/prisma/client.js";

export type ModelName = Prisma.ModelName;

const GLOBAL_MODELS: ReadonlySet<string> = new Set([
  "Company",
  "AuditPurge",
  "RateLimit",
  "IdempotencyKey",
  "IdempotencyQuota",
] satisfies ModelName[]);

/** Whether the model's rows belong to one company; every model does that is not listed as global. */
export function isTenantModel(model: string): boolean {
  return !GLOBAL_MODELS.has(model);
}

/**
 * Models whose rows are private to a client, with the field that holds its id. A scope reaches those of its caller
 * alone, and none when the caller is no client.
 */
const PRIVATE_MODELS: ReadonlyMap<string, string> = new Map([["ClientAddress", "clientId"]] satisfies [
  ModelName,
  string,
][]);

/** The field that holds the client to whom the model's rows are private; `null` when they are not private. */
export function ownerField(model: string): string | null {
  return PRIVATE_MODELS.get(model) ?? null;
}

export const TENANT_MODELS: readonly ModelName[] = Object.values(Prisma.ModelName).filter(isTenantModel);

/** The name of a model's delegate on Prisma's client: `GoodProperty` → `goodProperty`. */
export function delegateName(model: string): string {
  return model.charAt(0).toLowerCase() + model.slice(1);
}

/** Tenant models by the names of their delegates. */
export const MODEL_OF_DELEGATE: ReadonlyMap<string | symbol, ModelName> = new Map(
  TENANT_MODELS.map((model) => [delegateName(model), model]),
);

/** Private models by the names of their delegates. */
export const PRIVATE_MODEL_OF_DELEGATE: ReadonlyMap<string | symbol, string> = new Map(
  [...PRIVATE_MODELS.keys()].map((model) => [delegateName(model), model]),
);

export function isModel(name: string): name is ModelName {
  return Object.hasOwn(Prisma.ModelName, name);
}

/** Whether rows of the model have this field. */
export function hasField(model: ModelName, field: string): boolean {
  return Object.hasOwn(Prisma[`${model}ScalarFieldEnum`], field);
}

/** Whether deleting a row of the model sets its `deletedAt`, so that it can be restored. */
export function isSoftDeleted(model: ModelName): boolean {
  return hasField(model, "deletedAt");
}
