import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { appendFile, chmod, chown, cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { asUser, serverEnvironment } from "../../src/engine/embedded-postgres/cluster.js";
import { startEmbeddedPostgres } from "../../src/engine/embedded-postgres/embedded-postgres.js";
import { locatePrograms } from "../../src/engine/embedded-postgres/install.js";
import { chooseServerUser } from "../../src/engine/embedded-postgres/system-user.js";
import type { Database } from "../../src/engine/connections/client.js";
import { prepareDatabase } from "../../src/engine/migrations/service-role.js";

/** A migrated primary with a streaming replica, both of the embedded binaries. */
export interface Pair {
  /** For the owner of the tables. */
  readonly ownerUrl: string;
  /** For the role that serves. */
  readonly url: string;
  readonly replicaUrl: string;
  /** Has the replica replay commits only after this time. */
  delayReplica(milliseconds: number): Promise<void>;
  /** Sends the replica a signal; one that stops it or lets it go on reaches all its processes. */
  signalReplica(signal: NodeJS.Signals): void;
  /** Starts the replica again after its end. */
  restartReplica(): Promise<void>;
  /** Has commits of the primary wait until the replica has them on its disk. */
  waitForReplica(): Promise<void>;
  /** Sends all processes of the primary a signal. */
  signalPrimary(signal: NodeJS.Signals): Promise<void>;
  /** Makes the replica a primary. */
  promoteReplica(): Promise<void>;
  stop(): Promise<void>;
}

export async function startPair(): Promise<Pair> {
  const directory = await mkdtemp(join(tmpdir(), "commerce-pair-"));
  await chmod(directory, 0o755);
  const primary = await startEmbeddedPostgres({ directory: join(directory, "primary"), durable: false });
  const { username: serviceRole } = new URL(primary.serviceUrl);
  await prepareDatabase(primary.url, { serviceRole });
  // The service's commits are flushed before they are seen, as they are on a server that is durable.
  await ask(primary.url, `ALTER ROLE ${serviceRole} SET synchronous_commit = on`);
  const data = join(directory, "replica", "data");
  const user = await chooseServerUser(data);
  const programs = await locatePrograms(user);
  await copyData(primary.url, join(directory, "primary", "data"), data);
  const { hostname, port: primaryPort, password } = new URL(primary.url);
  const port = await freePort();
  const settings = join(data, "postgresql.auto.conf");
  await writeFile(join(data, "standby.signal"), "");
  await appendFile(
    settings,
    `primary_conninfo = 'host=${hostname} port=${primaryPort} user=postgres password=${password}'\n`,
  );
  if (user.switch) for (const path of await everything(data)) await chown(path, user.uid, user.gid);
  const replicaUrl = new URL(primary.serviceUrl);
  replicaUrl.port = String(port);
  const replicaOwnerUrl = new URL(primary.url);
  replicaOwnerUrl.port = String(port);
  const signal = (pid: number, name: NodeJS.Signals): void => {
    for (const one of [pid, ...children(pid)]) process.kill(Number(one), name);
  };
  let server: ChildProcess;
  const start = async (): Promise<void> => {
    // A replica takes no fewer connections than its primary.
    const options = {
      port,
      listen_addresses: "127.0.0.1",
      unix_socket_directories: "",
      max_connections: 300,
    };
    const given = Object.entries(options).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    server = spawn(programs.postgres, ["-D", data, ...given], {
      cwd: data,
      ...asUser(user),
      env: serverEnvironment(),
      stdio: "ignore",
    });
    await answering(replicaUrl.href);
  };
  await start();
  return {
    ownerUrl: primary.url,
    url: primary.serviceUrl,
    replicaUrl: replicaUrl.href,
    delayReplica: async (milliseconds) => {
      await appendFile(settings, `recovery_min_apply_delay = ${milliseconds}\n`);
      server.kill("SIGHUP");
      await until(
        async () => (await ask(replicaUrl.href, "SHOW recovery_min_apply_delay")) === shown(milliseconds),
      );
    },
    signalReplica: (name) => {
      if (name === "SIGSTOP" || name === "SIGCONT") signal(Number(server.pid), name);
      else server.kill(name);
    },
    waitForReplica: async () => {
      await ask(primary.url, "ALTER SYSTEM SET synchronous_standby_names = '*'");
      await ask(primary.url, "SELECT pg_reload_conf()");
      const state = "SELECT sync_state FROM pg_stat_replication";
      await until(async () => (await ask(primary.url, state)) === "sync");
    },
    signalPrimary: async (name) => {
      const [pid] = (await readFile(join(directory, "primary", "data", "postmaster.pid"), "utf8")).split(
        "\n",
      );
      signal(Number(pid), name);
    },
    promoteReplica: async () => void (await ask(replicaOwnerUrl.href, "SELECT pg_promote()")),
    restartReplica: async () => {
      if (server.exitCode === null && server.signalCode === null)
        await new Promise((resolve) => server.once("exit", resolve));
      await start();
    },
    stop: async () => {
      server.kill("SIGINT");
      if (server.exitCode === null && server.signalCode === null)
        await new Promise((resolve) => server.once("exit", resolve));
      await primary.stop();
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Copies the files of a running server, as `pg_basebackup` does, which the embedded packages lack. */
async function copyData(url: string, from: string, to: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("SELECT pg_backup_start('replica', true)");
  const isLeftOut = (path: string): boolean => /\/(?:postmaster\.(?:pid|opts)|pg_replslot\/.+)$/u.test(path);
  await cp(from, to, { recursive: true, filter: (path) => !isLeftOut(path) });
  const { rows } = await client.query<{ labelfile: string }>("SELECT labelfile FROM pg_backup_stop(false)");
  await writeFile(join(to, "backup_label"), rows[0]?.labelfile ?? "");
  await client.end();
  await chmod(to, 0o700);
}

async function everything(directory: string): Promise<string[]> {
  const names = await readdir(directory, { recursive: true });
  return [directory, ...names.map((name) => join(directory, name))];
}

async function ask(url: string, statement: string): Promise<string> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<string[]>({ text: statement, rowMode: "array" });
    return rows[0]?.[0] ?? "";
  } finally {
    await client.end().catch(() => undefined);
  }
}

function children(pid: number | undefined): string[] {
  return spawnSync("pgrep", ["-P", String(pid)], { encoding: "utf8" })
    .stdout.split("\n")
    .filter(Boolean);
}

function answering(url: string): Promise<void> {
  return until(() =>
    ask(url, "SELECT 1").then(
      () => true,
      () => false,
    ),
  );
}

/** Waits until all replicas of a database are read. */
export function untilInUse(database: Database): Promise<void> {
  return until(() => {
    database.reader();
    return database.replicas().every(({ isInUse }) => isInUse);
  });
}

/** Looks until something is so; the test's own limit of time ends it. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(20);
}

function shown(milliseconds: number): string {
  return milliseconds === 0
    ? "0"
    : milliseconds % 1000 === 0
      ? `${milliseconds / 1000}s`
      : `${milliseconds}ms`;
}

export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
