import type { SealedSecrets, SealedSource } from "../../core/sealed-source.js";

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

  lock: async (client, { prefix, after, most }) => {
    await client.query(
      `SELECT FROM webhook_states /* all companies */
        WHERE company_id IN (
          SELECT DISTINCT company_id FROM ${SECRETS} AS s
           WHERE company_id > $2 AND NOT starts_with(secret, $1) ORDER BY company_id LIMIT $3)
        ORDER BY company_id, webhook_id FOR UPDATE`,
      [prefix, after, most],
    );
    const { rows } = await client.query<SealedSecrets>(
      `SELECT company_id AS "companyId", jsonb_object_agg(name, secret) AS secrets
         FROM ${SECRETS} AS s /* all companies */
        WHERE NOT starts_with(secret, $1) AND company_id IN (
          SELECT DISTINCT company_id FROM ${SECRETS} AS s
           WHERE company_id > $2 AND NOT starts_with(secret, $1) ORDER BY company_id LIMIT $3)
        GROUP BY company_id ORDER BY company_id`,
      [prefix, after, most],
    );
    return rows;
  },

  sample: async (pool, most) => {
    const { rows } = await pool.query<SealedSecrets>(
      `SELECT company_id AS "companyId", jsonb_build_object(name, secret) AS secrets
         FROM ${SECRETS} AS s /* all companies */ LIMIT $1`,
      [most],
    );
    return rows;
  },

  write: async (client, rotated) => {
    const entries = rotated.flatMap(({ companyId, secrets }) =>
      Object.entries(secrets).map(([name, secret]) => ({ companyId, name, secret })),
    );
    await client.query(
      `UPDATE webhook_states s /* all companies */
          SET secret = coalesce((SELECT r.secret FROM unnest($1::int[], $2::text[], $3::text[]) AS r (company_id, name, secret)
                                  WHERE r.company_id = s.company_id AND r.name = 'webhook.' || s.webhook_id), secret),
              previous_secret = coalesce((SELECT r.secret FROM unnest($1::int[], $2::text[], $3::text[]) AS r (company_id, name, secret)
                                           WHERE r.company_id = s.company_id AND r.name = 'webhook.' || s.webhook_id || '.previous'), previous_secret)
        WHERE s.company_id = ANY ($1::int[])`,
      [
        entries.map(({ companyId }) => companyId),
        entries.map(({ name }) => name),
        entries.map(({ secret }) => secret),
      ],
    );
  },
};
