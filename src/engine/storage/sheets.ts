import type { FieldError } from "../../core/errors/domain-error.js";
import type { Files } from "../../core/files/files.js";
import { describeSheet, formatOf } from "../../core/files/sheet-rule.js";
import { fileTooLarge } from "../../core/files/upload.js";
import type { SheetFormat } from "../../core/sheets/sheet.js";
import type { UploadedSheet } from "../validation/validator.js";

/**
 * Checks uploaded spreadsheets before they are stored; what is in them is read later.
 *
 * @returns the wrong fields.
 * @throws DomainError PAYLOAD_TOO_LARGE.
 */
export function unfitSheets(sheets: readonly UploadedSheet[]): FieldError[] {
  return sheets.map(unfitSheet).filter((error) => error !== null);
}

/** Stores spreadsheets that are fit, and notes their keys. */
export async function storeSheets(
  sheets: readonly UploadedSheet[],
  companyId: number,
  files: Files,
): Promise<void> {
  for (const { file, rule } of sheets)
    file.key = await files.storeSheet(companyId, file, formatOf(file.name, rule) as SheetFormat);
}

function unfitSheet({ field, file, rule }: UploadedSheet): FieldError | null {
  if (file.bytes > rule.maxKiB * 1024) throw fileTooLarge(field, rule.maxKiB);
  if (formatOf(file.name, rule) === null)
    return { field, rule: "sheet", message: `must be a spreadsheet: ${describeSheet(rule)}` };
  return file.bytes === 0 ? { field, rule: "sheet", message: "must not be empty" } : null;
}
