import { MODEL_FACTS } from "../../generated/models.js";
import { sql, type Sql } from "../db/sql.js";
import type { CompanyScope } from "../scope/company-scope.js";
import type { ModelName } from "../scope/tenant-models.js";

/** The models of the rows that a model's rows are parts of (`@partOf`). */
export function wholesOf(model: ModelName): readonly ModelName[] {
  return MODEL_FACTS[model].wholes.map((whole) => whole.model);
}

/** Whether the model's rows are parts of other rows. */
export function hasWholes(model: ModelName): boolean {
  return wholesOf(model).length > 0;
}

/**
 * Locks the rows of which a row is a part, and those of which they are parts, before it: its change moves their versions.
 * Whoever changes a whole with its parts takes the locks in this order, too.
 *
 * @param part is its id, or the values of a new one.
 */
export async function lockWholes(
  scope: Pick<CompanyScope, "db" | "companyId">,
  model: ModelName,
  part: number | Readonly<Record<string, unknown>>,
): Promise<void> {
  for (const { model: whole, name } of MODEL_FACTS[model].wholes) {
    const key =
      typeof part === "number" ? wholeOf(scope, model, name, sql`${part}::int`) : sql`${part[name]}::int`;
    await lockRow(scope, whole, key);
  }
}

async function lockRow(
  scope: Pick<CompanyScope, "db" | "companyId">,
  model: ModelName,
  key: Sql,
): Promise<void> {
  const { wholes } = MODEL_FACTS[model];
  const table = sql.raw(`"${MODEL_FACTS[model].table}"`);
  for (const { model: whole, name } of wholes) await lockRow(scope, whole, wholeOf(scope, model, name, key));
  const { db, companyId } = scope;
  await db.$queryRaw`
    SELECT FROM ${table} WHERE company_id = ${companyId} AND id = ${key} FOR NO KEY UPDATE`;
}

/** The key of the whole that a row names. */
function wholeOf(
  { companyId }: Pick<CompanyScope, "companyId">,
  model: ModelName,
  name: string,
  id: Sql,
): Sql {
  const { table, wholes } = MODEL_FACTS[model];
  const column = wholes.find((whole) => whole.name === name)?.column ?? "";
  return sql`(SELECT ${sql.raw(`"${column}"`)} FROM ${sql.raw(`"${table}"`)} WHERE company_id = ${companyId} AND id = ${id})`;
}
