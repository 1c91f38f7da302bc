import { randomBytes } from "node:crypto";
import type { PictureSize } from "../../core/files/files.js";
import type { Picture } from "../../core/files/upload.js";
import { SHEET_FORMATS, type SheetFormat } from "../../core/sheets/sheet.js";

const RANDOM_BYTES = 16;
const EXTENSIONS: Record<Picture["contentType"], string> = { "image/jpeg": "jpg", "image/png": "png" };
const PICTURE = /^[0-9a-f]{32}(?:-medium|-small)?\.(?<extension>jpg|png)$/u;
const SHEET = new RegExp(`^[0-9a-f]{32}\\.(?:${SHEET_FORMATS.join("|")})$`, "u");

/** A spreadsheet is saved and never shown: browsers would run what a page of another sender has in it. */
export const SHEET_TYPE = "application/octet-stream";

/** Makes the key of a new picture, which nobody can guess. */
export function newKey(contentType: Picture["contentType"]): string {
  return `${randomName()}.${EXTENSIONS[contentType]}`;
}

/** Makes the key of a new spreadsheet, which nobody can guess. */
export function newSheetKey(format: SheetFormat): string {
  return `${randomName()}.${format}`;
}

function randomName(): string {
  return randomBytes(RANDOM_BYTES).toString("hex");
}

/** The name of a picture's file in one of its sizes. */
export function nameOf(key: string, size: PictureSize): string {
  return size === "large" ? key : key.replace(".", `-${size}.`);
}

/** The name of the large file that is served while the job has not made the medium one; `null` for other names. */
export function standInFor(name: string): string | null {
  return name.includes("-medium.") ? name.replace("-medium.", ".") : null;
}

/** The names of all files under a key. */
export function namesOf(key: string): readonly string[] {
  return SHEET.test(key) ? [key] : (["large", "medium", "small"] as const).map((size) => nameOf(key, size));
}

/** The content type of a file by its name; `null` for a name that no file has. */
export function contentTypeOf(name: string): string | null {
  if (SHEET.test(name)) return SHEET_TYPE;
  const extension = PICTURE.exec(name)?.groups?.["extension"];
  if (extension === undefined) return null;
  return extension === "jpg" ? "image/jpeg" : "image/png";
}
