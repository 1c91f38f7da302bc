import { createHash } from "node:crypto";
import { setImmediate as turn } from "node:timers/promises";
import type { JobContext } from "../../core/jobs/jobs.js";
import { WorkFailed, type SheetReach, type SheetRun } from "../../core/jobs/sheet-work.js";
import type { WorkRow } from "../../core/jobs/work.js";
import { pictureKeyIn } from "../../core/files/picture-key.js";
import type { Db } from "../../core/scope/company-scope.js";
import { undone } from "../../core/scope/undone.js";
import type { SheetRow, SheetSource } from "../../core/sheets/sheet.js";
import type { Row } from "../../core/db/db.js";
import { actFor } from "../../core/operations/actor.sql.js";
import { writeGoods, type GoodChange, type GoodOutcome } from "../goods/good-batch.service.js";
import { goodsBeside, shownGoods, type GoodBeside } from "../goods/good-batch.sql.js";
import { wantPictures } from "../goods/good-picture-source.sql.js";
import { CategoryNames } from "./category-names.js";
import { hostImage } from "./host-image.rules.js";
import { assertKnownColumn, findColumns } from "./import-columns.rules.js";
import { writeBatch, writeColumns, type LockedImport } from "./import-job.sql.js";
import type { ImportOptions } from "./import-options.rules.js";
import { finishImport, importPictures } from "./import-pictures.jobs.js";
import { storeReport } from "./import-report.js";
import { RowReader, type ReadRow, type RowError } from "./import-row.rules.js";

type ImportJobRow = Row<"ImportJob">;

/** Other work of the process has its turn after so many rows. */
const ROWS_A_TURN = 15;
/** The first rows of a dry run that are shown. */
const PREVIEWED = 20;
const MOST_UNKNOWN_CATEGORIES = 100;
const UNKNOWN_ID = "its id is that of no good of the shop, and counts as none";

/** The row of an import with its options. */
export type OpenImport = Omit<ImportJobRow, "options"> & { readonly options: ImportOptions };

/** What a batch comes to, before it is written down. */
interface Outcome {
  readonly outcomes: readonly GoodOutcome[];
  readonly preview: readonly unknown[];
  /** How many pictures are to be fetched. */
  readonly wanted: number;
}

/** One run of an import through its file. */
export class GoodsImport implements SheetRun<LockedImport, ReadRow> {
  private reader: RowReader | null = null;

  private constructor(
    private readonly job: OpenImport,
    private readonly work: WorkRow,
    private readonly context: JobContext,
    private readonly categories: CategoryNames,
  ) {}

  static async open(this: void, job: OpenImport, work: WorkRow, context: JobContext): Promise<GoodsImport> {
    const categories = await context.database.writer.category.findMany({
      where: { companyId: work.companyId },
      select: { id: true, name: true },
      orderBy: { id: "asc" },
    });
    return new GoodsImport(job, work, context, new CategoryNames(categories, job.options.categories));
  }

  /** Finds out what the columns hold. */
  async header({ number, cells }: SheetRow): Promise<boolean> {
    const { options, branchId } = this.job;
    const hasHeaders = number === 1;
    const columns = findColumns(hasHeaders ? cells : [], options.mapping, branchId !== null);
    await this.context.transaction(this.work.companyId, (db) => writeColumns(db, this.work, columns));
    assertKnownColumn(columns);
    const { check } = this.context;
    this.reader = new RowReader(
      columns,
      (name, input) => check(name, input),
      options.config.decimal,
      hostImage(options, columns),
    );
    return hasHeaders;
  }

  pass(row: SheetRow): void {
    this.reader?.note(row);
  }

  async read(rows: readonly SheetRow[]): Promise<ReadRow[]> {
    const read: ReadRow[] = [];
    for (const [i, row] of rows.entries()) {
      if (i % ROWS_A_TURN === ROWS_A_TURN - 1) await turn();
      read.push(this.rowReader.read(row));
    }
    return read;
  }

  refused(read: ReadRow): ReadRow {
    const nowhere = { column: null, header: null, field: null };
    const error = { ...nowhere, row: read.row, rule: "refused", message: "cannot be written as it is" };
    return { ...read, errors: [...read.errors, error] };
  }

  async write(db: Db, locked: LockedImport, read: readonly ReadRow[], reach: SheetReach): Promise<void> {
    const unknown = new Set<string>();
    const left = read.filter(({ isDeleted, errors }) => isDeleted && errors.length === 0).length;
    const fine = read.filter(({ isDeleted, errors }) => !isDeleted && errors.length === 0);
    const changes = fine.map(({ change, categories, categoryNames }): GoodChange => {
      const found = this.categories.find(categories, categoryNames);
      for (const name of found.unknown) unknown.add(name);
      return { ...change, categoryIds: found.ids };
    });
    const outcome = this.job.dryRun
      ? this.tryOut(db, fine, changes, PREVIEWED - locked.previewed)
      : this.writeRows(db, fine, changes);
    const { outcomes, preview, wanted } = await outcome;
    const refused = fine.flatMap(({ row }, i): RowError[] => {
      const of = outcomes[i] as GoodOutcome;
      return of.kind === "refused" ? of.errors.map((error) => this.rowReader.rowError(row, error)) : [];
    });
    const errors = [...read.flatMap((row) => [...row.errors, ...row.notes]), ...refused].sort(
      (one, other) => one.row - other.row,
    );
    const count = (kind: GoodOutcome["kind"]): number => outcomes.filter((of) => of.kind === kind).length;
    const unknownCategories = [...new Set([...locked.unknownCategories, ...unknown])];
    await writeBatch(db, this.work, locked, {
      ...reach,
      imported: count("created"),
      updated: count("updated") + count("unchanged") + left,
      unchanged: count("unchanged") + left,
      failed: read.length - left - fine.length + count("refused"),
      errors,
      unknownCategories: unknownCategories.slice(0, MOST_UNKNOWN_CATEGORIES),
      preview,
      picturesWanted: wanted,
    });
  }

  async finish(source: SheetSource): Promise<(db: Db) => Promise<void>> {
    if (this.reader === null) throw new WorkFailed("The sheet has no rows.");
    const report = await storeReport(this.work, this.context, source);
    return (db) => finishImport(db, this.work, report);
  }

  private get rowReader(): RowReader {
    if (this.reader === null) throw new Error("a row of a sheet came before its first one");
    return this.reader;
  }

  /** Writes goods in the name of whoever sent the file; what is written down of the import itself is nobody's act. */
  private async writeRows(
    db: Db,
    rows: readonly ReadRow[],
    changes: readonly GoodChange[],
  ): Promise<Outcome> {
    await actFor(db, this.job.actor);
    const outcomes = await this.writeGoods(db, changes);
    await actFor(db, null);
    const wanted = await this.wantPictures(db, rows, outcomes);
    if (wanted > 0) await importPictures.schedule({ db, companyId: this.work.companyId }, this.work.id);
    return { outcomes, preview: [], wanted };
  }

  /** Does the same as `writeRows`, returns what it comes to, and undoes it. */
  private tryOut(
    db: Db,
    rows: readonly ReadRow[],
    changes: readonly GoodChange[],
    room: number,
  ): Promise<Outcome> {
    return undone(db, async (inside) => {
      const outcomes = await this.writeGoods(inside, changes);
      const wanted = await this.wantPictures(inside, rows, outcomes);
      return { outcomes, preview: await this.preview(inside, rows, outcomes, room), wanted };
    });
  }

  /** Notes the pictures that the rows name and their goods lack. @returns how many. */
  private wantPictures(db: Db, rows: readonly ReadRow[], outcomes: readonly GoodOutcome[]): Promise<number> {
    const pictures = rows.flatMap((row, i) => {
      const outcome = outcomes[i] as GoodOutcome;
      const isLeft = outcome.kind !== "created" && !this.job.options.config.update;
      if (outcome.kind === "refused" || isLeft) return [];
      return row.pictures.map((picture) => ({
        ...picture,
        goodId: outcome.goodId,
        urlHash: createHash("sha256").update(picture.url).digest("hex"),
        key: pictureKeyIn(picture.url),
      }));
    });
    const { companyId, id: importJobId } = this.work;
    return wantPictures(db, { companyId, importJobId }, pictures);
  }

  private async preview(
    db: Db,
    rows: readonly ReadRow[],
    outcomes: readonly GoodOutcome[],
    room: number,
  ): Promise<readonly unknown[]> {
    const shown = outcomes
      .flatMap((outcome, i) =>
        outcome.kind === "refused" ? [] : [{ ...outcome, row: (rows[i] as ReadRow).row }],
      )
      .slice(0, room);
    const goods = await shownGoods(
      db,
      this.work.companyId,
      shown.map(({ goodId }) => goodId),
    );
    const actions = { created: "create", updated: "update", unchanged: "keep" } as const;
    const { branchGroupId, branchId } = this.job;
    const beside = await goodsBeside(
      db,
      { companyId: this.work.companyId, branchGroupId, branchId },
      shown.flatMap(({ kind, goodId }) => (kind === "created" ? [goodId] : [])),
    );
    const notes = new Map(beside.map((good) => [good.newId, noteOf(good)]));
    return shown.map(({ row, kind, goodId, isOfUnknownId }) => {
      const said = [
        ...(isOfUnknownId ? [UNKNOWN_ID] : []),
        ...(notes.has(goodId) ? [notes.get(goodId)] : []),
      ];
      const note = said.length === 0 ? null : said.join("; ");
      return { row, action: actions[kind], good: goods.get(goodId), note };
    });
  }

  private writeGoods(db: Db, changes: readonly GoodChange[]): Promise<GoodOutcome[]> {
    const { create, update, type, notesEnabled, unit } = this.job.options.config;
    const { companyId } = this.work;
    const { branchGroupId, branchId } = this.job;
    const rules = { creates: create, updates: update, defaults: { type, notesEnabled, unit } };
    return writeGoods(db, { companyId, branchGroupId, branchId }, changes, rules);
  }
}

/** Notes that a row makes a good where it may be meant to change another one. */
function noteOf({ id, hasName }: GoodBeside): string {
  return hasName
    ? `makes a second good of the name of good ${id}`
    : `makes a second good beside good ${id}, whose sku differs by case or leading zeros alone`;
}
