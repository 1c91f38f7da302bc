import { DomainError, type FieldError } from "../../core/errors/domain-error.js";
import type { JobContext } from "../../core/jobs/jobs.js";
import { defineWork, type WorkRow } from "../../core/jobs/work.js";
import type { Db } from "../../core/scope/company-scope.js";
import { GOOD_PICTURE, tooManyPictures, VERTICAL_GOOD_PICTURE } from "../goods/good-picture.rule.js";
import { putPicture } from "../goods/good-picture.service.js";
import {
  nextFreePicture,
  releasePicture,
  settlePicture,
  takePictures,
  unwantPictures,
  type TakenPicture,
} from "../goods/good-picture-source.sql.js";
import { mayStillImport } from "./import-author.js";
import { actorOf, countPicture, endImport, lockImport, replaceReport } from "./import-job.sql.js";
import { keptCount, REFUSED } from "./import-errors.rules.js";
import type { ImportOptions } from "./import-options.rules.js";
import { storeReport, type Report } from "./import-report.js";
import { withSheet } from "../../core/sheets/with-sheet.js";
import { actFor } from "../../core/operations/actor.sql.js";

declare module "../../core/jobs/jobs.js" {
  interface JobPayloads {
    /** Fetches the pictures that the rows of an import name. */
    fetchImportPictures: { companyId: number; importJobId: number };
  }
}

const TAKEN_AT_ONCE = 4;
/** The time after which another import has its turn. */
const TURN_MS = 10_000;

/**
 * Fetches pictures, a few at a time, long after their rows have been done. Each one is reserved for a minute, so that no two
 * processes fetch the same; it takes effect in one transaction with its count. What a dead process has reserved is free again
 * after that minute. A process has one such job at a time, so that slow hosts leave the other places to other jobs.
 */
export const importPictures = defineWork({
  task: "fetchImportPictures",
  row: "importJobId",
  kind: "import-pictures",
  atOnce: 1,
  turnMs: TURN_MS,
  part: async (job, context) => {
    const claimed = await context.transaction(job.companyId, async (db) => {
      if (await mayGoOn(db, context, job)) return takePictures(db, ofImport(job), TAKEN_AT_ONCE);
      await giveUp(db, job);
      return [];
    });
    if (claimed.length > 0) {
      await Promise.all(claimed.map((picture) => fetchOne(job, context, picture)));
      return "more";
    }
    const next = await nextFreePicture(context.database.writer, ofImport(job));
    if (next === null) await renewReport(job, context);
    return next ?? "done";
  },
});

const ofImport = ({ companyId, id }: WorkRow): { companyId: number; importJobId: number } => ({
  companyId,
  importJobId: id,
});

/** Whether whoever sent the import may still give goods their pictures. */
async function mayGoOn(db: Db, context: JobContext, { companyId, id }: WorkRow): Promise<boolean> {
  const select = { companyId: true, branchGroupId: true, branchId: true, actor: true };
  const sent = await db.importJob.findFirst({ where: { companyId, id }, select });
  return sent === null || (await mayStillImport(db, context, sent));
}

/** Gives up what is still to be fetched. */
async function giveUp(db: Db, { companyId, id }: WorkRow): Promise<void> {
  const decrement = await unwantPictures(db, { companyId, importJobId: id });
  await db.importJob.updateMany({ where: { companyId, id }, data: { picturesWanted: { decrement } } });
}

/**
 * Ends an import whose rows are done. Its report lacks the errors of pictures that are still to be fetched, so the job for
 * pictures makes it anew when none is left.
 */
export async function finishImport(
  db: Db,
  job: WorkRow,
  { report, changesKey }: { readonly report: Report; readonly changesKey: string | null },
): Promise<void> {
  const keepsFile = !(await isLast(db, job, report));
  await endImport(db, job, { status: "finished", reportKey: report.key, changesKey, keepsFile });
  if (keepsFile) await importPictures.schedule({ db, companyId: job.companyId }, job.id);
}

/** Makes the report of an import again, whose pictures are settled and whose rows are done. */
async function renewReport(job: WorkRow, context: JobContext): Promise<void> {
  const { companyId, id } = job;
  const where = { companyId, id, status: "finished", fileKey: { not: null } };
  const found = await context.database.writer.importJob.findFirst({ where });
  if (found === null) return;
  const isSame = found.picturesFailed === 0;
  const report = isSame
    ? { key: found.reportKey, errors: keptCount(found.errorCount) }
    : await withSheet(
        { ...found, csv: (found.options as unknown as ImportOptions).csv },
        context,
        context.signal,
        (source) => storeReport(job, context, source),
      );
  await context.transaction(companyId, async (db) => {
    if (report === null || (await isLast(db, job, report)))
      return replaceReport(db, job, report?.key ?? found.reportKey);
    return importPictures.schedule({ db, companyId }, id);
  });
}

/** Returns whether a report has all errors that will ever be kept of the import; its row is locked from then on. */
async function isLast(db: Db, job: WorkRow, { errors }: Report): Promise<boolean> {
  const locked = await lockImport(db, job);
  return (
    locked !== null &&
    errors === keptCount(locked.errorCount) &&
    (await nextFreePicture(db, ofImport(job))) === null
  );
}

async function fetchOne(job: WorkRow, context: JobContext, picture: TakenPicture): Promise<void> {
  const { companyId } = job;
  const rule = picture.isVertical ? VERTICAL_GOOD_PICTURE : GOOD_PICTURE;
  if (!URL.canParse(picture.url)) {
    const error = { field: picture.field, rule: "url", message: "is no picture of this good" };
    return context.transaction(companyId, (db) => settle(db, job, picture, error));
  }
  const fetched = await context.pictures.fetch(companyId, picture.url, rule).catch((error: unknown) => error);
  const result = typeof fetched === "string" ? fetched : wrongPicture(fetched, picture);
  if (result === undefined) {
    await context.transaction(companyId, (db) => releasePicture(db, companyId, picture.id));
    throw fetched;
  }
  try {
    await context.transaction(companyId, (db) => settle(db, job, picture, result));
  } catch (error) {
    const errors = context.refusalOf(error);
    if (errors === null) throw error;
    context.log.warn({ ...job, goodId: picture.goodId, err: error }, "picture refused");
    const [told = { field: picture.field, ...REFUSED }] = errors;
    await context.transaction(companyId, (db) => settle(db, job, picture, told));
  }
}

/** What is wrong with the picture; `undefined` for an error after which it is to be tried again. */
function wrongPicture(error: unknown, { field }: TakenPicture): FieldError | undefined {
  const [told] = error instanceof DomainError ? (error.errors ?? []) : [];
  return told && { ...told, field };
}

/** Gives the good its picture, or notes the error of its row. */
async function settle(
  db: Db,
  job: WorkRow,
  { id, goodId, isVertical, row, column, header, field }: TakenPicture,
  result: string | FieldError,
): Promise<void> {
  const { companyId } = job;
  const locked = await lockImport(db, job);
  const key = typeof result === "string" ? result : null;
  if (locked === null || !(await settlePicture(db, ofImport(job), id, key))) return;
  let error = typeof result === "string" ? null : result;
  if (key !== null) {
    const pictures = isVertical ? "verticalPictures" : "pictures";
    await actFor(db, await actorOf(db, job));
    const put = await putPicture({ db, companyId }, goodId, { column: pictures, key });
    await actFor(db, null);
    if (put === "full") error = tooManyPictures(field);
    if (put === "gone") error = { field, rule: "exists", message: "belongs to a good that is gone" };
    if (error !== null) await db.goodPictureSource.deleteMany({ where: { companyId, id } });
  }
  await countPicture(db, job, locked, error && { row, column, header, ...error });
}
