import type { AnySchemaObject } from "ajv";
import type { DataValidateFunction } from "ajv/dist/types/index.js";

/**
 * Compiles the keyword `cut` of a list. A list that is longer than its `maxItems` is reported and cut off there, so
 * that a list of any length costs no more than an allowed one. The items that are cut off are refused anyway.
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
