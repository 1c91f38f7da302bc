import { execFile } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { promisify } from "node:util";
import { EmbeddedPostgresError } from "./embedded-error.js";

/**
 * The system user that the server runs as. With `switch`, this process is root and starts the server as that user.
 */
export interface ServerUser {
  uid: number;
  gid: number;
  switch: boolean;
}

/**
 * Chooses the system user for PostgreSQL, which refuses to run as root. Started by root, it runs as the owner of
 * the data directory, else as the user `postgres` (who is made when missing), else as `nobody`. Started by anybody
 * else, it runs as that user.
 */
export async function chooseServerUser(dataDirectory: string): Promise<ServerUser> {
  const own = { uid: process.getuid?.() ?? -1, gid: process.getgid?.() ?? -1 };
  const owner = await stat(dataDirectory).catch(() => null);
  if (own.uid !== 0) {
    if (owner !== null && owner.uid !== own.uid) {
      throw new EmbeddedPostgresError(
        `${dataDirectory} belongs to another user (${owner.uid}): start as that user, or as root, or set another DATA_DIR.`,
      );
    }
    return { ...own, switch: false };
  }
  if (owner !== null && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid, switch: true };
  const user = (await findUser("postgres")) ?? (await makeUser("postgres")) ?? (await findUser("nobody"));
  if (user === null) {
    throw new EmbeddedPostgresError(
      "PostgreSQL does not run as root and there is no user postgres or nobody: set DATABASE_URL.",
    );
  }
  return { ...user, switch: true };
}

/** Returns whether the server's user may enter a folder and all folders above it. */
export async function canReach(user: ServerUser, path: string): Promise<boolean> {
  if (!user.switch) return true;
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    const { mode, uid, gid } = await stat(folder);
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

async function findUser(name: string): Promise<{ uid: number; gid: number } | null> {
  const table = await readFile("/etc/passwd", "utf8").catch(() => "");
  const [, , uid, gid] =
    table
      .split("\n")
      .find((line) => line.startsWith(`${name}:`))
      ?.split(":") ?? [];
  return uid === undefined || gid === undefined ? null : { uid: Number(uid), gid: Number(gid) };
}

async function makeUser(name: string): Promise<{ uid: number; gid: number } | null> {
  try {
    await promisify(execFile)("useradd", [
      "--system",
      "--user-group",
      "--no-create-home",
      "--shell",
      "/usr/sbin/nologin",
      name,
    ]);
  } catch {
    return null;
  }
  return findUser(name);
}
