import type { SealedSecrets, SealedSource } from "../../core/sealed-source.js";

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
