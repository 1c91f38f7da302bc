import { deletion, sweeping } from "../../core/jobs/sweep.js";
import { defineSheetWork } from "../../core/jobs/sheet-work.js";
import { FILE_WORK_DAYS } from "../../core/jobs/followed-job.js";
import { GoodsImport } from "./goods-import.js";
import { beginImport, endImport, lockImport } from "./import-job.sql.js";
import type { ImportOptions } from "./import-options.rules.js";

declare module "../../core/jobs/jobs.js" {
  interface JobPayloads {
    /** Creates and changes goods by the rows of a spreadsheet. */
    importGoods: { companyId: number; importJobId: number };
    /** Removes imports that ended long ago. */
    removeOldImports: object;
  }
}

/** Creates and changes goods by the rows of a spreadsheet. */
export const goodsImports = defineSheetWork({
  task: "importGoods",
  row: "importJobId",
  kind: "import",
  area: "goods",
  atOnce: 2,
  size: 200,
  begin: async ({ db, ...row }) => {
    if (!(await beginImport(db, row))) return null;
    const job = await db.importJob.findFirstOrThrow({ where: row });
    const options = job.options as unknown as ImportOptions;
    return { ...job, options, csv: options.csv };
  },
  find: async ({ db, companyId }, id) => {
    const select = { status: true, totalRows: true, fileRead: true };
    const found = await db.importJob.findFirst({ where: { companyId, id }, select });
    return found && { status: found.status, done: found.totalRows, fileRead: found.fileRead };
  },
  open: GoodsImport.open,
  lock: ({ db, ...row }) => lockImport(db, row),
  end: ({ db, ...row }, status, message) => endImport(db, row, { status, message }),
});

export const removeOldImports = sweeping(
  deletion({
    model: "ImportJob",
    where: `finished_at < now() - interval '${FILE_WORK_DAYS} days'`,
    orderBy: "finished_at",
    most: 10,
  }),
);
