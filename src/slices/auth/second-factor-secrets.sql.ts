import type { PoolClient } from "pg";
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

  lock: async (client, { prefix, after, most }) => {
    const { rows } = await client.query<SealedSecrets>(
      `WITH due AS (
         SELECT company_id, admin_id, secret FROM second_factors /* all companies */
          WHERE NOT starts_with(secret, $1) AND company_id IN (
            SELECT DISTINCT company_id FROM second_factors
             WHERE company_id > $2 AND NOT starts_with(secret, $1) ORDER BY company_id LIMIT $3)
          ORDER BY company_id, admin_id FOR UPDATE)
       SELECT company_id AS "companyId", jsonb_object_agg('second_factor.' || admin_id, secret) AS secrets
         FROM due GROUP BY company_id ORDER BY company_id`,
      [prefix, after, most],
    );
    return rows;
  },

  sample: async (pool, most) => {
    const { rows } = await pool.query<SealedSecrets>(
      `SELECT company_id AS "companyId", jsonb_build_object('second_factor.' || admin_id, secret) AS secrets
         FROM second_factors /* all companies */ LIMIT $1`,
      [most],
    );
    return rows;
  },

  write: async (client: PoolClient, rotated) => {
    const entries = rotated.flatMap(({ companyId, secrets }) =>
      Object.entries(secrets).map(([name, secret]) => ({ companyId, name, secret })),
    );
    await client.query(
      `UPDATE second_factors f /* all companies */ SET secret = r.secret
         FROM unnest($1::int[], $2::text[], $3::text[]) AS r (company_id, name, secret)
        WHERE f.company_id = r.company_id AND r.name = 'second_factor.' || f.admin_id`,
      [
        entries.map(({ companyId }) => companyId),
        entries.map(({ name }) => name),
        entries.map(({ secret }) => secret),
      ],
    );
  },
};
