import { snakeCaseOf } from "../../core/names.js";
import { FOLLOWED_MODELS } from "../../core/operations/audited-models.js";
import type { ModelName } from "../../core/scope/tenant-models.js";

const MODEL_OF_TYPE: ReadonlyMap<string, ModelName> = new Map(
  FOLLOWED_MODELS.flatMap((model) => [
    [model, model],
    [snakeCaseOf(model), model],
  ]),
);

/** The model of a type as callers write it, `Good` or `good`; `undefined` when the journal has no changes of it. */
export function modelOfType(type: string): ModelName | undefined {
  return MODEL_OF_TYPE.get(type);
}

/** The name of an event: `good.updated`. */
export function eventOf(type: string, action: string): string {
  return `${snakeCaseOf(type)}.${action}`;
}
