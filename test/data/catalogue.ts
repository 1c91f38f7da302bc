import type { Client } from "pg";

/** The objects of a database, one line each, so that two databases can be compared as lists. */
export interface Catalogue {
  columns: string[];
  constraints: string[];
  indexes: string[];
  sequences: string[];
}

/**
 * The tables, keys and indexes of the schema `public` that Prisma's schema language can express. It leaves out
 * what the SQL sources have (checks, partial, expression and GIN indexes, collations of indexes, triggers, functions), and generated
 * values.
 */
export async function readCatalogue(client: Client): Promise<Catalogue> {
  const lines = async (sql: string) =>
    (await client.query<{ line: string }>(sql)).rows.map((row) => row.line).sort();
  return {
    columns: await lines(COLUMNS),
    constraints: await lines(CONSTRAINTS),
    indexes: await lines(INDEXES),
    sequences: await lines(SEQUENCES),
  };
}

const COLUMNS = `
  SELECT concat_ws(' ', c.relname || '.' || a.attname, format_type(a.atttypid, a.atttypmod),
           CASE WHEN a.attnotnull THEN 'not null' END,
           CASE WHEN a.attgenerated = '' THEN pg_get_expr(d.adbin, d.adrelid) END) AS line
    FROM pg_attribute a
    JOIN pg_class c ON c.oid = a.attrelid
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
   WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0
     AND NOT a.attisdropped AND c.relname <> '_prisma_migrations'`;

const CONSTRAINTS = `
  SELECT concat_ws(' ', c.relname, k.conname, pg_get_constraintdef(k.oid)) AS line
    FROM pg_constraint k
    JOIN pg_class c ON c.oid = k.conrelid
   WHERE c.relnamespace = 'public'::regnamespace AND k.contype IN ('p', 'u', 'f')
     AND c.relname <> '_prisma_migrations'`;

const INDEXES = `
  SELECT replace(pg_get_indexdef(i.indexrelid), ' COLLATE "C"', '') AS line
    FROM pg_index i
    JOIN pg_class c ON c.oid = i.indrelid
    JOIN pg_class x ON x.oid = i.indexrelid
    JOIN pg_am m ON m.oid = x.relam
   WHERE c.relnamespace = 'public'::regnamespace AND m.amname = 'btree' AND i.indpred IS NULL AND i.indexprs IS NULL
     AND c.relname <> '_prisma_migrations'`;

const SEQUENCES = `
  SELECT concat_ws(' ', sequencename, data_type, start_value, increment_by, max_value) AS line
    FROM pg_sequences
   WHERE schemaname = 'public'`;
