import pg from "pg";

/** Returns all rows of each table of a database as texts, by the table's name; bytes are written as text as well. */
export async function textsOfTables(url: string): Promise<Map<string, string>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')",
    );
    await client.query("SET bytea_output = 'escape'");
    const texts = new Map<string, string>();
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
      texts.set(name, rows.map(({ row }) => row).join("\n"));
    }
    return texts;
  } finally {
    await client.end();
  }
}
