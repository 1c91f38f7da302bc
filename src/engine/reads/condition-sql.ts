import type { PrismaClient } from "../../generated/prisma/client.js";
import { sqlOf, type Sql } from "../../core/db/sql.js";
import type { ModelName } from "../../core/scope/tenant-models.js";
import { compileCondition } from "./compile-read.js";
import { modelTables, type Table } from "./model-tables.js";

const tablesOf = new WeakMap<object, ReadonlyMap<string, Table>>();

/**
 * Returns a condition of a list as SQL, for statements written by hand.
 *
 * @throws Error for a condition that only Prisma understands.
 */
export function conditionSql(
  client: PrismaClient,
  model: ModelName,
  where: Readonly<Record<string, unknown>>,
): Sql {
  let tables = tablesOf.get(client);
  if (tables === undefined) tablesOf.set(client, (tables = modelTables(client)));
  const table = tables.get(model);
  const compiled = table === undefined ? null : compileCondition(table, where, tables);
  if (compiled === null) throw new Error(`The condition on ${model} is no SQL.`);
  // Each value has its own place, in the order of the text.
  return sqlOf(compiled.text.split(/\$\d+/u), compiled.values);
}
