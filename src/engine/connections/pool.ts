import pg from "pg";
import { keepsStatements } from "./kept-sessions.js";
import { ServerClient, type ServerConfig } from "./hosts.js";
import { KEPT_PLANS } from "../reads/plan-choice.js";
import { FORM_OF_VALUES } from "./session-limits.js";
import { decodeRowsWhole } from "./row-decoding.js";

/** The name that the sessions of the service have in the database. */
export const APPLICATION_NAME = "commerce-gateway";
export const DEFAULT_STATEMENT_TIMEOUT_MS = 10_000;
/** A transaction may take this many times as long as a statement. */
const TRANSACTION_FACTOR = 1.5;
/**
 * A statement may wait for a connection for this share of its time: with less time left, its answer would come too
 * late.
 */
export const WAITING_SHARE = 0.5;

/** The limits of the sessions of a pool, in milliseconds. */
export interface SessionLimits {
  readonly statementTimeoutMs: number;
  /** How long a transaction may wait for its next statement; as long as a transaction may take unless it is set. */
  readonly idleTransactionMs?: number | undefined;
  /** How long a statement waits for a connection; by default its share of the time of a statement. */
  readonly connectMs?: number | undefined;
}

/** What the sessions of a server, or of a pooler before it, are like. */
export interface SessionKind {
  /** The options with which they begin; empty where a pooler refuses options. */
  readonly options: string;
  /** Whether a statement that is prepared in a session can be run in it later. */
  readonly mayPrepare: boolean;
  /** Whether rows are spread over the workers of Citus, which plans a statement when it knows whose rows it reads. */
  readonly isDistributed: boolean;
}

/** The pool, and whether its sessions keep every plan, see `plan-choice.ts`. */
interface OpenedPool {
  readonly pool: pg.Pool;
  readonly keepsPlans: boolean;
}

/**
 * Opens a pool whose sessions end: the server cuts off each statement, each transaction and each idle transaction
 * that takes too long.
 *
 * @param mayKeepPlans whether its sessions keep every plan; without statements that are prepared there is none to keep, and Citus has no plan
 *   for all companies.
 * @param onError is called with errors of connections; without a listener such an error would end the process.
 */
export function openPool(
  url: string,
  size: number,
  onError: (error: Error) => void,
  {
    mayKeepPlans,
    options,
    ...limits
  }: SessionLimits & { readonly mayKeepPlans: boolean; readonly options: string },
): OpenedPool {
  // A pooler that drops the options of limits drops this one, too.
  const keepsPlans = mayKeepPlans && options !== "";
  decodeRowsWhole();
  const pool = new pg.Pool({
    ...connectionOf(url, limits),
    Client: ServerClient as unknown as new () => pg.ClientBase,
    max: size,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    options: keepsPlans ? `${options} ${KEPT_PLANS}` : options,
  });
  // Each connection, lent or idle, needs a listener: one that ends during COMMIT has no other (prisma#29952). For
  // idle connections the pool reports the error a second time.
  pool.on("connect", (client) => client.on("error", onError));
  pool.on("error", () => undefined);
  return { pool, keepsPlans };
}

/** A process that begins opens this many connections at most. */
const MOST_AT_BEGIN = 16;

/**
 * Opens connections before anybody waits for them: each takes some 10 ms of both sides, and the first callers would want all of them
 * at once. What cannot be opened is left to who needs it.
 */
export async function openConnections(pool: pg.Pool): Promise<void> {
  const wanted = Math.min(pool.options.max, MOST_AT_BEGIN);
  const opened = await Promise.allSettled(Array.from({ length: wanted }, () => pool.connect()));
  for (const one of opened) if (one.status === "fulfilled") one.value.release();
}

function connectionOf(url: string, limits: SessionLimits): ServerConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: limits.connectMs ?? Math.round(limits.statementTimeoutMs * WAITING_SHARE),
    application_name: APPLICATION_NAME,
  };
}

/**
 * Finds out by a session of its own what sessions are like. `transaction_timeout` needs PostgreSQL 17. A PgBouncer
 * refuses the options unless `ignore_startup_parameters` lets them pass; then the server's own limits hold. A server that
 * cannot be reached now is noticed by the first statement; the options for every version then hold.
 */
export async function askForSessions(url: string, limits: SessionLimits): Promise<SessionKind> {
  const { statementTimeoutMs, idleTransactionMs } = limits;
  const transactionTimeoutMs = Math.round(statementTimeoutMs * TRANSACTION_FACTOR);
  const options = [
    `-c statement_timeout=${statementTimeoutMs}`,
    // A company's share is counted in connections, so none of them may take more than one process of the server.
    "-c max_parallel_workers_per_gather=0",
    `-c idle_in_transaction_session_timeout=${idleTransactionMs ?? transactionTimeoutMs}`,
    ...Object.entries(FORM_OF_VALUES).map(([name, value]) => `-c ${name}=${value}`),
  ].join(" ");
  const connection = connectionOf(url, limits);
  try {
    return await inSession({ ...connection, options }, async (client) => {
      const { rows } = await client.query<{ version: number; isDistributed: boolean }>(
        `SELECT current_setting('server_version_num')::int AS version,
                EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') AS "isDistributed"`,
      );
      const { version = 0, isDistributed = false } = rows[0] ?? {};
      const isNew = version >= 170_000;
      return {
        options: isNew ? `${options} -c transaction_timeout=${transactionTimeoutMs}` : options,
        mayPrepare: await keepsStatements(client),
        isDistributed,
      };
    });
  } catch (error) {
    if (!/unsupported startup parameter/iu.test((error as Error).message))
      return { options, mayPrepare: true, isDistributed: false };
    const mayPrepare = await inSession(connection, keepsStatements).catch(() => true);
    return { options: "", mayPrepare, isDistributed: false };
  }
}

async function inSession<T>(config: ServerConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new ServerClient(config);
  client.on("error", () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
