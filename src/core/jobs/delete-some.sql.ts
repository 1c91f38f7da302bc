import type { Pool } from "pg";
import { MODEL_FACTS } from "../../generated/models.js";
import type { ModelName } from "../scope/tenant-models.js";

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

/** Deletes some old rows of all companies, except those that another transaction has locked. @returns how many. */
export async function deleteSome(pool: Pool, { model, where, orderBy, most }: OldRows): Promise<number> {
  const { table } = MODEL_FACTS[model];
  const { rowCount } = await pool.query(`
    /* all companies */
    DELETE FROM ${table} WHERE ctid IN (
      SELECT ctid FROM ${table} WHERE ${where} ORDER BY ${orderBy} LIMIT ${most} FOR UPDATE SKIP LOCKED
    )`);
  return rowCount ?? 0;
}
