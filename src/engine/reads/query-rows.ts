import type { Prisma, PrismaClient } from "../../generated/prisma/client.js";
import type { Db, RowsOptions } from "../../core/scope/company-scope.js";
import type { ReadMeter } from "../limits/read-meter.js";
import { readerOf } from "./row-reader.js";

/**
 * Returns the rows of a statement written by hand, as `$queryRaw` gives them. It goes past Prisma's engine, for
 * statements that run at every request; within a transaction Prisma runs it, since Prisma has the connection.
 *
 * @param options.meter counts the rows; without it nobody does.
 */
export function queryRows<Row>(
  db: Db,
  statement: Prisma.Sql,
  { plan, meter }: RowsOptions & { readonly meter?: ReadMeter } = {},
): Promise<Row[]> {
  const reader = readerOf(db as PrismaClient);
  return reader === undefined
    ? db.$queryRaw<Row[]>(statement)
    : (reader.query(statement.text, statement.values, { plan, meter }) as Promise<Row[]>);
}
