import type { FieldError } from "../../core/errors/domain-error.js";
import { describeSheet, formatOf } from "../../core/files/sheet-rule.js";
import { fileTooLarge } from "../../core/files/upload.js";
import type { UploadedSheet } from "../validation/validator.js";

/**
 * Checks an uploaded spreadsheet before it is stored; what is in it is read later.
 *
 * @throws DomainError PAYLOAD_TOO_LARGE.
 */
export function unfitSheet({ field, file, rule }: UploadedSheet): FieldError | null {
  if (file.bytes > rule.maxKiB * 1024) throw fileTooLarge(field, rule.maxKiB);
  if (formatOf(file.name, rule) === null)
    return { field, rule: "sheet", message: `must be a spreadsheet: ${describeSheet(rule)}` };
  return file.bytes === 0 ? { field, rule: "sheet", message: "must not be empty" } : null;
}
