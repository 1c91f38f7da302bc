import type { Prisma, PrismaClient } from "../../generated/prisma/client.js";
import type { Db } from "../../core/scope/company-scope.js";
import { readerOf } from "./row-reader.js";

/**
 * The rows of a hand-written statement: as `$queryRaw` gives them, and past Prisma's engine as simple reads go, for
 * statements that run at every request. Within a transaction it is Prisma's, which has the connection.
 */
export function queryRows<Row>(db: Db, statement: Prisma.Sql): Promise<Row[]> {
  const reader = readerOf(db as PrismaClient);
  return reader === undefined
    ? db.$queryRaw<Row[]>(statement)
    : (reader.query(statement.text, statement.values) as Promise<Row[]>);
}
