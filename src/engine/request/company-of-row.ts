import type { Db } from "../../core/db/db.js";
import { sql } from "../../core/db/sql.js";
import { notFound } from "../../core/errors/domain-error.js";
import { isId } from "../../core/integers.js";
import type { ModelName } from "../../core/scope/tenant-models.js";
import { MODEL_FACTS } from "../../generated/models.js";

/** A row whose company is asked for; ids are unique over all companies (contract §2.7). */
export interface CompanyRow {
  readonly model: ModelName;
  readonly id: number;
}

/**
 * Returns the company of a row, for a caller who may enter every company.
 *
 * @throws DomainError NOT_FOUND when there is no such row in any company that is not deleted.
 */
export async function companyOfRow(client: Db, { model, id }: CompanyRow): Promise<number> {
  const companyId = isId(id) ? (await companiesOfRows(client, model, [id])).get(id) : undefined;
  if (companyId === undefined) throw notFound(model);
  return companyId;
}

/** Returns the companies of rows by their ids, without those that there are in no company that is not deleted. */
export async function companiesOfRows(
  client: Db,
  model: ModelName,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const table = sql.raw(`"${MODEL_FACTS[model].table}"`);
  const rows = await client.$queryRaw<{ id: number; companyId: number }[]>`
    SELECT id::int AS id, company_id AS "companyId" FROM ${table}
     WHERE company_id IN (SELECT id FROM companies WHERE deleted_at IS NULL) AND id = ANY (${[...ids]}::int[])`;
  return new Map(rows.map(({ id, companyId }) => [id, companyId]));
}
