import { MODEL_FACTS } from "../../generated/models.js";
import { sql } from "../db/sql.js";
import type { CompanyScope, Db } from "../scope/company-scope.js";
import type { ModelName } from "../scope/tenant-models.js";
import type { StoredSheet } from "../sheets/with-sheet.js";
import { keptErrors, type FileWork } from "./followed-job.js";
import type { SheetCursor, SheetReach } from "./sheet-work.js";
import type { WorkRow, WorkScope } from "./work.js";

/** Of the lines that are wrong, at most so many are listed. */
export const MOST_LINE_ERRORS = 1_000;

/** What is wrong with a line of a list. */
export interface LineError {
  readonly line: number;
  readonly rule: string;
  readonly message: string;
}

/** A list whose row is locked. */
export interface LockedList extends SheetCursor {
  /** How many lines were wrong so far. */
  readonly failed: number;
}

/** What a batch of lines did. */
export interface DoneLines extends SheetReach {
  readonly total: number;
  readonly added: number;
  readonly errors: readonly LineError[];
}

/** The table of uploaded lists. All of it is SQL of the service's own. */
export interface ListTables {
  readonly model: ModelName;
  /** Rows whose version moves once all lines are added to them, where no batch of lines moves it. */
  readonly owner?: { readonly model: ModelName; readonly id: string };
}

/** Writes how uploaded lists of lines stand. */
export class UploadedLists {
  private readonly table;
  private readonly owner;

  constructor({ model, owner }: ListTables) {
    this.table = sql.raw(MODEL_FACTS[model].table);
    this.owner = owner && { table: sql.raw(MODEL_FACTS[owner.model].table), id: sql.raw(owner.id) };
  }

  /** Begins a list, or goes on with one that was begun. @returns `null` for a list that has ended. */
  async begin({
    db,
    companyId,
    id,
  }: WorkScope): Promise<(StoredSheet & Pick<SheetCursor, "nextRow">) | null> {
    const [list] = await db.$queryRaw<(StoredSheet & Pick<SheetCursor, "nextRow">)[]>`
      UPDATE ${this.table} SET status = 'running', updated_at = now()
       WHERE company_id = ${companyId} AND id = ${id} AND status IN ('queued', 'running')
      RETURNING company_id AS "companyId", file_key AS "fileKey", format, next_line AS "nextRow"`;
    return list ?? null;
  }

  /** Reads how far a list has come; `null` when there is none. */
  async find(
    { db, companyId }: Pick<CompanyScope, "db" | "companyId">,
    id: number,
  ): Promise<FileWork | null> {
    const [list] = await db.$queryRaw<FileWork[]>`
      SELECT status, total AS done, file_read AS "fileRead" FROM ${this.table}
       WHERE company_id = ${companyId} AND id = ${id}`;
    return list ?? null;
  }

  /** Counts a batch, and keeps its errors behind those that are there, up to the most that are listed. */
  async write(
    db: Db,
    { companyId, id }: WorkRow,
    { failed }: LockedList,
    { nextRow, fileRead, total, added, errors }: DoneLines,
  ): Promise<void> {
    const kept = keptErrors(errors, failed, MOST_LINE_ERRORS);
    await db.$executeRaw`
      UPDATE ${this.table}
         SET next_line = ${nextRow}::int, file_read = ${fileRead}::float8, total = total + ${total}::int,
             added = added + ${added}::int, failed = failed + ${errors.length}::int,
             errors = CASE WHEN ${kept.length}::int = 0 THEN errors ELSE errors || ${JSON.stringify(kept)}::jsonb END
       WHERE company_id = ${companyId} AND id = ${id}`;
  }

  /** Ends a list that runs, and lets its file go. An owner has changed when lines were added to it. */
  async end(
    db: Db,
    { companyId, id }: WorkRow,
    status: "finished" | "failed",
    message: string | null,
  ): Promise<void> {
    const ending = sql`
      UPDATE ${this.table}
         SET status = ${status}, message = ${message}, file_key = NULL, finished_at = now(), updated_at = now(),
             file_read = CASE WHEN ${status} = 'finished' THEN 1 ELSE file_read END
       WHERE company_id = ${companyId} AND id = ${id} AND status = 'running'`;
    await (this.owner === undefined
      ? db.$executeRaw(ending)
      : db.$executeRaw`
      WITH ended AS (${ending} RETURNING ${this.owner.id} AS owner_id, added)
      UPDATE ${this.owner.table} o SET version = version + 1
        FROM ended WHERE o.company_id = ${companyId} AND o.id = ended.owner_id AND ended.added > 0`);
  }
}
