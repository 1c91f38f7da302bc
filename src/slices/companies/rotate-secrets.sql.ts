import type { Pool, PoolClient } from "pg";

/** Some secrets of one company, each sealed, by the names of their places. */
export interface SealedSecrets {
  readonly companyId: number;
  readonly secrets: Readonly<Record<string, string>>;
}

/** Where secrets are stored. */
export interface SealedSource {
  /** Counts the companies with a secret that does not begin with this prefix. */
  count(pool: Pool, prefix: string): Promise<number>;
  /**
   * Reads and locks the secrets of some companies that have one that does not begin with this prefix, in the order of their
   * ids.
   *
   * @param options.after the id of the company before the first.
   */
  lock(
    client: PoolClient,
    options: { prefix: string; after: number; most: number },
  ): Promise<SealedSecrets[]>;
  /** Reads some secrets, at most of so many companies. */
  sample(pool: Pool, most: number): Promise<SealedSecrets[]>;
  /** Writes secrets that were sealed anew, of rows that are locked. */
  write(client: PoolClient, rotated: readonly SealedSecrets[]): Promise<void>;
}

/** The secrets among the settings of companies. */
export const settingsSecrets: SealedSource = {
  count: async (pool, prefix) => {
    const { rows } = await pool.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM company_settings /* all companies */
        WHERE EXISTS (SELECT FROM jsonb_each_text(secrets) WHERE NOT starts_with(value, $1))`,
      [prefix],
    );
    return rows[0]?.count ?? 0;
  },

  lock: async (client, { prefix, after, most }) => {
    const { rows } = await client.query<SealedSecrets>(
      `SELECT company_id AS "companyId", secrets FROM company_settings /* all companies */
        WHERE company_id > $2 AND EXISTS (SELECT FROM jsonb_each_text(secrets) WHERE NOT starts_with(value, $1))
        ORDER BY company_id LIMIT $3 FOR UPDATE`,
      [prefix, after, most],
    );
    return rows;
  },

  sample: async (pool, most) => {
    const { rows } = await pool.query<SealedSecrets>(
      `SELECT company_id AS "companyId", secrets FROM company_settings /* all companies */
        WHERE secrets <> '{}' LIMIT $1`,
      [most],
    );
    return rows;
  },

  write: async (client, rotated) => {
    await client.query(
      `UPDATE company_settings s /* all companies */ SET secrets = r.secrets
         FROM unnest($1::int[], $2::jsonb[]) AS r (company_id, secrets) WHERE s.company_id = r.company_id`,
      [rotated.map(({ companyId }) => companyId), rotated.map(({ secrets }) => JSON.stringify(secrets))],
    );
  },
};
