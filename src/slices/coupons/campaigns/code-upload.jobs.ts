import { FILE_WORK_DAYS } from "../../../core/jobs/followed-job.js";
import { defineSheetWork, WorkFailed } from "../../../core/jobs/sheet-work.js";
import { deletion, sweeping } from "../../../core/jobs/sweep.js";
import { MAX_INT } from "../../../core/integers.js";
import type { Db } from "../../../core/scope/company-scope.js";
import type { SheetRow } from "../../../core/sheets/sheet.js";
import type { LineError } from "../../../core/jobs/uploaded-list.sql.js";
import { isHeader, readLines } from "./code-line.rules.js";
import { addUploaded, codeLists, lockUpload, voidUploaded, type LockedUpload } from "./code-upload.sql.js";

declare module "../../../core/jobs/jobs.js" {
  interface JobPayloads {
    /** Adds the codes of a list to a coupon. */
    addUploadedCodes: { companyId: number; uploadId: number };
    /** Removes what is kept of lists of codes that ended long ago. */
    removeOldUploads: object;
  }
}

/** Adds the codes of a list to a coupon, or voids them. */
export const codeUploads = defineSheetWork({
  task: "addUploadedCodes",
  row: "uploadId",
  kind: "coupon-code-upload",
  area: "coupons",
  atOnce: 1,
  size: 5_000,
  begin: (inside) => codeLists.begin(inside),
  find: (scope, id) => codeLists.find(scope, id),
  open: (_upload, { companyId, id }) => ({
    header: isHeader,
    read: (rows) => rows,
    write: async (db: Db, locked: LockedUpload, rows: readonly SheetRow[], reach) => {
      const errors = await (locked.action === "void" ? voidLines : addLines)(db, companyId, locked, rows);
      const total = rows.length;
      await codeLists.write(db, { companyId, id }, locked, {
        ...reach,
        total,
        added: total - errors.length,
        errors,
      });
    },
  }),
  lock: ({ db, ...upload }) => lockUpload(db, upload),
  end: ({ db, ...upload }, status, message) => codeLists.end(db, upload, status, message),
});

/** Adds the codes of some lines. @returns what is wrong with the others. */
async function addLines(
  db: Db,
  companyId: number,
  { couponId, type, totalCount, isOver }: LockedUpload,
  rows: readonly SheetRow[],
): Promise<readonly LineError[]> {
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
  return inOrder([...errors, ...repeated]);
}

const WHY_KEPT = { exists: "is no code of the coupon", used: "is used", held: "is held" } as const;

/** Voids the codes of some lines. @returns what is wrong with the others. */
async function voidLines(
  db: Db,
  companyId: number,
  { couponId }: LockedUpload,
  rows: readonly SheetRow[],
): Promise<readonly LineError[]> {
  // Codes may be shorter than those that can be added by now.
  const { codes, errors } = readLines(rows, "personal");
  const lines = new Map(codes.map(({ code, line }) => [code, line]));
  const kept = await voidUploaded(db, { companyId, couponId }, [...lines.keys()]);
  const wrong = kept.map(({ code, rule }) => ({
    line: lines.get(code) as number,
    rule,
    message: WHY_KEPT[rule],
  }));
  return inOrder([...errors, ...wrong]);
}

function inOrder(errors: readonly LineError[]): readonly LineError[] {
  return [...errors].sort((one, other) => one.line - other.line);
}

export const removeOldUploads = sweeping(
  deletion({
    model: "CouponCodeUpload",
    where: `finished_at < now() - interval '${FILE_WORK_DAYS} days'`,
    orderBy: "finished_at",
    most: 100,
  }),
);
