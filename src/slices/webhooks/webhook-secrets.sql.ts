import { oldOnes, type SealedSecrets, type SealedSource } from "../../core/sealed-source.js";

/** A row for each secret, by the name of the place that it is sealed for. */
const SECRETS = `(
  SELECT company_id, 'webhook.' || webhook_id AS name, secret FROM webhook_states /* all companies */
   UNION ALL
  SELECT company_id, 'webhook.' || webhook_id || '.previous', previous_secret FROM webhook_states
   WHERE previous_secret IS NOT NULL)`;

/** The secrets of webhooks, by the names of the places that they are sealed for. */
export const webhookSecrets: SealedSource = {
  count: async (pool, prefix) => {
    const { rows } = await pool.query<{ count: number }>(
      `SELECT count(DISTINCT company_id)::int AS count FROM ${SECRETS} AS s /* all companies */
        WHERE NOT starts_with(secret, $1)`,
      [prefix],
    );
    return rows[0]?.count ?? 0;
  },

  companies: async (pool, { prefix, after, most }) => {
    const { rows } = await pool.query<{ companyId: number }>(
      `SELECT DISTINCT company_id AS "companyId" FROM ${SECRETS} AS s /* all companies */
        WHERE company_id > $2 AND NOT starts_with(secret, $1) ORDER BY company_id LIMIT $3`,
      [prefix, after, most],
    );
    return rows.map(({ companyId }) => companyId);
  },

  lock: async (client, companyId, prefix) => {
    const { rows } = await client.query<{ name: string; secret: string; previous: string | null }>(
      `SELECT 'webhook.' || webhook_id AS name, secret, previous_secret AS previous FROM webhook_states
        WHERE company_id = $1 ORDER BY webhook_id FOR UPDATE`,
      [companyId],
    );
    const secrets = rows.flatMap(({ name, secret, previous }) => [
      [name, secret],
      ...(previous === null ? [] : [[`${name}.previous`, previous]]),
    ]);
    return oldOnes(Object.fromEntries(secrets) as Record<string, string>, prefix);
  },

  sample: async (pool, most) => {
    const { rows } = await pool.query<SealedSecrets>(
      `SELECT company_id AS "companyId", jsonb_build_object(name, secret) AS secrets
         FROM ${SECRETS} AS s /* all companies */ LIMIT $1`,
      [most],
    );
    return rows;
  },

  write: async (client, { companyId, secrets }) => {
    await client.query(
      `UPDATE webhook_states
          SET secret = coalesce($2::jsonb ->> ('webhook.' || webhook_id), secret),
              previous_secret = coalesce($2::jsonb ->> ('webhook.' || webhook_id || '.previous'), previous_secret)
        WHERE company_id = $1`,
      [companyId, JSON.stringify(secrets)],
    );
  },
};
