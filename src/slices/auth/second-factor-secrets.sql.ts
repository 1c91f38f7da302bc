import type { SealedSecrets, SealedSource } from "../../core/sealed-source.js";

/** The secrets of second factors, by the names of the places that they are sealed for. */
export const secondFactorSecrets: SealedSource = {
  count: async (pool, prefix) => {
    const { rows } = await pool.query<{ count: number }>(
      `SELECT count(DISTINCT company_id)::int AS count FROM second_factors /* all companies */
        WHERE NOT starts_with(secret, $1)`,
      [prefix],
    );
    return rows[0]?.count ?? 0;
  },

  companies: async (pool, { prefix, after, most }) => {
    const { rows } = await pool.query<{ companyId: number }>(
      `SELECT DISTINCT company_id AS "companyId" FROM second_factors /* all companies */
        WHERE company_id > $2 AND NOT starts_with(secret, $1) ORDER BY company_id LIMIT $3`,
      [prefix, after, most],
    );
    return rows.map(({ companyId }) => companyId);
  },

  lock: async (client, companyId, prefix) => {
    const { rows } = await client.query<{ name: string; secret: string }>(
      `SELECT 'second_factor.' || admin_id AS name, secret FROM second_factors
        WHERE company_id = $1 AND NOT starts_with(secret, $2) ORDER BY admin_id FOR UPDATE`,
      [companyId, prefix],
    );
    return Object.fromEntries(rows.map(({ name, secret }) => [name, secret]));
  },

  sample: async (pool, most) => {
    const { rows } = await pool.query<SealedSecrets>(
      `SELECT company_id AS "companyId", jsonb_build_object('second_factor.' || admin_id, secret) AS secrets
         FROM second_factors /* all companies */ LIMIT $1`,
      [most],
    );
    return rows;
  },

  write: async (client, { companyId, secrets }) => {
    await client.query(
      `UPDATE second_factors SET secret = $2::jsonb ->> ('second_factor.' || admin_id)
        WHERE company_id = $1 AND $2::jsonb ? ('second_factor.' || admin_id)`,
      [companyId, JSON.stringify(secrets)],
    );
  },
};
