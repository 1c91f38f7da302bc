import { execFile } from "node:child_process";
import { readFile, readlink } from "node:fs/promises";
import { promisify } from "node:util";

/**
 * Returns the start time of a process, which sets it apart from a later process with the same number; `null` when there
 * is no such process.
 */
export async function startOfProcess(pid: number): Promise<string | null> {
  if (process.platform === "linux") {
    const fields = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
    const [state, ...rest] = fields?.slice(fields.lastIndexOf(")") + 2).split(" ") ?? [];
    return state === undefined || state === "Z" ? null : (rest[18] ?? null);
  }
  const { stdout } = await promisify(execFile)("ps", ["-o", "lstart=", "-p", String(pid)]).catch(() => ({
    stdout: "",
  }));
  return stdout.trim() || null;
}

/** Returns whether a process is a PostgreSQL server on the given data directory. */
export async function isPostgresOn(pid: number, dataDirectory: string): Promise<boolean> {
  if (process.platform === "linux") {
    const name = await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "");
    if (name.trim() !== "postgres") return false;
    const folder = await readlink(`/proc/${pid}/cwd`).catch(() => null);
    return folder === null || folder === dataDirectory;
  }
  const { stdout } = await promisify(execFile)("ps", ["-o", "command=", "-p", String(pid)]).catch(() => ({
    stdout: "",
  }));
  return stdout.includes("postgres") && stdout.includes(dataDirectory);
}
