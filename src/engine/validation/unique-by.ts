import type { DataValidateFunction, DataValidationCxt } from "ajv/dist/types/index.js";

/**
 * Compiles the keyword `uniqueBy` of a list: no two objects of the list may have the same value under the key. Each
 * object that repeats an earlier value is reported at that key, with rule `unique`.
 */
export function compileUniqueBy(key: string): DataValidateFunction {
  const validate: DataValidateFunction = (data: unknown, context?: DataValidationCxt) => {
    const seen = new Set<unknown>();
    validate.errors = (data as readonly unknown[]).flatMap((item, index) => {
      const value = (item as Readonly<Record<string, unknown>> | null)?.[key];
      if (value == null || !seen.has(value)) {
        seen.add(value);
        return [];
      }
      const instancePath = `${context?.instancePath ?? ""}/${index}/${key}`;
      return [{ keyword: "unique", message: "is there twice", params: {}, instancePath }];
    });
    return validate.errors.length === 0;
  };
  return validate;
}
