import type { AnySchemaObject } from "ajv";
import type { DataValidateFunction } from "ajv/dist/types/index.js";

/**
 * The keyword `cut` of a list: one that is longer than its `maxItems` is told so and cut off there, so that a list of
 * any length costs no more than one that is allowed. What is cut is refused anyway.
 */
export function compileCut(_cut: true, { maxItems }: AnySchemaObject): DataValidateFunction {
  const validate: DataValidateFunction = (data: unknown) => {
    const list = data as unknown[];
    const most = maxItems as number;
    if (list.length <= most) return true;
    list.length = most;
    const message = `must have at most ${most} items`;
    validate.errors = [{ keyword: "maxItems", message, params: { limit: most } }];
    return false;
  };
  return validate;
}
