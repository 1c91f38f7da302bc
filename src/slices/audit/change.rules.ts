import { camelCaseOf } from "../../core/names.js";
import { shownPath } from "../../core/operations/audited-models.js";
import type { ModelName } from "../../core/scope/tenant-models.js";
import { TYPES } from "./change.model.js";

/** The fields of a changed row by which clients know what the journal has: columns, and the names of its parts. */
export function shownFields(type: string, names: readonly string[]): string[] {
  const model: ModelName | undefined = TYPES.get(type);
  const shown = names.flatMap((name) => {
    const path = model === undefined ? camelCaseOf(name) : shownPath(model, name);
    return path === null ? [] : path.split(".", 1);
  });
  return [...new Set(shown)].sort();
}
