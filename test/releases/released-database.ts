import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import type pg from "pg";
import { readMigrations } from "../../src/engine/migrations/migration-files.js";

const FILE = fileURLToPath(new URL("../../schema/released/database.json.gz", import.meta.url));

/** The demo data as a release writes them, without the tables: those follow from its migrations. */
export interface ReleasedDatabase {
  /** The checksums of the release's migrations by their names. */
  readonly migrations: Readonly<Record<string, string>>;
  /** The rows of each table, as the text of a JSON array. */
  readonly rows: Readonly<Record<string, string>>;
  /** The last value of each sequence. */
  readonly sequences: Readonly<Record<string, string>>;
}

export function readReleasedDatabase(): ReleasedDatabase {
  return JSON.parse(gunzipSync(readFileSync(FILE)).toString()) as ReleasedDatabase;
}

/** Keeps the rows of a database as those of the last release. */
export async function keepReleasedDatabase(client: pg.Client): Promise<void> {
  const migrations = (await readMigrations()).map(({ name, checksum }) => [name, checksum] as const);
  const rows: Record<string, string> = {};
  for (const [table, columns] of await columnsOf(client)) {
    const { rows: found } = await client.query<{ text: string | null }>(
      `SELECT json_agg(t)::text AS text FROM (SELECT ${columns} FROM "${table}") AS t`,
    );
    if (found[0]?.text != null) rows[table] = found[0].text;
  }
  const sequences = await client.query<{ name: string; value: string }>(
    `SELECT sequencename AS name, last_value::text AS value FROM pg_sequences
      WHERE schemaname = 'public' AND last_value IS NOT NULL`,
  );
  const kept: ReleasedDatabase = {
    migrations: Object.fromEntries(migrations),
    rows,
    sequences: Object.fromEntries(sequences.rows.map(({ name, value }) => [name, value])),
  };
  writeFileSync(FILE, gzipSync(JSON.stringify(kept), { level: 9 }));
}

/** Puts the rows of the last release into a database that has its tables, as a restored backup would. */
export async function restoreReleasedDatabase(
  client: pg.Client,
  { rows, sequences }: ReleasedDatabase,
): Promise<void> {
  const columns = await columnsOf(client);
  await client.query("BEGIN");
  await client.query("SET LOCAL session_replication_role = replica");
  for (const [table, text] of Object.entries(rows)) {
    const names = columns.get(table) ?? "";
    await client.query(
      `INSERT INTO "${table}" (${names}) SELECT ${names} FROM json_populate_recordset(NULL::"${table}", $1)`,
      [text],
    );
  }
  for (const [name, value] of Object.entries(sequences))
    await client.query("SELECT setval($1::regclass, $2)", [`"${name}"`, value]);
  await client.query("COMMIT");
}

/** Returns the columns of each table that rows are written with. */
async function columnsOf(client: pg.Client): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ table: string; columns: string }>(`
    SELECT c.relname AS table, string_agg(format('%I', a.attname), ', ' ORDER BY a.attnum) AS columns
      FROM pg_class c
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> '_prisma_migrations'
     GROUP BY c.relname`);
  return new Map(rows.map(({ table, columns }) => [table, columns]));
}
