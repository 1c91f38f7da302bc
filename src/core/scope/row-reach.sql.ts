import { sql } from "../db/sql.js";
import { batched } from "../relations/batched.js";
import { DomainError, notFound, onlyRead } from "../errors/domain-error.js";
import { MODEL_FACTS } from "../../generated/models.js";
import type { CompanyScope } from "./company-scope.js";
import type { ModelName } from "./tenant-models.js";

/**
 * Whether a row is not beyond the shops that a caller is bound to. It reads nothing for who is bound to none: there is no row of the
 * company that such a caller does not reach.
 */
export async function isReached(scope: CompanyScope, model: ModelName, id: number): Promise<boolean> {
  return !scope.isBound || (await reachOf(scope, model, id)) !== "none";
}

/**
 * Asserts that a row is not beyond the shops that a caller is bound to, before what goes by all of the company.
 *
 * @throws DomainError NOT_FOUND.
 */
export async function assertReached(scope: CompanyScope, model: ModelName, id: number): Promise<void> {
  if (!(await isReached(scope, model, id))) throw notFound(model);
}

/**
 * Asserts the same, and that the caller writes the row.
 *
 * @throws DomainError NOT_FOUND; FORBIDDEN for a row of the whole company.
 */
export async function assertWritten(scope: CompanyScope, model: ModelName, id: number): Promise<void> {
  if (!scope.isBound) return;
  const reach = await reachOf(scope, model, id);
  if (reach === "none") throw notFound(model);
  if (reach === "read") throw onlyRead();
}

/** Makes a function that fields call for one row each: whether the caller writes it. It reads nothing for who is bound to none. */
export function writesOf(model: ModelName): (scope: CompanyScope, id: number) => Promise<boolean> {
  const table = sql.raw(`"${MODEL_FACTS[model].table}"`);
  const find = batched<true>(async ({ whole, companyId, written }, ids) => {
    const rows = await whole.rows<{ id: number }>(sql`
      SELECT w.id FROM ${table} w WHERE w.company_id = ${companyId} AND w.id = ANY (${[...ids]}::int[]) AND ${written(model, "w")}`);
    return new Map(rows.map(({ id }) => [id, true]));
  });
  return async (scope, id) => !scope.isBound || (await find(scope, id)) === true;
}

/**
 * Does what changes a row. Who only reads the row is refused as such before the state of the row refuses the change, and is told
 * nothing of that state (contract §6.3).
 *
 * @throws DomainError FORBIDDEN in the place of a 409 for a row of the whole company, and what `change` throws.
 */
export async function unlessOnlyRead<T>(
  scope: CompanyScope,
  { model, id }: { readonly model: ModelName; readonly id: number },
  change: () => Promise<T>,
): Promise<T> {
  if (!scope.isBound) return change();
  // What has failed in a transaction may leave it without reads.
  const isOnlyRead = (await reachOf(scope, model, id)) === "read";
  try {
    return await change();
  } catch (error) {
    throw isOnlyRead && error instanceof DomainError && error.status === 409 ? onlyRead() : error;
  }
}

async function reachOf(
  { whole, companyId, reached, written }: CompanyScope,
  model: ModelName,
  id: number,
): Promise<"none" | "read" | "written"> {
  const table = sql.raw(`"${MODEL_FACTS[model].table}"`);
  const [row] = await whole.rows<{ isWritten: boolean | null }>(sql`
    SELECT ${written(model, "w")} AS "isWritten"
      FROM ${table} w WHERE w.company_id = ${companyId} AND w.id = ${id} AND ${reached(model, "w")}`);
  if (row === undefined) return "none";
  return row.isWritten === true ? "written" : "read";
}
