import type { DataValidateFunction } from "ajv/dist/types/index.js";
import type { JsonSchema } from "./json-schema.js";

/** The rule that an absent or present key breaks by itself, whatever its value. */
export type ForbiddenRule = "immutable" | "forbidden" | "required";

const MESSAGES: Readonly<Record<ForbiddenRule, string>> = {
  immutable: "cannot be changed",
  forbidden: "is not allowed here",
  required: "is required",
};

/** A schema that no value meets; the wrong field names `rule`. */
export function forbidden(rule: ForbiddenRule): JsonSchema {
  return { forbidden: rule, not: {} };
}

/** Compiles the keyword `forbidden`, which refuses every value. */
export function compileForbidden(rule: ForbiddenRule): DataValidateFunction {
  const validate: DataValidateFunction = () => {
    validate.errors = [{ keyword: rule, message: MESSAGES[rule], params: {} }];
    return false;
  };
  return validate;
}
