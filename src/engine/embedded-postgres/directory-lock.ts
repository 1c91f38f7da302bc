import { link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { EmbeddedPostgresError } from "./embedded-error.js";
import { startOfProcess } from "./process-identity.js";

interface Owner {
  pid: number;
  start: string | null;
}

/** A file that names the one process that uses a directory. */
export interface DirectoryLock {
  release(): Promise<void>;
}

/**
 * Locks the directory for this process. A lock that a dead process left behind is taken over.
 *
 * @throws EmbeddedPostgresError while the owner of the lock runs.
 */
export async function lockDirectory(path: string): Promise<DirectoryLock> {
  await mkdir(dirname(path), { recursive: true });
  const own = JSON.stringify({ pid: process.pid, start: await startOfProcess(process.pid) } satisfies Owner);
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, own, { mode: 0o644 });
  try {
    for (let attempt = 0; attempt < 5; attempt++) {
      if (await take(draft, path)) return { release: () => rm(path, { force: true }) };
      const owner = await readOwner(path);
      if (owner !== null && (await isRunning(owner))) break;
      await rename(path, `${path}.stale`).catch(ignoreMissing);
    }
  } finally {
    await rm(draft, { force: true });
  }
  const owner = await readOwner(path);
  throw new EmbeddedPostgresError(
    `${dirname(dirname(path))} is in use by another process${owner ? ` (${owner.pid})` : ""}: stop that one first, or set another DATA_DIR.`,
  );
}

/** Returns whether a living process has locked the directory. */
export async function isLocked(path: string): Promise<boolean> {
  const owner = await readOwner(path);
  return owner !== null && isRunning(owner);
}

async function take(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function isRunning(owner: Owner): Promise<boolean> {
  const start = await startOfProcess(owner.pid);
  return start !== null && start === owner.start;
}

async function readOwner(path: string): Promise<Owner | null> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as Owner;
  } catch {
    return null;
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}
