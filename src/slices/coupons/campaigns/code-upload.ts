import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { jobIdOf, tellProgress } from "../../../core/jobs/followed-job.js";
import type { JobContext } from "../../../core/jobs/jobs.js";
import { MAX_INT } from "../../../core/integers.js";
import type { Db } from "../../../core/scope/company-scope.js";
import { SheetError, type SheetFormat, type SheetRow } from "../../../core/sheets/sheet.js";
import { isHeader, readLines, type LineError } from "./code-line.rules.js";
import {
  addUploaded,
  CODE_UPLOAD_KIND,
  endUpload,
  lockUpload,
  writeBatch,
  type CodeUploadJob,
} from "./code-upload.sql.js";

/** How many lines one transaction does: so many that its own cost hardly counts, so few that it is short. */
const BATCH = 5_000;
/** Pause between batches, for the sake of requests. */
const PAUSE_MS = 3;

/**
 * `finished` and `failed` are written. `interrupted`: the process is about to stop, so that another one has to go on.
 * `left`: another process does it.
 */
type Ending = "finished" | "failed" | "interrupted" | "left";

/** Ends the upload; the message says why. */
class UploadFailed extends Error {}

/** One run of an upload through its list. */
export class CodeUpload {
  /** The line with which the next batch begins. */
  private nextLine = 1;

  constructor(
    private readonly named: CodeUploadJob,
    private readonly context: JobContext,
  ) {}

  async run(): Promise<Ending> {
    const { companyId, uploadId: id } = this.named;
    const { writer } = this.context.database;
    const upload = await writer.couponCodeUpload.findFirstOrThrow({ where: { companyId, id } });
    this.nextLine = upload.nextLine;
    const folder = await mkdtemp(join(tmpdir(), "commerce-codes-"));
    try {
      const path = join(folder, `codes.${upload.format}`);
      if (upload.fileKey === null || !(await this.context.files.copySheet(upload.fileKey, path)))
        return await this.fail("The file is not there any more.");
      return await this.readAll(path, upload.format as SheetFormat);
    } catch (error) {
      if (error instanceof SheetError) return await this.fail(`The file ${error.message}.`);
      if (error instanceof UploadFailed) return await this.fail(error.message);
      if (this.context.signal.aborted) return "interrupted";
      throw error;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  private async readAll(path: string, format: SheetFormat): Promise<Ending> {
    let batch: SheetRow[] = [];
    const { signal } = this.context;
    const { companyId } = this.named;
    for await (const { rows, read } of this.context.sheets.read({ companyId, path, format, signal })) {
      for (const row of rows) {
        if (row.number < this.nextLine || isHeader(row)) continue;
        batch.push(row);
        if (batch.length < BATCH) continue;
        if (!(await this.doBatch(batch, read))) return "left";
        batch = [];
        if (signal.aborted) return "interrupted";
        await sleep(PAUSE_MS);
      }
    }
    if (batch.length > 0 && !(await this.doBatch(batch, 1))) return "left";
    await this.inTransaction((db) => endUpload(db, this.named, "finished", null));
    return "finished";
  }

  /** @returns whether the upload goes on. */
  private async doBatch(rows: readonly SheetRow[], fileRead: number): Promise<boolean> {
    const nextLine = (rows.at(-1) as SheetRow).number + 1;
    const isDone = await this.inTransaction(async (db) => {
      const locked = await lockUpload(db, this.named);
      if (locked?.status !== "running" || locked.nextLine !== this.nextLine) return false;
      if (locked.isOver) throw new UploadFailed("The coupon is finished or deleted.");
      if (locked.totalCount > MAX_INT - rows.length) throw new UploadFailed("The coupon has too many codes.");
      const { couponId, type } = locked;
      const { codes, errors } = readLines(rows, type);
      const { companyId } = this.named;
      const lines = new Map(codes.map(({ code, line }) => [code, line]));
      const taken = await addUploaded(db, { companyId, couponId }, [...lines.keys()]);
      const repeated = taken.map(({ code, isOwn }): LineError => {
        const whose = isOwn ? "this" : "another";
        const line = lines.get(code) as number;
        return { line, rule: "unique", message: `is already a code of ${whose} coupon` };
      });
      await writeBatch(db, this.named, {
        nextLine,
        fileRead,
        total: rows.length,
        added: lines.size - taken.length,
        errors: [...errors, ...repeated].sort((one, other) => one.line - other.line),
      });
      await tellProgress({ db, companyId }, this.jobId);
      return true;
    });
    this.nextLine = nextLine;
    return isDone;
  }

  private async fail(message: string): Promise<"failed"> {
    await this.inTransaction((db) => endUpload(db, this.named, "failed", message));
    return "failed";
  }

  private inTransaction<T>(work: (db: Db) => Promise<T>): Promise<T> {
    return this.context.transaction(this.named.companyId, work);
  }

  private get jobId(): string {
    return jobIdOf({ kind: CODE_UPLOAD_KIND }, this.named.uploadId);
  }
}
