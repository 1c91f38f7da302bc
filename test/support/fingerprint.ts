import pg from "pg";

/** The rows of these tables change although no data changes. */
const BOOKKEEPING = new Set([
  "_prisma_migrations",
  "rate_limits",
  "idempotency_keys",
  "idempotency_quotas",
  "usage_counts",
]);

/** Returns a hash of all rows for each table, so that a test sees whether any row changed. */
export async function fingerprints(
  url: string,
): Promise<{ take(): Promise<string>; close(): Promise<void> }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // Small tables need no workers of their own, whose start takes ten times as long as the reading.
  await client.query("SET max_parallel_workers_per_gather = 0");
  const { rows } = await client.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1",
  );
  const hashes = rows
    .filter(({ name }) => !BOOKKEEPING.has(name))
    .map(
      ({ name }) =>
        // A sum needs no order of the rows; to sort their hashes took ten times as long.
        `SELECT '${name}' AS name, sum(hashtextextended(t::text, 0))::text AS hash FROM "${name}" t`,
    );
  // The statement is prepared once: to plan it for all tables takes longer than to run it.
  const query = { name: "fingerprints", text: hashes.join(" UNION ALL ") };
  return {
    take: async () => {
      const result = await client.query<{ name: string; hash: string | null }>(query);
      return result.rows
        .map(({ name, hash }) => `${name} ${hash ?? 0}`)
        .sort()
        .join("\n");
    },
    close: () => client.end(),
  };
}
