import type pg from "pg";

/**
 * What Prisma's schema language cannot describe: a function, a trigger, a check, a GIN index, an index with a condition, an expression, a
 * collation or more columns than its key has, and statistics for the planner.
 */
export interface SqlObject {
  readonly kind: "function" | "trigger" | "check" | "index" | "statistics" | "comment";
  /** The name that identifies the object in its database, such as `function use_coupon(integer,integer)`. */
  readonly name: string;
  /** The text that PostgreSQL prints; it is the same for two spellings of one object. */
  readonly definition: string;
  /** The script that creates the object; the script of a function is its source, comments included. */
  readonly create: string;
  readonly drop: string;
  /** The parts that `CREATE OR REPLACE` cannot change; `null` for all that cannot be replaced. */
  readonly signature: string | null;
}

/** A difference between two databases; `null` stands for an object that one of them lacks. */
export interface SqlDifference {
  readonly name: string;
  readonly migrated: SqlObject | null;
  readonly source: SqlObject | null;
}

/** Returns the objects of the schema `public` that belong to no extension. */
export async function readSqlObjects(client: pg.Client): Promise<SqlObject[]> {
  const { rows } = await client.query<SqlObject>(SQL_OBJECTS);
  return rows;
}

/** Compares the objects of a migrated database with those that the sources create, in the order of their names. */
export function compareSqlObjects(migrated: SqlObject[], sources: SqlObject[]): SqlDifference[] {
  const byName = new Map<string, SqlDifference>();
  for (const object of migrated)
    byName.set(object.name, { name: object.name, migrated: object, source: null });
  for (const object of sources) {
    const { name } = object;
    byName.set(name, { name, migrated: byName.get(name)?.migrated ?? null, source: object });
  }
  return [...byName.values()]
    .filter(({ migrated, source }) => migrated?.definition !== source?.definition)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

const SQL_OBJECTS = `
  SELECT *, definition || E';\\n' AS "create"
    FROM (
      SELECT 'function' AS kind, 'function ' || p.oid::regprocedure AS name,
             pg_get_functiondef(p.oid) AS definition,
             format(E'DROP ROUTINE %s;\\n', p.oid::regprocedure) AS "drop",
             concat_ws(' ', p.prokind, pg_get_function_arguments(p.oid), pg_get_function_result(p.oid)) AS signature
        FROM pg_proc p
       WHERE p.pronamespace = 'public'::regnamespace AND p.prokind <> 'a'
         AND NOT EXISTS (
           SELECT FROM pg_depend d
            WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
      UNION ALL
      SELECT 'trigger', format('trigger %I on %s', t.tgname, t.tgrelid::regclass),
             pg_get_triggerdef(t.oid),
             format(E'DROP TRIGGER %I ON %s;\\n', t.tgname, t.tgrelid::regclass),
             NULL
        FROM pg_trigger t
        JOIN pg_class c ON c.oid = t.tgrelid
       WHERE c.relnamespace = 'public'::regnamespace AND NOT t.tgisinternal
      UNION ALL
      SELECT 'check', format('check %I on %s', k.conname, k.conrelid::regclass),
             format('ALTER TABLE %s ADD CONSTRAINT %I %s', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid)),
             format(E'ALTER TABLE %s DROP CONSTRAINT %I;\\n', k.conrelid::regclass, k.conname),
             NULL
        FROM pg_constraint k
        JOIN pg_class c ON c.oid = k.conrelid
       WHERE c.relnamespace = 'public'::regnamespace AND k.contype = 'c'
      UNION ALL
      SELECT 'index', format('index %I on %s', x.relname, i.indrelid::regclass),
             pg_get_indexdef(i.indexrelid),
             format(E'DROP INDEX %I;\\n', x.relname),
             NULL
        FROM pg_index i
        JOIN pg_class x ON x.oid = i.indexrelid
        JOIN pg_am m ON m.oid = x.relam
       WHERE x.relnamespace = 'public'::regnamespace
         AND (m.amname <> 'btree' OR i.indpred IS NOT NULL OR i.indexprs IS NOT NULL OR i.indnatts > i.indnkeyatts OR i.indnullsnotdistinct
              OR EXISTS (
                SELECT FROM unnest(i.indkey::int2[], i.indcollation::oid[]) AS k(attnum, collation_id)
                  JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
                 WHERE a.attcollation <> k.collation_id))
      UNION ALL
      SELECT 'comment', format('comment on index %I', x.relname),
             format('COMMENT ON INDEX %I IS %L', x.relname, d.description),
             format(E'COMMENT ON INDEX %I IS NULL;\\n', x.relname),
             NULL
        FROM pg_description d
        JOIN pg_class x ON x.oid = d.objoid AND x.relkind = 'i' AND d.classoid = 'pg_class'::regclass
       WHERE x.relnamespace = 'public'::regnamespace
      UNION ALL
      SELECT 'statistics', format('statistics %I on %s', s.stxname, s.stxrelid::regclass),
             concat_ws(E';\\n', pg_get_statisticsobjdef(s.oid),
               CASE WHEN s.stxstattarget >= 0
                    THEN format('ALTER STATISTICS %I SET STATISTICS %s', s.stxname, s.stxstattarget) END),
             format(E'DROP STATISTICS %I;\\n', s.stxname),
             NULL
        FROM pg_statistic_ext s
       WHERE s.stxnamespace = 'public'::regnamespace
      UNION ALL
      SELECT 'statistics', format('statistics of %s.%I', a.attrelid::regclass, a.attname),
             format('ALTER TABLE %s ALTER COLUMN %I SET STATISTICS %s', a.attrelid::regclass, a.attname, a.attstattarget),
             format(E'ALTER TABLE %s ALTER COLUMN %I SET STATISTICS -1;\\n', a.attrelid::regclass, a.attname),
             NULL
        FROM pg_attribute a
        JOIN pg_class c ON c.oid = a.attrelid
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
         AND a.attstattarget >= 0
    ) AS objects`;
