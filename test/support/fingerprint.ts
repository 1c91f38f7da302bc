import pg from "pg";

/** The rows of these tables change although no data changes. */
const BOOKKEEPING = new Set(["_prisma_migrations", "rate_limits", "idempotency_keys", "idempotency_quotas"]);

/** Returns a hash of all rows for each table, so that a test sees whether any row changed. */
export async function fingerprints(
  url: string,
): Promise<{ take(): Promise<string>; close(): Promise<void> }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1",
  );
  const hashes = rows
    .filter(({ name }) => !BOOKKEEPING.has(name))
    .map(
      ({ name }) =>
        `SELECT '${name}' AS name, md5(coalesce(string_agg(md5(t::text), '' ORDER BY md5(t::text)), '')) AS hash FROM "${name}" t`,
    );
  const query = hashes.join(" UNION ALL ");
  return {
    take: async () => {
      const result = await client.query<{ name: string; hash: string }>(query);
      return result.rows
        .map(({ name, hash }) => `${name} ${hash}`)
        .sort()
        .join("\n");
    },
    close: () => client.end(),
  };
}
