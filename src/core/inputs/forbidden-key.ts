import type { DataValidateFunction } from "ajv/dist/types/index.js";
import type { JsonSchema } from "./json-schema.js";

/** Why a key may not be there at all. */
export type RefusalRule = "immutable" | "forbidden" | "required";

const MESSAGES: Readonly<Record<RefusalRule, string>> = {
  immutable: "cannot be changed",
  forbidden: "is not allowed here",
  required: "is required",
};

/** A schema that no value meets, told under its own rule. */
export function refused(rule: RefusalRule): JsonSchema {
  return { refused: rule, not: {} };
}

/** The keyword `refused`. */
export function compileRefused(rule: RefusalRule): DataValidateFunction {
  const validate: DataValidateFunction = () => {
    validate.errors = [{ keyword: rule, message: MESSAGES[rule], params: {} }];
    return false;
  };
  return validate;
}
