import { MODEL_FACTS } from "../../generated/models.js";
import { sql, type Sql } from "../db/sql.js";
import type { CompanyScope } from "../scope/company-scope.js";
import type { ModelName } from "../scope/tenant-models.js";

/** The models of the rows that a model's rows are parts of (`@partOf`). */
export function wholeModels(model: ModelName): readonly ModelName[] {
  return MODEL_FACTS[model].wholes.map((whole) => whole.model);
}

/** Whether the model's rows are parts of other rows. */
export function hasWholes(model: ModelName): boolean {
  return wholeModels(model).length > 0;
}

/**
 * Locks the rows of which a row is a part, and those of which they are parts, before it: its change moves their versions.
 * Whoever changes a whole with its parts takes the locks in this order, too.
 *
 * @param part is its id, the ids of several, whose wholes are locked in the order of their ids, or the values of a new one.
 */
export async function lockWholes(
  scope: Pick<CompanyScope, "db" | "companyId">,
  model: ModelName,
  part: number | readonly number[] | Readonly<Record<string, unknown>>,
): Promise<void> {
  for (const { model: whole, name } of MODEL_FACTS[model].wholes) {
    const keys = isNew(part)
      ? sql`ARRAY[${part[name]}::int]`
      : wholesOf(scope, model, name, sql`${[part].flat()}::int[]`);
    await lockRows(scope, whole, keys);
  }
}

const isNew = (
  part: number | readonly number[] | Readonly<Record<string, unknown>>,
): part is Readonly<Record<string, unknown>> => typeof part !== "number" && !Array.isArray(part);

async function lockRows(
  scope: Pick<CompanyScope, "db" | "companyId">,
  model: ModelName,
  keys: Sql,
): Promise<void> {
  const { wholes } = MODEL_FACTS[model];
  const table = sql.raw(`"${MODEL_FACTS[model].table}"`);
  for (const { model: whole, name } of wholes)
    await lockRows(scope, whole, wholesOf(scope, model, name, keys));
  const { db, companyId } = scope;
  await db.$queryRaw`
    SELECT FROM ${table} WHERE company_id = ${companyId} AND id = ANY (${keys}) ORDER BY id FOR NO KEY UPDATE`;
}

/** The keys of the wholes that rows name. */
function wholesOf(
  { companyId }: Pick<CompanyScope, "companyId">,
  model: ModelName,
  name: string,
  ids: Sql,
): Sql {
  const { table, wholes } = MODEL_FACTS[model];
  const column = wholes.find((whole) => whole.name === name)?.column ?? "";
  return sql`ARRAY(SELECT ${sql.raw(`"${column}"`)} FROM ${sql.raw(`"${table}"`)} WHERE company_id = ${companyId} AND id = ANY (${ids}))`;
}
