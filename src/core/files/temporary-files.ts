import { mkdir, mkdtemp, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const FOLDER = "folder-";
/** A folder that nobody has touched for so long is left by a process that was killed. */
const FOLDER_LIFETIME_MS = 900_000;
const TOUCH_MS = 60_000;

/** The directory for temporary files, which all processes of one user share. */
export function temporaryDirectory(parent = tmpdir()): string {
  return join(parent, `commerce-gateway-${process.getuid?.() ?? "uploads"}`);
}

/** Makes the directory for temporary files, if it is not there. */
export async function makeTemporaryDirectory(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
}

/** Gives `work` a folder of its own, which is there as long as that takes. */
export async function withFolder<T>(work: (folder: string) => Promise<T>, parent?: string): Promise<T> {
  const directory = temporaryDirectory(parent);
  await makeTemporaryDirectory(directory);
  const folder = await mkdtemp(join(directory, FOLDER));
  const touch = (): void => void utimes(folder, new Date(), new Date()).catch(() => undefined);
  const timer = setInterval(touch, TOUCH_MS).unref();
  try {
    return await work(folder);
  } finally {
    clearInterval(timer);
    await rm(folder, { recursive: true, force: true });
  }
}

/** For how long something of this name in the directory is in use after it was touched. @param fileMs what goes for files. */
export function lifetimeOf(name: string, fileMs: number): number {
  return name.startsWith(FOLDER) ? FOLDER_LIFETIME_MS : fileMs;
}
