import { sqlOf, type Sql } from "../../core/db/sql.js";
import type { ModelName } from "../../core/scope/tenant-models.js";
import { compileCondition } from "./compile-read.js";
import { MODEL_TABLES } from "./model-tables.js";

/**
 * Returns a condition of a list as SQL, for statements written by hand.
 *
 * @throws Error for a condition that only Prisma understands.
 */
export function conditionSql(model: ModelName, where: Readonly<Record<string, unknown>>): Sql {
  const table = MODEL_TABLES.get(model);
  const compiled = table === undefined ? null : compileCondition(table, where);
  if (compiled === null) throw new Error(`The condition on ${model} is no SQL.`);
  // Each value has its own place, in the order of the text.
  return sqlOf(compiled.text.split(/\$\d+/u), compiled.values);
}
