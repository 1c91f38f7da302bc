import { mkdtempSync, rmdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Returns whether files can be written to the directory, or to a new one at this path. Nothing of the attempt stays.
 *
 * A file is written to find out, since neither modes nor `access` show everything, such as that a file system is
 * the kernel's.
 *
 * @param path is absolute.
 */
export function canBeWritten(path: string): boolean {
  try {
    rmdirSync(mkdtempSync(join(nearestThere(path), ".writable-")));
    return true;
  } catch {
    return false;
  }
}

/** Returns the path itself, or the nearest folder above it that exists. */
function nearestThere(path: string): string {
  const isThere = statSync(path, { throwIfNoEntry: false }) !== undefined;
  return isThere || dirname(path) === path ? path : nearestThere(dirname(path));
}
