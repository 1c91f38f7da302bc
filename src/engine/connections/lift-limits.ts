import type pg from "pg";

/** What may end a session or its statements by time. PostgreSQL knows the last of them from version 17 on. */
export const LIMITS = [
  "statement_timeout",
  "lock_timeout",
  "idle_in_transaction_session_timeout",
  "idle_session_timeout",
  "transaction_timeout",
] as const;

/**
 * Lifts the limits of time of a session, also those that its role or its database sets: a migration takes as long as its
 * rows take.
 */
export async function liftLimits(client: pg.ClientBase): Promise<void> {
  await client.query("SET statement_timeout = 0");
  await client.query("SELECT set_config(name, '0', false) FROM pg_settings WHERE name = ANY($1)", [LIMITS]);
}
