import { mkdtempSync, rmdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Whether the directory is there or could be made, and takes files; nothing is left of the attempt.
 *
 * It is tried, since neither modes nor `access` tell of everything, such as a file system of the kernel's own.
 *
 * @param path absolute.
 */
export function canBeWritten(path: string): boolean {
  try {
    rmdirSync(mkdtempSync(join(nearestThere(path), ".writable-")));
    return true;
  } catch {
    return false;
  }
}

/** The path itself, or the one above it that is there. */
function nearestThere(path: string): string {
  const isThere = statSync(path, { throwIfNoEntry: false }) !== undefined;
  return isThere || dirname(path) === path ? path : nearestThere(dirname(path));
}
