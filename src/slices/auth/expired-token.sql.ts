import type { Pool } from "pg";

/** Removes refresh tokens that have expired, a bounded number at a time. @returns how many. */
export async function deleteExpiredRefreshTokens(pool: Pool): Promise<number> {
  const { rowCount } = await pool.query(`
    /* all companies */
    DELETE FROM refresh_tokens WHERE ctid IN (
      SELECT ctid FROM refresh_tokens WHERE expires_at <= now() ORDER BY expires_at LIMIT 1000
      FOR UPDATE SKIP LOCKED
    )`);
  return rowCount ?? 0;
}

/** Removes tokens to set a password that have expired, a bounded number at a time. @returns how many. */
export async function deleteExpiredSetupTokens(pool: Pool): Promise<number> {
  const { rowCount } = await pool.query(`
    /* all companies */
    DELETE FROM password_setup_tokens WHERE ctid IN (
      SELECT ctid FROM password_setup_tokens WHERE expires_at <= now() ORDER BY expires_at LIMIT 1000
      FOR UPDATE SKIP LOCKED
    )`);
  return rowCount ?? 0;
}
