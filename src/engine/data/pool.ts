import pg from "pg";

export const DEFAULT_STATEMENT_TIMEOUT_MS = 10_000;
/** A transaction may take this much longer than a statement. */
const TRANSACTION_FACTOR = 1.5;
/** A statement that has waited this much of its time for a connection would come too late anyway. */
export const WAITING_SHARE = 0.5;

/**
 * A pool whose sessions cannot be held for ever: a statement, a transaction and an idle transaction are each
 * cut off by the server.
 *
 * @param onError told of errors of connections; without a listener such an error would end the process.
 */
export async function openPool(
  url: string,
  size: number,
  onError: (error: Error) => void,
  statementTimeoutMs = DEFAULT_STATEMENT_TIMEOUT_MS,
): Promise<pg.Pool> {
  const config: pg.PoolConfig = {
    connectionString: url,
    max: size,
    connectionTimeoutMillis: Math.round(statementTimeoutMs * WAITING_SHARE),
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: "commerce-gateway",
  };
  const pool = new pg.Pool({ ...config, options: await sessionOptions(config, statementTimeoutMs) });
  // On each connection, lent or idle: one that ends during COMMIT has no other listener (prisma#29952). The
  // pool tells of the idle ones a second time.
  pool.on("connect", (client) => client.on("error", onError));
  pool.on("error", () => undefined);
  return pool;
}

/**
 * Limits as start-up options of each session. `transaction_timeout` came with PostgreSQL 17. A PgBouncer that
 * is not told to pass options on (`ignore_startup_parameters`) refuses them: then the server's own limits hold.
 */
async function sessionOptions(config: pg.PoolConfig, statementTimeoutMs: number): Promise<string> {
  const transactionTimeoutMs = Math.round(statementTimeoutMs * TRANSACTION_FACTOR);
  const limits = [
    `-c statement_timeout=${statementTimeoutMs}`,
    `-c idle_in_transaction_session_timeout=${transactionTimeoutMs}`,
  ];
  const client = new pg.Client({ ...config, options: limits.join(" ") });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ version: number }>(
      "SELECT current_setting('server_version_num')::int AS version",
    );
    const version = rows[0]?.version ?? 0;
    return [
      ...limits,
      ...(version >= 170_000 ? [`-c transaction_timeout=${transactionTimeoutMs}`] : []),
    ].join(" ");
  } catch (error) {
    // Not reachable now: that shows in the first query, and the limit every version knows still holds then.
    return /unsupported startup parameter/i.test((error as Error).message) ? "" : limits.join(" ");
  } finally {
    await client.end().catch(() => undefined);
  }
}
