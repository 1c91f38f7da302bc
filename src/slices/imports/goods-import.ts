import { createHash } from "node:crypto";
import { setImmediate as turn, setTimeout as sleep } from "node:timers/promises";
import { jobIdOf, tellProgress } from "../../core/jobs/followed-job.js";
import type { JobContext } from "../../core/jobs/jobs.js";
import type { Db } from "../../core/scope/company-scope.js";
import { SheetError, type SheetRow, type SheetSource } from "../../core/sheets/sheet.js";
import type { ImportJob as ImportJobRow } from "../../generated/prisma/client.js";
import { writeGoods, type GoodChange, type GoodOutcome } from "../goods/good-batch.service.js";
import { shownGoods } from "../goods/good-batch.sql.js";
import { pictureKeyIn } from "../../core/files/picture-key.js";
import { wantPictures } from "../goods/good-picture-source.sql.js";
import { CategoryNames } from "./category-names.js";
import { assertKnownColumn, ColumnsError, findColumns } from "./import-columns.rules.js";
import {
  actFor,
  endImport,
  lockImport,
  writeBatch,
  writeColumns,
  type ImportGoodsJob,
} from "./import-job.sql.js";
import { hostImage } from "./host-image.rules.js";
import { finishImport, schedulePictures } from "./import-pictures.jobs.js";
import { storeReport } from "./import-report.js";
import { withSheet } from "./imported-sheet.js";
import { watchImport } from "./watch-import.js";
import type { ImportOptions } from "./import-options.rules.js";
import { RowReader, type ReadRow, type RowError } from "./import-row.rules.js";

/** How many rows one transaction does: so many that its own cost hardly counts, so few that it is short. */
const BATCH = 200;
/** After so many rows other work of the process has its turn. */
const ROWS_A_TURN = 15;
/** Pause between batches, for the sake of requests. */
const PAUSE_MS = 3;
/** The first rows of a dry run that are shown. */
const PREVIEWED = 20;
const MOST_UNKNOWN_CATEGORIES = 100;

/**
 * `finished` and `failed` are written. `interrupted`: the process is about to stop, so that another one has to go on.
 * `left`: it was canceled, or another process does it.
 */
type Ending = "finished" | "failed" | "interrupted" | "left";

/** What a batch comes to, before it is written down. */
interface Outcome {
  readonly outcomes: readonly GoodOutcome[];
  readonly preview: readonly unknown[];
  /** How many pictures are to be fetched. */
  readonly wanted: number;
}

/** A row that the database refuses although nothing is wrong with it by the rules. */
function asRefused(read: ReadRow): ReadRow {
  const nowhere = { column: null, header: null, field: null };
  const error = { ...nowhere, row: read.row, rule: "refused", message: "cannot be written as it is" };
  return { ...read, errors: [...read.errors, error] };
}

/** One run of an import through its file. */
export class GoodsImport {
  private job!: ImportJobRow;
  private options!: ImportOptions;
  private categories!: CategoryNames;
  private reader: RowReader | null = null;
  /** The row with which the next batch begins. */
  private nextRow = 1;

  constructor(
    private readonly named: ImportGoodsJob,
    private readonly context: JobContext,
  ) {}

  async run(): Promise<Ending> {
    const { companyId, importJobId: id } = this.named;
    const { writer } = this.context.database;
    this.job = await writer.importJob.findFirstOrThrow({ where: { companyId, id } });
    this.options = this.job.options as unknown as ImportOptions;
    this.nextRow = this.job.nextRow;
    const categories = await writer.category.findMany({
      where: { companyId },
      select: { id: true, name: true },
      orderBy: { id: "asc" },
    });
    this.categories = new CategoryNames(categories, this.options.categories);
    const watch = watchImport(this.named, this.context);
    try {
      const ending = await withSheet(this.job, this.context, watch.signal, (source) => this.readAll(source));
      return ending ?? (await this.fail("The file is not there any more."));
    } catch (error) {
      if (error instanceof SheetError) return await this.fail(`The file ${error.message}.`);
      if (error instanceof ColumnsError) return await this.fail(error.message);
      if (watch.hasEnded) return "left";
      if (this.context.signal.aborted) return "interrupted";
      throw error;
    } finally {
      await watch.stop();
    }
  }

  private async readAll(source: SheetSource): Promise<Ending> {
    const ending = await this.doRows(source);
    if (ending !== null) return ending;
    if (this.reader === null) return this.fail("The sheet has no rows.");
    const report = await storeReport(this.named, this.context, source);
    await this.inTransaction((db) => finishImport(db, this.named, report));
    return "finished";
  }

  /** Does all rows: a batch is read while the one before it is written. @returns `null` when none is left. */
  private async doRows(source: SheetSource): Promise<"left" | "interrupted" | null> {
    const firstRow = this.nextRow;
    let batch: SheetRow[] = [];
    let writing = Promise.resolve(true);
    const write = async (reader: RowReader, fileRead: number): Promise<boolean> => {
      const read = await this.readRows(reader, batch);
      batch = [];
      if (!(await writing)) return false;
      writing = this.writeRows(reader, read, fileRead);
      // Its error is thrown where it is waited for.
      writing.catch(() => undefined);
      return true;
    };
    try {
      for await (const { rows, read } of this.context.sheets.read(source)) {
        for (const row of rows) {
          const reader = this.reader ?? (await this.begin(row));
          if (row.number === 1) continue;
          if (row.number < firstRow) {
            reader.note(row);
            continue;
          }
          batch.push(row);
          if (batch.length < BATCH) continue;
          if (!(await write(reader, read))) return "left";
          if (this.context.signal.aborted) return (await writing) ? "interrupted" : "left";
          await sleep(PAUSE_MS);
        }
      }
      if (this.reader !== null && batch.length > 0 && !(await write(this.reader, 1))) return "left";
      return (await writing) ? null : "left";
    } catch (error) {
      await writing;
      throw error;
    }
  }

  /** Finds out what the columns hold. @param first is the first row that is not blank, which may lie below row 1. */
  private async begin({ number, cells }: SheetRow): Promise<RowReader> {
    const { mapping, config } = this.options;
    const columns = findColumns(number === 1 ? cells : [], mapping, this.job.branchId !== null);
    await this.inTransaction((db) => writeColumns(db, this.named, columns));
    assertKnownColumn(columns);
    this.nextRow = Math.max(this.nextRow, 2);
    this.reader = new RowReader(
      columns,
      (name, input) => this.context.check(name, input),
      config.decimal,
      hostImage(this.options, columns),
    );
    return this.reader;
  }

  private async readRows(reader: RowReader, rows: readonly SheetRow[]): Promise<ReadRow[]> {
    const read: ReadRow[] = [];
    for (const [i, row] of rows.entries()) {
      if (i % ROWS_A_TURN === ROWS_A_TURN - 1) await turn();
      read.push(reader.read(row));
    }
    return read;
  }

  /**
   * Writes rows that are read. Of rows that the database refuses, it does each half by itself, until one is left.
   *
   * @returns whether the import goes on.
   */
  private async writeRows(
    reader: RowReader,
    read: readonly ReadRow[],
    fileRead: number,
    isRefused = false,
  ): Promise<boolean> {
    try {
      return await this.tryRows(reader, isRefused ? read.map(asRefused) : read, fileRead);
    } catch (error) {
      if (isRefused || !this.context.isRefusal(error)) throw error;
      this.context.log.warn(
        { ...this.named, row: read[0]?.row, rows: read.length, err: error },
        "rows refused",
      );
    }
    if (read.length === 1) return this.writeRows(reader, read, fileRead, true);
    const half = Math.ceil(read.length / 2);
    return (
      (await this.writeRows(reader, read.slice(0, half), 0)) &&
      (await this.writeRows(reader, read.slice(half), fileRead))
    );
  }

  private async tryRows(reader: RowReader, read: readonly ReadRow[], fileRead: number): Promise<boolean> {
    const unknown = new Set<string>();
    const fine = read.filter(({ errors }) => errors.length === 0);
    const changes = fine.map(({ change, categories }): GoodChange => {
      const found = this.categories.find(categories);
      for (const name of found.unknown) unknown.add(name);
      return { ...change, categoryIds: found.ids };
    });
    const tried = this.job.dryRun ? await this.tryOut(fine, changes) : null;
    const nextRow = (read.at(-1) as ReadRow).row + 1;
    const isDone = await this.inTransaction(async (db) => {
      const locked = await lockImport(db, this.named);
      if (locked?.status !== "running" || locked.nextRow !== this.nextRow) return false;
      const { outcomes, preview, wanted } = tried ?? (await this.write(db, fine, changes));
      const refused = fine.flatMap(({ row }, i): RowError[] => {
        const outcome = outcomes[i] as GoodOutcome;
        return outcome.kind === "refused" ? outcome.errors.map((error) => reader.told(row, error)) : [];
      });
      const errors = [...read.flatMap((row) => [...row.errors, ...row.notes]), ...refused].sort(
        (one, other) => one.row - other.row,
      );
      const count = (kind: GoodOutcome["kind"]): number =>
        outcomes.filter((outcome) => outcome.kind === kind).length;
      await writeBatch(db, this.named, locked, {
        nextRow,
        fileRead,
        imported: count("created"),
        updated: count("updated") + count("unchanged"),
        unchanged: count("unchanged"),
        failed: read.length - fine.length + count("refused"),
        errors,
        unknownCategories: [...new Set([...locked.unknownCategories, ...unknown])].slice(
          0,
          MOST_UNKNOWN_CATEGORIES,
        ),
        preview: preview.slice(0, PREVIEWED - locked.previewed),
        picturesWanted: wanted,
      });
      const { companyId, importJobId } = this.named;
      await tellProgress({ db, companyId }, jobIdOf({ kind: "import" }, importJobId));
      return true;
    });
    this.nextRow = nextRow;
    return isDone;
  }

  /** Writes goods in the name of whoever sent the file; what is written down of the import itself is nobody's act. */
  private async write(db: Db, rows: readonly ReadRow[], changes: readonly GoodChange[]): Promise<Outcome> {
    await actFor(db, this.job.actor);
    const outcomes = await this.writeGoods(db, changes);
    await actFor(db, null);
    const wanted = await this.wantPictures(db, rows, outcomes);
    if (wanted > 0) await schedulePictures(db, this.named);
    return { outcomes, preview: [], wanted };
  }

  /** Notes the pictures that the rows name and their goods lack. @returns how many. */
  private wantPictures(db: Db, rows: readonly ReadRow[], outcomes: readonly GoodOutcome[]): Promise<number> {
    const pictures = rows.flatMap((row, i) => {
      const outcome = outcomes[i] as GoodOutcome;
      const isLeft = outcome.kind !== "created" && !this.options.config.update;
      if (outcome.kind === "refused" || isLeft) return [];
      return row.pictures.map((picture) => ({
        ...picture,
        goodId: outcome.goodId,
        urlHash: createHash("sha256").update(picture.url).digest("hex"),
        key: pictureKeyIn(picture.url),
      }));
    });
    return wantPictures(db, this.named, pictures);
  }

  /** Does the same as `write`, tells what it comes to, and undoes it. */
  private async tryOut(rows: readonly ReadRow[], changes: readonly GoodChange[]): Promise<Outcome> {
    const undone = new Error("a dry run is undone");
    let result: Outcome = { outcomes: [], preview: [], wanted: 0 };
    try {
      await this.inTransaction(async (db) => {
        const outcomes = await this.writeGoods(db, changes);
        const wanted = await this.wantPictures(db, rows, outcomes);
        result = { outcomes, preview: await this.preview(db, rows, outcomes), wanted };
        throw undone;
      });
    } catch (error) {
      if (error !== undone) throw error;
    }
    return result;
  }

  private async preview(
    db: Db,
    rows: readonly ReadRow[],
    outcomes: readonly GoodOutcome[],
  ): Promise<readonly unknown[]> {
    const shown = outcomes
      .flatMap((outcome, i) =>
        outcome.kind === "refused" ? [] : [{ ...outcome, row: (rows[i] as ReadRow).row }],
      )
      .slice(0, PREVIEWED);
    const goods = await shownGoods(
      db,
      this.named.companyId,
      shown.map(({ goodId }) => goodId),
    );
    const actions = { created: "create", updated: "update", unchanged: "keep" } as const;
    return shown.map(({ row, kind, goodId }) => ({ row, action: actions[kind], good: goods.get(goodId) }));
  }

  private writeGoods(db: Db, changes: readonly GoodChange[]): Promise<GoodOutcome[]> {
    const { create, update, type, notesEnabled, unit } = this.options.config;
    const { companyId } = this.named;
    const { branchGroupId, branchId } = this.job;
    const rules = { creates: create, updates: update, defaults: { type, notesEnabled, unit } };
    return writeGoods(db, { companyId, branchGroupId, branchId }, changes, rules);
  }

  private async fail(message: string): Promise<Ending> {
    await this.inTransaction((db) => endImport(db, this.named, { status: "failed", message }));
    return "failed";
  }

  private inTransaction<T>(work: (db: Db) => Promise<T>): Promise<T> {
    return this.context.transaction(this.named.companyId, work);
  }
}
