import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { EmbeddedPostgresError } from "./embedded-error.js";
import { isPostgresOn, startOfProcess } from "./process-identity.js";

/** Reads PostgreSQL's own `postmaster.pid`; `null` means that it is not running, or that the file is half written. */
export async function readPostmaster(
  dataDirectory: string,
): Promise<{ pid: number; port: number; ready: boolean } | null> {
  const text = await readFile(join(dataDirectory, "postmaster.pid"), "utf8").catch(() => "");
  const lines = text.split("\n");
  const pid = Number.parseInt(lines[0] ?? "", 10);
  return pid > 0 ? { pid, port: Number(lines[3]), ready: lines[7]?.trim() === "ready" } : null;
}

/**
 * Stops a server that outlived its process (after `kill -9`). Such a server normally stops by itself, see
 * `watch.ts`; this function waits for that, and stops the server when it does not.
 */
export async function stopOrphan(dataDirectory: string): Promise<void> {
  const postmaster = await readPostmaster(dataDirectory);
  if (postmaster === null) return;
  const { pid } = postmaster;
  if ((await startOfProcess(pid)) === null) return;
  if (!(await isPostgresOn(pid, dataDirectory))) {
    // The process number belongs to another process by now; PostgreSQL would take that one for a running server.
    await rm(join(dataDirectory, "postmaster.pid"), { force: true });
    return;
  }
  for (const [signal, seconds] of [
    ["SIGINT", 5],
    ["SIGQUIT", 3],
    ["SIGKILL", 2],
  ] as const) {
    if (!sendSignal(pid, signal) || (await hasEnded(pid, seconds))) return;
  }
  throw new EmbeddedPostgresError(`A PostgreSQL server (process ${pid}) on ${dataDirectory} does not stop.`);
}

/**
 * Sends a signal.
 *
 * @returns `false` when there is no such process.
 */
export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
    throw error;
  }
}

async function hasEnded(pid: number, seconds: number): Promise<boolean> {
  const deadline = Date.now() + seconds * 1000;
  while (Date.now() < deadline) {
    if ((await startOfProcess(pid)) === null) return true;
    await sleep(20);
  }
  return false;
}
