import type { Db } from "../../src/core/db/db.js";
import { sql, type Sql } from "../../src/core/db/sql.js";

/**
 * Moves moments of rows into the past, as if time had gone by. The moments are read first: a distributed database reckons no time beside
 * the columns of a change.
 *
 * @param where says which rows, with their company.
 * @param interval as PostgreSQL writes it, such as `5 seconds`; it may be negative.
 */
export async function letRowsAge(
  db: Pick<Db, "$queryRaw" | "$executeRaw">,
  { table, columns, where }: { table: string; columns: readonly string[]; where: Sql },
  interval: string,
): Promise<void> {
  for (const name of columns) {
    const [rows, column] = [sql.raw(table), sql.raw(name)];
    const found = await db.$queryRaw<{ at: Date; earlier: Date }[]>(sql`
      SELECT DISTINCT ${column} AS at, ${column} - ${interval}::interval AS earlier
        FROM ${rows} WHERE ${where} AND ${column} IS NOT NULL ORDER BY 1`);
    // Those that go first make room for the others, so that none is moved twice.
    if (found.some(({ at, earlier }) => earlier > at)) found.reverse();
    for (const { at, earlier } of found)
      await db.$executeRaw(sql`
        UPDATE ${rows} SET ${column} = ${earlier}::timestamptz WHERE ${where} AND ${column} = ${at}::timestamptz`);
  }
}
