import { keptErrors } from "../../core/jobs/followed-job.js";
import type { SheetCursor, SheetReach } from "../../core/jobs/sheet-work.js";
import type { WorkRow } from "../../core/jobs/work.js";
import { THIS_MOMENT } from "../../core/db/moment.js";
import { sql, type Sql } from "../../core/db/sql.js";
import type { CompanyScope, Db } from "../../core/scope/company-scope.js";
import type { JsonValue } from "../../core/db/db.js";
import { CHANGES_SHOWN, type RowChange } from "./import-changes.rules.js";
import type { ImportColumn } from "./import-columns.rules.js";
import { addErrors, MOST_ERRORS_KEPT, type ErrorCount } from "./import-errors.rules.js";
import type { RowError } from "./import-row.rules.js";

/** The state of an import; its row is locked. */
export interface LockedImport extends SheetCursor {
  readonly errorCount: number;
  readonly errorCounts: readonly ErrorCount[];
  readonly unknownCategories: readonly string[];
  readonly previewed: number;
  readonly changeCount: number;
}

/** What a batch did. */
export interface DoneBatch extends SheetReach {
  readonly imported: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failed: number;
  readonly errors: readonly RowError[];
  readonly unknownCategories: readonly string[];
  readonly preview: readonly unknown[];
  /** The rows that a preview of changes found. */
  readonly changes: readonly RowChange[];
  /** How many pictures are to be fetched. */
  readonly picturesWanted: number;
}

/** Locks an import until the transaction ends; `null` when there is none. */
export async function lockImport(
  db: Db,
  { companyId, id: importJobId }: WorkRow,
): Promise<LockedImport | null> {
  const [job] = await db.$queryRaw<LockedImport[]>`
    SELECT status, next_row AS "nextRow", error_count AS "errorCount", error_counts AS "errorCounts",
           unknown_categories AS "unknownCategories", jsonb_array_length(preview) AS "previewed", change_count AS "changeCount"
      FROM import_jobs WHERE company_id = ${companyId} AND id = ${importJobId} FOR NO KEY UPDATE`;
  return job ?? null;
}

/** Begins an import that is due, or goes on with one that was begun. @returns whether there is something to do. */
export async function beginImport(db: Db, { companyId, id: importJobId }: WorkRow): Promise<boolean> {
  const begun = await db.$executeRaw`
    UPDATE import_jobs SET status = 'running', started_at = coalesce(started_at, moment.now), updated_at = moment.now
      FROM ${THIS_MOMENT}
     WHERE company_id = ${companyId} AND id = ${importJobId} AND status IN ('scheduled', 'queued', 'running')
       AND (send_at IS NULL OR send_at <= moment.now)`;
  return begun > 0;
}

/** Keeps what the columns are read as, after the headers are read. */
export async function writeColumns(
  db: Db,
  { companyId, id: importJobId }: WorkRow,
  columns: readonly ImportColumn[],
): Promise<void> {
  await db.$executeRaw`
    UPDATE import_jobs SET columns = ${JSON.stringify(columns)}::jsonb
     WHERE company_id = ${companyId} AND id = ${importJobId} AND next_row = 1 AND status = 'running'`;
}

/** Counts a batch, and keeps its errors behind those that are there, as far as errors are kept. */
export async function writeBatch(
  db: Db,
  { companyId, id: importJobId }: WorkRow,
  locked: LockedImport,
  batch: DoneBatch,
): Promise<void> {
  const { errors, unknownCategories } = batch;
  await insertErrors(db, { companyId, id: importJobId }, locked, errors);
  await insertChanges(db, { companyId, id: importJobId }, locked, batch.changes);
  await db.$executeRaw`
    UPDATE import_jobs
       SET next_row = ${batch.nextRow}::int, file_read = greatest(file_read, ${batch.fileRead}::float8),
           total_rows = total_rows + ${batch.imported + batch.updated + batch.failed}::int,
           imported = imported + ${batch.imported}::int, updated = updated + ${batch.updated}::int,
           unchanged = unchanged + ${batch.unchanged}::int, failed = failed + ${batch.failed}::int,
           error_count = error_count + ${errors.length}::int,
           error_counts = ${JSON.stringify(addErrors(locked.errorCounts, errors))}::jsonb,
           pictures_wanted = pictures_wanted + ${batch.picturesWanted}::int,
           unknown_categories = ${[...unknownCategories]}::text[],
           preview = preview || ${JSON.stringify(batch.preview)}::jsonb,
           change_count = change_count + ${batch.changes.length}::int, updated_at = now()
     WHERE company_id = ${companyId} AND id = ${importJobId}`;
}

async function insertErrors(
  db: Db,
  { companyId, id: importJobId }: WorkRow,
  { errorCount }: LockedImport,
  errors: readonly RowError[],
): Promise<void> {
  const kept = keptErrors(errors, errorCount, MOST_ERRORS_KEPT);
  if (kept.length === 0) return;
  const rows = kept.map((error, i) => ({ place: errorCount + i, ...error }));
  await db.$executeRaw`
    INSERT INTO import_errors (company_id, import_job_id, place, "row", "column", header, field, rule, message)
    SELECT ${companyId}::int, ${importJobId}::int, place, "row", "column", header, field, rule, message
      FROM json_to_recordset(${JSON.stringify(rows)}::json)
           AS n(place int, "row" int, "column" text, header text, field text, rule text, message text)`;
}

async function insertChanges(
  db: Db,
  { companyId, id: importJobId }: WorkRow,
  { changeCount }: LockedImport,
  changes: readonly RowChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map((change, i) => ({ place: changeCount + i, ...change }));
  await db.$executeRaw`
    INSERT INTO import_changes (company_id, import_job_id, place, "row", good_id, changes, note)
    SELECT ${companyId}::int, ${importJobId}::int, place, "row", "goodId", changes, note
      FROM json_to_recordset(${JSON.stringify(rows)}::json)
           AS n(place int, "row" int, "goodId" int, changes jsonb, note text)`;
}

/** Removes the changes that no import shows: they stand in its table, or it has not come to its end. */
export async function forgetMoreChanges(db: Db, { companyId, id: importJobId }: WorkRow): Promise<void> {
  await db.importChange.deleteMany({ where: { companyId, importJobId, place: { gte: CHANGES_SHOWN } } });
}

/** The new goods of the rows that a preview of changes has done. */
export async function newGoodsOfChanges(
  db: Db,
  { companyId, id: importJobId }: WorkRow,
): Promise<readonly { row: number; name: string | null; sku: string | null }[]> {
  return db.$queryRaw<{ row: number; name: string | null; sku: string | null }[]>`
    SELECT "row", changes #>> '{name,after}' AS name, changes #>> '{sku,after}' AS sku FROM import_changes
     WHERE company_id = ${companyId} AND import_job_id = ${importJobId} AND good_id IS NULL ORDER BY place`;
}

/** Counts a picture that is fetched, or cannot be had. */
export async function countPicture(
  db: Db,
  { companyId, id: importJobId }: WorkRow,
  locked: LockedImport,
  error: RowError | null,
): Promise<void> {
  const errors = error === null ? [] : [error];
  const failed = errors.length;
  await insertErrors(db, { companyId, id: importJobId }, locked, errors);
  await db.$executeRaw`
    UPDATE import_jobs
       SET pictures_fetched = pictures_fetched + ${1 - failed}::int, pictures_failed = pictures_failed + ${failed}::int,
           error_count = error_count + ${failed}::int,
           error_counts = ${JSON.stringify(addErrors(locked.errorCounts, errors))}::jsonb, updated_at = now()
     WHERE company_id = ${companyId} AND id = ${importJobId}`;
}

/** In whose name an import changes goods. */
export async function actorOf(db: Db, { companyId, id: importJobId }: WorkRow): Promise<JsonValue> {
  const where = { companyId, id: importJobId };
  return (await db.importJob.findFirstOrThrow({ where, select: { actor: true } })).actor;
}

/** The places of the errors that are kept of an import, in the order of their rows: those of pictures are noted late. */
export async function errorPlaces(
  db: Db,
  { companyId, id: importJobId }: WorkRow,
): Promise<readonly number[]> {
  const [found] = await db.$queryRaw<{ places: number[] }[]>`
    SELECT coalesce(array_agg(place ORDER BY "row", place), '{}') AS places
      FROM import_errors WHERE company_id = ${companyId} AND import_job_id = ${importJobId}`;
  return found?.places ?? [];
}

/** Ends an import that runs. The audit trail says how many rows whoever sent the file has brought in. */
export async function endImport(
  db: Db,
  { companyId, id: importJobId }: WorkRow,
  end: {
    readonly status: "finished" | "failed";
    readonly message?: string | null;
    readonly reportKey?: string | null;
    readonly changesKey?: string | null;
    /** Whether the report has to be made again, which takes the file. */
    readonly keepsFile?: boolean;
  },
): Promise<void> {
  const isFinished = end.status === "finished";
  await forgetMoreChanges(db, { companyId, id: importJobId });
  await db.$queryRaw`
    WITH ended AS (
      UPDATE import_jobs
         SET status = ${end.status}, message = ${end.message ?? null}::text, report_key = ${end.reportKey ?? null}::text,
             changes_key = ${end.changesKey ?? null}::text,
             file_key = CASE WHEN ${end.keepsFile ?? false}::boolean THEN file_key END, finished_at = now(), updated_at = now(),
             file_read = CASE WHEN ${isFinished}::boolean THEN 1 ELSE file_read END
       WHERE company_id = ${companyId} AND id = ${importJobId} AND status = 'running'
      RETURNING *
    )
    ${noteOfEnded(companyId)}`;
}

/** Notes in the audit trail how many rows a canceled import has brought in, within the transaction that ends it. */
export async function noteCanceled(db: Db, { companyId, id: importJobId }: WorkRow): Promise<void> {
  await db.$queryRaw`
    WITH ended AS (SELECT * FROM import_jobs WHERE company_id = ${companyId} AND id = ${importJobId})
    ${noteOfEnded(companyId)}`;
}

/** Returns the part of a statement that writes the entry of whoever sent the file of the import "ended". */
function noteOfEnded(companyId: number): Sql {
  return sql`
    SELECT note_in_trail(company_id, 'import', 'import_job', id, jsonb_build_object(
             'status', jsonb_build_array(NULL, status), 'dry_run', jsonb_build_array(NULL, dry_run),
             'total_rows', jsonb_build_array(NULL, total_rows), 'imported', jsonb_build_array(NULL, imported),
             'updated', jsonb_build_array(NULL, updated), 'failed', jsonb_build_array(NULL, failed)), actor)::text
      FROM ended WHERE company_id = ${companyId}`;
}

/** Gives an import that has finished its last report; its file is not needed any more. */
export async function replaceReport(
  db: Db,
  { companyId, id: importJobId }: WorkRow,
  reportKey: string | null,
): Promise<void> {
  await db.$executeRaw`
    UPDATE import_jobs SET report_key = ${reportKey}::text, file_key = NULL, updated_at = now()
     WHERE company_id = ${companyId} AND id = ${importJobId} AND status = 'finished' AND file_key IS NOT NULL`;
}

/** Whether the branch of an import still stands in the import's shop; an import without a branch has nothing to leave. */
export async function branchStays(
  db: Db,
  { companyId, branchGroupId, branchId }: ImportTarget & { readonly companyId: number },
): Promise<boolean> {
  if (branchId === null) return true;
  return (await db.branch.count({ where: { companyId, id: branchId, branchGroupId } })) > 0;
}

/** Whether somebody writes rows of the shop of an import, and reaches its branch. */
export async function writesTarget(
  { companyId, whole, written, reached }: TargetWriter,
  { branchGroupId, branchId }: ImportTarget,
): Promise<boolean> {
  const shops = await whole.rows(sql`
    SELECT s.id FROM branch_groups s
     WHERE s.company_id = ${companyId} AND s.id = ${branchGroupId} AND ${written("BranchGroup", "s")}
       AND (${branchId}::int IS NULL OR EXISTS (
         SELECT FROM branches b WHERE b.company_id = ${companyId} AND b.id = ${branchId} AND ${reached("Branch", "b")}))`);
  return shops.length > 0;
}

type TargetWriter = Pick<CompanyScope, "companyId" | "written" | "reached"> & {
  readonly whole: Pick<CompanyScope["whole"], "rows">;
};

/** Where an import creates and changes goods. */
export interface ImportTarget {
  /** `null` for goods of the whole company, and for a branch of no shop. */
  readonly branchGroupId: number | null;
  /** The branch where it puts them on sale. */
  readonly branchId: number | null;
}
