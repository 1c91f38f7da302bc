import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { chmod, chown, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { keepSecret, readSecret } from "../secrets/keep-secret.js";
import { EmbeddedPostgresError } from "./embedded-error.js";
import type { Programs } from "./install.js";
import { canReach, type ServerUser } from "./system-user.js";

/** Every data directory has this file. */
const VERSION_FILE = "PG_VERSION";

/** How the programs run. */
export interface Running {
  readonly programs: Programs;
  readonly user: ServerUser;
  /** See `EmbeddedPostgresOptions`. */
  readonly durable: boolean;
  /** Aborted when the start is given up. */
  readonly signal: AbortSignal | undefined;
}

/** A data directory, in the form in which a server is given it. */
export interface Cluster {
  /** The real path. */
  path: string;
  /** The argument for the command line; the working directory must be `path`. */
  argument: string;
  password: string;
}

/**
 * Makes the data directory at the first start and checks it at every later one.
 *
 * @throws EmbeddedPostgresError when another major version of PostgreSQL made it, or its password is gone.
 */
export async function prepareCluster(directory: string, running: Running): Promise<Cluster> {
  const { programs, user } = running;
  const path = join(directory, "data");
  const passwordFile = join(directory, "password");
  const version = await readFile(join(path, VERSION_FILE), "utf8").catch(() => null);
  if (version !== null && !(await readSecret(passwordFile)))
    throw new EmbeddedPostgresError(
      `${passwordFile} holds no password, and the data beside it have one: restore the file, or set another DATA_DIR.`,
    );
  const password = await keepSecret(passwordFile);
  await openForUser(directory, user);
  if (version === null) await initialise(directory, path, password, running);
  else assertSameVersion(path, version.trim(), programs.majorVersion);
  return { path, argument: await dataDirectoryArgument(path, user), password };
}

/** Returns whether a data directory was made under the folder of the server. */
export function hasCluster(directory: string): boolean {
  return statSync(join(directory, "data", VERSION_FILE), { throwIfNoEntry: false }) !== undefined;
}

function assertSameVersion(path: string, found: string, expected: number): void {
  if (found === String(expected)) return;
  throw new EmbeddedPostgresError(
    `${path} was made by PostgreSQL ${found}, this is PostgreSQL ${expected}. Start the release that made it ` +
      `and dump the database (pg_dump), or run a PostgreSQL ${found} on it and set DATABASE_URL; ` +
      `or set another DATA_DIR to begin with an empty database.`,
  );
}

/** Makes the directory under another name and renames it, so that an interrupted first start leaves no half of it. */
async function initialise(
  directory: string,
  path: string,
  password: string,
  running: Running,
): Promise<void> {
  const { user } = running;
  for (const name of await readdir(directory)) {
    if (name.startsWith("init-")) await rm(join(directory, name), { recursive: true, force: true });
  }
  const draft = join(directory, `init-${process.pid}`);
  await mkdir(draft, { mode: 0o700 });
  const passwordFile = `${draft}.password`;
  await writeFile(passwordFile, password, { mode: 0o600 });
  try {
    if (user.switch) {
      await chown(draft, user.uid, user.gid);
      await chown(passwordFile, user.uid, user.gid);
    }
    const argument = await dataDirectoryArgument(draft, user);
    await runInitdb({ path: draft, argument, password }, passwordFile, running);
    await rename(draft, path);
  } finally {
    await rm(passwordFile, { force: true });
    await rm(draft, { recursive: true, force: true });
  }
}

/**
 * Runs initdb, to its end or until it is given up. Texts are sorted by code point (`C`), while upper and lower case follow
 * Unicode, not ASCII alone.
 */
async function runInitdb(
  { path, argument }: Cluster,
  passwordFile: string,
  { programs, user, durable, signal }: Running,
): Promise<void> {
  const child = spawn(
    programs.initdb,
    [
      `--pgdata=${argument}`,
      "--username=postgres",
      `--pwfile=${relative(path, passwordFile)}`,
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      "--locale=C",
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      "--no-instructions",
      ...(durable ? [] : ["--no-sync"]),
    ],
    { cwd: path, ...asUser(user), env: serverEnvironment(), stdio: ["ignore", "ignore", "pipe"] },
  );
  const giveUp = (): void => void child.kill("SIGKILL");
  if (signal?.aborted) giveUp();
  signal?.addEventListener("abort", giveUp);
  let complaint = "";
  child.stderr.on("data", (chunk: Buffer) => (complaint += chunk.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    // The servers that it runs hold the pipe too, and end when it is gone.
    child.once("close", resolve);
  });
  if (code !== 0) throw new EmbeddedPostgresError(`initdb failed: ${complaint.trim() || `code ${code}`}`);
}

/**
 * Returns the path of the data directory. Where the server's user may not enter the folders above it (such as
 * /root), it is the path by which Linux names the working directory of a process, which the server gets when it
 * starts.
 */
async function dataDirectoryArgument(path: string, user: ServerUser): Promise<string> {
  if (await canReach(user, path)) return path;
  if (process.platform === "linux") return "/proc/self/cwd";
  throw new EmbeddedPostgresError(
    `The user PostgreSQL runs as (${user.uid}) may not enter ${path}: open the folders above it to others, or set another DATA_DIR.`,
  );
}

/** Lets the server's user enter the folder that holds its data; the password in that folder stays closed to it. */
async function openForUser(directory: string, user: ServerUser): Promise<void> {
  if (!user.switch) return;
  await chown(directory, process.getuid?.() ?? 0, user.gid);
  await chmod(directory, 0o710);
}

/** Returns the options of `spawn` that choose the user to run as. */
export function asUser(user: ServerUser): { uid?: number; gid?: number } {
  return user.switch ? { uid: user.uid, gid: user.gid } : {};
}

/**
 * Returns an environment without the settings of this process, such as PGDATA or PGOPTIONS, which must not reach
 * the server.
 */
export function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LANG: "C", LC_ALL: "C", TZ: "UTC" };
}
