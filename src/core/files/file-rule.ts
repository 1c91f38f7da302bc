import type { JsonSchema } from "../inputs/json-schema.js";
import type { PictureRule } from "./picture-rule.js";
import type { SheetRule } from "./sheet-rule.js";

/** What an uploaded file has to be, whatever its kind. */
export type FileRule = PictureRule | SheetRule;

/** The rule in the schema of a field; `undefined` when the field takes no file. */
export function fileRuleOf(schema: JsonSchema | undefined): FileRule | undefined {
  const { picture, sheet } = (schema ?? {}) as { picture?: PictureRule; sheet?: SheetRule };
  return picture ?? sheet;
}
