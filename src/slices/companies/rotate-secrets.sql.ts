import type { Pool, PoolClient } from "pg";

/** The secrets of one company, each sealed. */
export interface SealedSettings {
  readonly companyId: number;
  readonly secrets: Readonly<Record<string, string>>;
}

/** Counts the companies with a secret that does not begin with this prefix. */
export async function countToRotate(pool: Pool, prefix: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM company_settings /* all companies */
      WHERE EXISTS (SELECT FROM jsonb_each_text(secrets) WHERE NOT starts_with(value, $1))`,
    [prefix],
  );
  return rows[0]?.count ?? 0;
}

/**
 * Reads and locks the secrets of some companies that have one that does not begin with this prefix, in the order of
 * their ids.
 *
 * @param after the id of the company before the first.
 */
export async function lockToRotate(
  client: PoolClient,
  { prefix, after, most }: { prefix: string; after: number; most: number },
): Promise<SealedSettings[]> {
  const { rows } = await client.query<SealedSettings>(
    `SELECT company_id AS "companyId", secrets FROM company_settings /* all companies */
      WHERE company_id > $2 AND EXISTS (SELECT FROM jsonb_each_text(secrets) WHERE NOT starts_with(value, $1))
      ORDER BY company_id LIMIT $3 FOR UPDATE`,
    [prefix, after, most],
  );
  return rows;
}

/** Reads the secrets of some companies that have any. */
export async function readSomeSecrets(pool: Pool, most: number): Promise<SealedSettings[]> {
  const { rows } = await pool.query<SealedSettings>(
    `SELECT company_id AS "companyId", secrets FROM company_settings /* all companies */
      WHERE secrets <> '{}' LIMIT $1`,
    [most],
  );
  return rows;
}

/** Writes secrets that were sealed anew, of rows that are locked. */
export async function writeRotated(client: PoolClient, rotated: readonly SealedSettings[]): Promise<void> {
  await client.query(
    `UPDATE company_settings s /* all companies */ SET secrets = r.secrets
       FROM unnest($1::int[], $2::jsonb[]) AS r (company_id, secrets) WHERE s.company_id = r.company_id`,
    [rotated.map(({ companyId }) => companyId), rotated.map(({ secrets }) => JSON.stringify(secrets))],
  );
}
