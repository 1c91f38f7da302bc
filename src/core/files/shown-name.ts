import { basename } from "node:path";

const MAX_NAME = 255;

/** The last part of a file's name, without characters that do not show. */
export function shownName(name: string): string {
  const base = basename(name.replaceAll("\\", "/"));
  return base
    .replace(/\p{Cc}/gu, "")
    .toWellFormed()
    .normalize("NFC")
    .slice(-MAX_NAME);
}
