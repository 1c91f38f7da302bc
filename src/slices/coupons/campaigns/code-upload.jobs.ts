import { FILE_WORK_DAYS } from "../../../core/jobs/followed-job.js";
import { defineSheetWork, WorkFailed } from "../../../core/jobs/sheet-work.js";
import { deletion, sweeping } from "../../../core/jobs/sweep.js";
import { MAX_INT } from "../../../core/integers.js";
import type { Db } from "../../../core/scope/company-scope.js";
import type { SheetRow } from "../../../core/sheets/sheet.js";
import { isHeader, readLines, type LineError } from "./code-line.rules.js";
import { addUploaded, endUpload, lockUpload, writeBatch, type LockedUpload } from "./code-upload.sql.js";

declare module "../../../core/jobs/jobs.js" {
  interface JobPayloads {
    /** Adds the codes of a list to a coupon. */
    addUploadedCodes: { companyId: number; uploadId: number };
    /** Removes what is kept of lists of codes that ended long ago. */
    removeOldUploads: object;
  }
}

/** Adds the codes of a list to a coupon. */
export const codeUploads = defineSheetWork({
  task: "addUploadedCodes",
  row: "uploadId",
  kind: "coupon-code-upload",
  area: "coupons",
  atOnce: 1,
  size: 5_000,
  begin: async ({ db, ...where }) => {
    const [upload] = await db.couponCodeUpload.updateManyAndReturn({
      where: { ...where, status: { in: ["queued", "running"] } },
      data: { status: "running" },
    });
    return upload === undefined ? null : { ...upload, nextRow: upload.nextLine };
  },
  find: async ({ db, companyId }, id) => {
    const select = { status: true, total: true, fileRead: true };
    const found = await db.couponCodeUpload.findFirst({ where: { companyId, id }, select });
    return found && { ...found, done: found.total };
  },
  open: (_upload, { companyId, id }) => ({
    header: isHeader,
    read: (rows) => rows,
    write: async (db: Db, locked: LockedUpload, rows: readonly SheetRow[], reach) => {
      const { lines, taken, errors } = await addLines(db, companyId, locked, rows);
      await writeBatch(db, { companyId, id }, locked, {
        ...reach,
        total: rows.length,
        added: lines - taken,
        errors,
      });
    },
  }),
  lock: ({ db, ...upload }) => lockUpload(db, upload),
  end: ({ db, ...upload }, status, message) => endUpload(db, upload, status, message),
});

/** Adds the codes of some lines. @returns how many lines have a code, how many of these were taken, and what is wrong. */
async function addLines(
  db: Db,
  companyId: number,
  { couponId, type, totalCount, isOver }: LockedUpload,
  rows: readonly SheetRow[],
): Promise<{ lines: number; taken: number; errors: readonly LineError[] }> {
  if (isOver) throw new WorkFailed("The coupon is finished or deleted.");
  if (totalCount > MAX_INT - rows.length) throw new WorkFailed("The coupon has too many codes.");
  const { codes, errors } = readLines(rows, type);
  const lines = new Map(codes.map(({ code, line }) => [code, line]));
  const taken = await addUploaded(db, { companyId, couponId }, [...lines.keys()]);
  const repeated = taken.map(({ code, isOwn }): LineError => {
    const whose = isOwn ? "this" : "another";
    const line = lines.get(code) as number;
    return { line, rule: "unique", message: `is already a code of ${whose} coupon` };
  });
  const all = [...errors, ...repeated].sort((one, other) => one.line - other.line);
  return { lines: lines.size, taken: taken.length, errors: all };
}

export const removeOldUploads = sweeping(
  deletion({
    model: "CouponCodeUpload",
    where: `finished_at < now() - interval '${FILE_WORK_DAYS} days'`,
    orderBy: "finished_at",
    most: 100,
  }),
);
