import { MODEL_FACTS } from "../../generated/models.js";
import { sql, type Sql } from "../db/sql.js";
import type { CompanyScope } from "../scope/company-scope.js";
import { conditionOf, keptOfPerson, rowsOfPerson, type PersonRows } from "./person-rows.js";

/**
 * All rows that are kept of a person, and those about any of them, by their tables, as of one moment; deleted ones too. They have all columns but hashes and what the
 * trail hides for being a secret.
 *
 * @returns names and values as the database has them.
 */
export async function readPerson(
  { companyId, db }: CompanyScope,
  kind: "client",
  id: number,
): Promise<Readonly<Record<string, readonly object[]>>> {
  const [company, person] = keysOf(companyId, id);
  const known = rowsOfPerson(kind);
  const tables = known.map((rows) => {
    const { table, key } = MODEL_FACTS[rows.model];
    const condition = keptOfPerson(rows, known, company, person);
    return sql`(
      SELECT coalesce(json_agg(to_jsonb(kept) - ${hiddenColumns(rows)}::text[] ORDER BY ${names(key)}), '[]')
        FROM ${names([table])} AS kept WHERE ${condition}) AS ${names([table])}`;
  });
  const [row] = await db.$queryRaw<Record<string, readonly object[]>[]>(
    sql`SELECT ${sql.join(tables, ", ")}`,
  );
  return row ?? {};
}

/**
 * Erases what the marks `@personal` name in all rows of a person, and removes the rows that go with it: what is private to it, and what
 * the mark says so of. The person's row, which is locked, says since when it is deleted and erased. The trail is another matter.
 */
export async function erasePerson(scope: CompanyScope, kind: "client", id: number): Promise<void> {
  const { companyId, db, at } = scope;
  const [company, person] = keysOf(companyId, id);
  const known = rowsOfPerson(kind);
  const isAbout = ({ model }: PersonRows): boolean => MODEL_FACTS[model].about !== null;
  // What is about other rows of the person comes first, while these are there.
  for (const rows of [...known.filter(isAbout), ...known.filter((one) => !isAbout(one))]) {
    const { table, personal, goesWithPerson, fields } = MODEL_FACTS[rows.model];
    const condition = keptOfPerson(rows, known, company, person);
    if (personal.length > 0) await lockWholes(scope, rows, person);
    if (goesWithPerson) {
      await db.$executeRaw(sql`DELETE FROM ${names([table])} WHERE ${condition}`);
    } else if (personal.length > 0) {
      const emptied = personal.map(({ column, empty }) => sql.raw(`"${column}" = ${empty}`));
      const kept = personal.map(({ column, empty }) => sql.raw(`"${column}" IS DISTINCT FROM ${empty}`));
      if (fields.includes("updatedAt")) emptied.push(sql`updated_at = now()`);
      if (fields.includes("erasedAt")) {
        emptied.push(sql`deleted_at = coalesce(deleted_at, ${at}::timestamptz)`);
        emptied.push(sql`erased_at = coalesce(erased_at, ${at}::timestamptz)`);
        kept.push(sql`erased_at IS NULL`);
      }
      await db.$executeRaw(sql`
        UPDATE ${names([table])} SET ${sql.join(emptied, ", ")}
         WHERE ${condition} AND (${sql.join(kept, " OR ")})`);
    }
  }
}

/** Locks the rows whose parts change before these, as whoever changes a whole with its parts does. */
async function lockWholes({ companyId, db }: CompanyScope, { ways }: PersonRows, person: Sql): Promise<void> {
  for (const way of ways) {
    if (way.by !== "relation") continue;
    const { table, key } = MODEL_FACTS[way.rows.model];
    const condition = conditionOf(way.rows, sql`${companyId}::int`, person);
    await db.$queryRaw(
      sql`SELECT FROM ${names([table])} WHERE ${condition} ORDER BY ${names(key)} FOR NO KEY UPDATE`,
    );
  }
}

function keysOf(companyId: number, id: number): [Sql, Sql] {
  return [sql`${companyId}::int`, sql`${id}::int`];
}

/** Hashes, what the database makes of other columns, and secrets; what is private to the person is hidden from others alone. */
function hiddenColumns({ model }: PersonRows): string[] {
  const { bytes, made, owner, audit } = MODEL_FACTS[model];
  return [...bytes, ...made, ...(owner === null ? (audit?.hides ?? []) : [])];
}

function names(columns: readonly string[]): Sql {
  return sql.raw(columns.map((name) => `"${name}"`).join(", "));
}
