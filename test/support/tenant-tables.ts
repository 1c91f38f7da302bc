import pg from "pg";

/**
 * Returns the names of all tables with a `company_id`. They come from the catalogue, so that a new table counts
 * too.
 */
export async function tablesWithCompany(url: string): Promise<ReadonlySet<string>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      "SELECT table_name AS name FROM information_schema.columns WHERE column_name = 'company_id' AND table_schema = current_schema()",
    );
    return new Set(rows.map(({ name }) => name));
  } finally {
    await client.end();
  }
}
