import { InputField, type FieldOptions } from "../inputs/input-fields.js";
import { describeSheet, type SheetRule } from "./sheet-rule.js";
import { Upload } from "./upload.js";

/**
 * An uploaded spreadsheet. A file that is empty or whose name has another ending is refused with rule `sheet`, one of too
 * many bytes with 413; what is in it is found out when it is read. It is stored before the service is called, which
 * writes its `key` to the owner's column.
 */
export function SheetField({ sheet, ...options }: FieldOptions & { sheet: SheetRule }): PropertyDecorator {
  const description = `${options.description} (${describeSheet(sheet)})`;
  return InputField(() => Upload, { ...options, description }, { sheet });
}
