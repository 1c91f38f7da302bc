import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { asUser } from "../../src/engine/embedded-postgres/cluster.js";
import { chooseServerUser } from "../../src/engine/embedded-postgres/system-user.js";
import { freePort, until } from "./replica.js";

/** Where Debian's package `pgbouncer` puts it. */
const PROGRAM = ["pgbouncer", "/usr/sbin/pgbouncer"].find(
  (path) => spawnSync(path, ["--version"]).status === 0,
);

/** The version of the PgBouncer of this machine, such as `1.18`. */
export const POOLER_VERSION = versionOf(PROGRAM);

function versionOf(program: string | undefined): string {
  if (program === undefined) throw new Error("There is no PgBouncer: install Debian's package pgbouncer.");
  const { stdout } = spawnSync(program, ["--version"], { encoding: "utf8" });
  return /\d+\.\d+/u.exec(stdout)?.[0] ?? "";
}

/** A PgBouncer in transaction mode before a database. */
export interface Pooler {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Starts a PgBouncer with its own defaults before a database.
 *
 * @param settings are further lines of its section `[pgbouncer]`.
 */
export async function startPooler(databaseUrl: string, settings: readonly string[] = []): Promise<Pooler> {
  const { hostname, port: serverPort, pathname, username, password } = new URL(databaseUrl);
  const name = pathname.slice(1);
  const directory = await mkdtemp(join(tmpdir(), "commerce-pooler-"));
  await chmod(directory, 0o755);
  const port = await freePort();
  const file = join(directory, "pgbouncer.ini");
  const secret = password === "" ? "" : ` password=${password}`;
  const server = `host=${hostname} port=${serverPort} dbname=${name} user=${username}${secret}`;
  const lines = [
    "[databases]",
    `${name} = ${server}`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${port}`,
    "unix_socket_dir =",
    "auth_type = any",
    "pool_mode = transaction",
    "default_pool_size = 4",
    "max_client_conn = 200",
    ...settings,
  ];
  await writeFile(file, `${lines.join("\n")}\n`);
  const child = spawn(PROGRAM as string, ["-q", file], {
    ...asUser(await chooseServerUser(directory)),
    cwd: directory,
    stdio: "ignore",
  });
  const url = `postgresql://${username}@127.0.0.1:${port}/${name}`;
  await until(() => answers(url));
  return {
    url,
    stop: async () => {
      await ended(child);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await exit;
}
