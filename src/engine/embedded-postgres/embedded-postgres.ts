import { spawn, type ChildProcess } from "node:child_process";
import { createHmac } from "node:crypto";
import { closeSync, openSync } from "node:fs";
import { mkdir, readFile, realpath } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { isLocked, lockDirectory } from "./directory-lock.js";
import { asUser, prepareCluster, serverEnvironment, type Cluster, type Running } from "./cluster.js";
import { EmbeddedPostgresError } from "./embedded-error.js";
import { locatePrograms } from "./install.js";
import { chooseServerUser } from "./system-user.js";
import { stopWithThisProcess } from "./watch.js";
import { readPostmaster, sendSignal, stopOrphan } from "./orphan.js";

/** The name of the service's database in its embedded server. */
export const EMBEDDED_DATABASE = "commerce";
/** The role that serves: it owns nothing. The tables belong to the superuser of the server. */
export const EMBEDDED_SERVICE_ROLE = "commerce_service";
const OWNER = "postgres";

export interface EmbeddedPostgresOptions {
  /** The folder for all files of the server; it is made when it is missing. */
  directory: string;
  /** With `false`, writes are faster and are lost in a crash, which suits tests. The default is `true`. */
  durable?: boolean;
  /** The function is called when the server ends although nobody stopped it. */
  onDeath?: (reason: string) => void;
  /** Gives the start up: what it has begun is ended, and it fails. Who has the server stops it by `stop`. */
  signal?: AbortSignal;
}

/** The URLs of the database `commerce`, passwords included. */
export interface EmbeddedUrls {
  /** For the owner of the tables, who applies migrations. */
  url: string;
  /** For the role that serves. */
  serviceUrl: string;
}

export interface EmbeddedPostgres extends EmbeddedUrls {
  /** Ends all connections and the server. It may be called twice. */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL in a directory, on a free port of 127.0.0.1, and makes the database `commerce`.
 *
 * @throws EmbeddedPostgresError with a message for the operator, such as that the directory is in use.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  if (process.platform === "win32") {
    throw new EmbeddedPostgresError("The embedded PostgreSQL runs on Linux and macOS: set DATABASE_URL.");
  }
  const { durable = true, onDeath, signal } = options;
  await mkdir(options.directory, { recursive: true });
  const directory = await realpath(options.directory);
  const lock = await lockDirectory(join(directory, "owner.json"));
  try {
    const user = await chooseServerUser(join(directory, "data"));
    const programs = await locatePrograms(user);
    const running = { programs, user, durable, signal };
    const cluster = await prepareCluster(directory, running);
    await stopOrphan(cluster.path);
    const server = await launch(directory, cluster, running);
    const stop = supervise(server.process, () => lock.release(), onDeath);
    try {
      await asOwner(cluster.password, server.port, async (client) => {
        await ensureDatabase(client);
        await ensureServiceRole(client, cluster.password);
      });
    } catch (error) {
      await stop();
      throw error;
    }
    return { ...urlsOf(cluster.password, server.port), stop };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Returns the URLs of the server that another process runs in the directory, `null` when none does. */
export async function findEmbeddedPostgres(directory: string): Promise<EmbeddedUrls | null> {
  if (!(await isLocked(join(directory, "owner.json")))) return null;
  const postmaster = await readPostmaster(join(directory, "data"));
  if (postmaster?.ready !== true) return null;
  const password = (await readFile(join(directory, "password"), "utf8")).trim();
  await asOwner(password, postmaster.port, (client) => ensureServiceRole(client, password));
  return urlsOf(password, postmaster.port);
}

function urlsOf(password: string, port: number): EmbeddedUrls {
  return {
    url: urlOf(OWNER, password, port, EMBEDDED_DATABASE),
    serviceUrl: urlOf(EMBEDDED_SERVICE_ROLE, servicePassword(password), port, EMBEDDED_DATABASE),
  };
}

function urlOf(role: string, password: string, port: number, database: string): string {
  return `postgresql://${role}:${password}@127.0.0.1:${port}/${database}`;
}

/** The password of the role that serves is made of the owner's, which nobody can compute from it. */
function servicePassword(password: string): string {
  return createHmac("sha256", password).update(EMBEDDED_SERVICE_ROLE).digest("hex");
}

/**
 * Starts the server, and tries again when that fails: the free port that was found may be in use in the meantime,
 * and the shared memory of a crashed server may still be there.
 */
async function launch(
  directory: string,
  cluster: Cluster,
  { programs, user, durable, signal }: Running,
): Promise<{ process: ChildProcess; port: number }> {
  const logFile = join(directory, "server.log");
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const log = openSync(logFile, "w", 0o600);
    const server = spawn(
      programs.postgres,
      [
        "-D",
        cluster.argument,
        ...Object.entries(settings(port, durable)).map(([name, value]) => `--${name}=${value}`),
      ],
      // The server is detached: Ctrl-C in a terminal reaches the whole foreground group, and requests in flight
      // still need it.
      {
        cwd: cluster.path,
        ...asUser(user),
        env: serverEnvironment(),
        stdio: ["ignore", log, log],
        detached: true,
      },
    );
    closeSync(log);
    if (server.pid !== undefined) server.once("exit", stopWithThisProcess(server.pid));
    const failure = await readiness(server, cluster.path, signal);
    if (failure === null) return { process: server, port };
    const complaint = (await readFile(logFile, "utf8")).trim();
    const transient = /could not bind|could not create any TCP|shared memory block/.test(complaint);
    if (!transient || attempt === 5) {
      throw new EmbeddedPostgresError(`The embedded PostgreSQL does not start (${failure}): ${complaint}`);
    }
    await sleep(200 * attempt);
  }
}

function settings(port: number, durable: boolean): Record<string, string | number> {
  return {
    port,
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    // A server that need not be durable is one for tests, whose services use it together.
    max_connections: durable ? 100 : 300,
    shared_buffers: "128MB",
    timezone: "UTC",
    // A refused statement is an answer to the client, so the server's log leaves it out.
    log_min_messages: "log",
    log_checkpoints: "off",
    // What runs and waits is seen whole.
    track_activity_query_size: "4kB",
    ...(durable
      ? {}
      : { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_wal_size: "2GB" }),
  };
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", resolve);
  });
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/**
 * Waits for the server.
 *
 * @returns `null` once the server accepts connections, else the reason why it will not.
 */
async function readiness(
  server: ChildProcess,
  dataDirectory: string,
  givenUp: AbortSignal | undefined,
): Promise<string | null> {
  let failure: string | null = null;
  server.once("error", (error) => (failure = error.message));
  server.once("exit", (code, signal) => (failure ??= signal ?? `code ${code}`));
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    if (failure !== null) return failure;
    if (givenUp?.aborted) server.kill("SIGINT");
    const postmaster = await readPostmaster(dataDirectory);
    if (postmaster?.pid === server.pid && postmaster?.ready) return null;
    await sleep(10);
  }
  server.kill("SIGQUIT");
  return "not ready within a minute";
}

/**
 * Watches the server until it is stopped.
 *
 * @returns a function that stops the server and unlocks its directory.
 */
function supervise(
  server: ChildProcess,
  release: () => Promise<void>,
  onDeath: EmbeddedPostgresOptions["onDeath"],
): () => Promise<void> {
  const pid = server.pid as number;
  const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  const stopAtExit = () => void sendSignal(pid, "SIGINT");
  process.once("exit", stopAtExit);
  let stopping: Promise<void> | null = null;

  server.once("exit", (code, signal) => {
    process.removeListener("exit", stopAtExit);
    if (stopping === null)
      onDeath?.(`the embedded PostgreSQL ended unexpectedly (${signal ?? `code ${code}`})`);
  });

  return () =>
    (stopping ??= (async () => {
      sendSignal(pid, "SIGINT");
      const inTime = await Promise.race([ended.then(() => true), sleep(6000, false, { ref: false })]);
      if (!inTime) sendSignal(pid, "SIGQUIT");
      await ended;
      await release();
    })());
}

async function ensureDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = $1", [EMBEDDED_DATABASE]);
  if (rowCount === 0) await client.query(`CREATE DATABASE ${EMBEDDED_DATABASE}`);
}

/** Makes the role that serves where it is missing, as in data of an earlier release, and gives it its password. */
async function ensureServiceRole(client: pg.Client, password: string): Promise<void> {
  const { rowCount } = await client.query("SELECT FROM pg_roles WHERE rolname = $1", [EMBEDDED_SERVICE_ROLE]);
  const own = pg.escapeLiteral(servicePassword(password));
  const make = rowCount === 0 ? "CREATE" : "ALTER";
  await client.query(`${make} ROLE ${EMBEDDED_SERVICE_ROLE} LOGIN PASSWORD ${own}`);
}

async function asOwner(
  password: string,
  port: number,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({
    connectionString: urlOf(OWNER, password, port, "postgres"),
    connectionTimeoutMillis: 10_000,
  });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
