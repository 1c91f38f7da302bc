import type { Pool } from "pg";
import { MODEL_FACTS } from "../../generated/models.js";
import { isTenantModel, type ModelName } from "../scope/tenant-models.js";
import type { JobContext } from "./jobs.js";

/** Rows that are deleted after their time is over. All of it is SQL of the service's own. */
export interface OldRows {
  readonly model: ModelName;
  /** Which rows are old, such as `expires_at <= now()`. */
  readonly where: string;
  /** The column by which the oldest rows go first; an index has it. */
  readonly orderBy: string;
  /** How many rows go in one statement: so few that nobody waits for its locks. */
  readonly most: number;
}

type SweptDatabase = Pick<JobContext["database"], "pool" | "isDistributed">;

/**
 * Deletes some old rows of all companies, except those that another transaction has locked. A distributed database locks no rows of several
 * companies at once: there it is those of the company with the oldest one.
 *
 * @returns how many.
 */
export async function deleteSome({ pool, isDistributed }: SweptDatabase, old: OldRows): Promise<number> {
  if (!isDistributed || !isTenantModel(old.model)) return deleteThose(pool, old, "");
  const { rows } = await pool.query<{ companyId: number }>(
    `/* all companies */
     SELECT company_id AS "companyId" FROM ${MODEL_FACTS[old.model].table} WHERE ${old.where} ORDER BY ${old.orderBy} LIMIT 1`,
  );
  return rows[0] === undefined ? 0 : deleteThose(pool, old, `company_id = ${rows[0].companyId} AND`);
}

async function deleteThose(
  pool: Pool,
  { model, where, orderBy, most }: OldRows,
  ofCompany: string,
): Promise<number> {
  const { table } = MODEL_FACTS[model];
  const { rowCount } = await pool.query(`
    /* all companies */
    DELETE FROM ${table} WHERE ${ofCompany} ctid IN (
      SELECT ctid FROM ${table} WHERE ${ofCompany} (${where}) ORDER BY ${orderBy} LIMIT ${most} FOR UPDATE SKIP LOCKED
    )`);
  return rowCount ?? 0;
}
