import type { DataValidateFunction } from "ajv/dist/types/index.js";
import type { JsonSchema } from "./json-schema.js";

/** Why a key may not be there at all. */
export type ForbiddenRule = "immutable" | "forbidden" | "required";

const MESSAGES: Readonly<Record<ForbiddenRule, string>> = {
  immutable: "cannot be changed",
  forbidden: "is not allowed here",
  required: "is required",
};

/** A schema that no value meets, told under its own rule. */
export function forbidden(rule: ForbiddenRule): JsonSchema {
  return { forbidden: rule, not: {} };
}

/** The keyword `forbidden`. */
export function compileForbidden(rule: ForbiddenRule): DataValidateFunction {
  const validate: DataValidateFunction = () => {
    validate.errors = [{ keyword: rule, message: MESSAGES[rule], params: {} }];
    return false;
  };
  return validate;
}
