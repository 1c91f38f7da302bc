import { randomBytes } from "node:crypto";
import type { PictureSize } from "../../core/files/files.js";
import type { Picture } from "../../core/files/upload.js";

const RANDOM_BYTES = 16;
const EXTENSIONS: Record<Picture["contentType"], string> = { "image/jpeg": "jpg", "image/png": "png" };
const NAME = /^[0-9a-f]{32}(?:-medium|-small)?\.(?<extension>jpg|png)$/u;

/** Makes the key of a new picture, which nobody can guess. */
export function newKey(contentType: Picture["contentType"]): string {
  return `${randomBytes(RANDOM_BYTES).toString("hex")}.${EXTENSIONS[contentType]}`;
}

/** The name of a picture's file in one of its sizes. */
export function nameOf(key: string, size: PictureSize): string {
  return size === "large" ? key : key.replace(".", `-${size}.`);
}

/** The name of the large file that is served while the job has not made the medium one; `null` for other names. */
export function standInFor(name: string): string | null {
  return name.includes("-medium.") ? name.replace("-medium.", ".") : null;
}

/** The content type of a file by its name; `null` for a name that no file has. */
export function contentTypeOf(name: string): string | null {
  const extension = NAME.exec(name)?.groups?.["extension"];
  if (extension === undefined) return null;
  return extension === "jpg" ? "image/jpeg" : "image/png";
}
