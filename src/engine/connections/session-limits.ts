import type pg from "pg";

/** The limits without which a statement or an open transaction would hold its locks for as long as it likes. */
const NEEDED = ["statement_timeout", "idle_in_transaction_session_timeout"];

/** Says that the sessions of the service lack limits of time. */
export class NoLimitsError extends Error {
  override readonly name = "NoLimitsError";
}

/**
 * Returns which limits of time do not hold in the sessions of a pool: a pooler may drop those that the service asks for, or
 * hand out sessions that others opened.
 */
export async function missingLimits(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    "SELECT name FROM pg_settings WHERE name = ANY($1) AND setting = '0' ORDER BY name",
    [NEEDED],
  );
  return rows.map(({ name }) => name);
}

/** What an operator has to do about limits that are missing. */
export function adviceOn(limits: readonly string[]): string {
  return (
    `The sessions with the database have no ${limits.join(" and no ")}, which a pooler has dropped: nothing would end a ` +
    "statement that takes too long. Give the role of DATABASE_URL its limits, such as ALTER ROLE … SET statement_timeout = '10s'."
  );
}
