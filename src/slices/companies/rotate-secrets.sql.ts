import { oldOnes, type SealedSecrets, type SealedSource } from "../../core/sealed-source.js";

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

  companies: async (pool, { prefix, after, most }) => {
    const { rows } = await pool.query<{ companyId: number }>(
      `SELECT company_id AS "companyId" FROM company_settings /* all companies */
        WHERE company_id > $2 AND EXISTS (SELECT FROM jsonb_each_text(secrets) WHERE NOT starts_with(value, $1))
        ORDER BY company_id LIMIT $3`,
      [prefix, after, most],
    );
    return rows.map(({ companyId }) => companyId);
  },

  lock: async (client, companyId, prefix) => {
    const { rows } = await client.query<SealedSecrets>(
      `SELECT company_id AS "companyId", secrets FROM company_settings
        WHERE company_id = $1 FOR UPDATE`,
      [companyId],
    );
    return oldOnes(rows[0]?.secrets ?? {}, prefix);
  },

  sample: async (pool, most) => {
    const { rows } = await pool.query<SealedSecrets>(
      `SELECT company_id AS "companyId", secrets FROM company_settings /* all companies */
        WHERE secrets <> '{}' LIMIT $1`,
      [most],
    );
    return rows;
  },

  write: async (client, { companyId, secrets }) => {
    await client.query("UPDATE company_settings SET secrets = secrets || $2::jsonb WHERE company_id = $1", [
      companyId,
      JSON.stringify(secrets),
    ]);
  },
};
