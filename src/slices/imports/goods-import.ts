import { createHash } from "node:crypto";
import { setImmediate as turn } from "node:timers/promises";
import type { FieldError } from "../../core/errors/domain-error.js";
import type { JobContext } from "../../core/jobs/jobs.js";
import { WorkFailed, type SheetReach, type SheetRun } from "../../core/jobs/sheet-work.js";
import type { WorkRow } from "../../core/jobs/work.js";
import { pictureKeyIn } from "../../core/files/picture-key.js";
import type { Db } from "../../core/scope/company-scope.js";
import { undone } from "../../core/scope/undone.js";
import type { SheetRow, SheetSource } from "../../core/sheets/sheet.js";
import type { JsonValue, Row } from "../../core/db/db.js";
import { actFor, withoutPayer } from "../../core/operations/actor.sql.js";
import { writeGoods, type GoodChange, type GoodOutcome } from "../goods/good-batch.service.js";
import { goodsBeside, shownGoods } from "../goods/good-batch.sql.js";
import { goodSnapshots, namesOf, type GoodSnapshot, type NewName } from "../goods/good-snapshot.sql.js";
import { wantPictures } from "../goods/good-picture-source.sql.js";
import { writeGoodVariants } from "../properties/good-variants.service.js";
import { CategoryNames } from "./category-names.js";
import { hostImage, hostImageColumns } from "./host-image.rules.js";
import { MAY_NO_MORE, mayStillImport } from "./import-author.js";
import { storeChanges } from "./import-changes.js";
import { fieldChanges, NewGoods, type RowChange } from "./import-changes.rules.js";
import { assertKnownColumn, findColumns, headersOf, isBeyond } from "./import-columns.rules.js";
import {
  branchStays,
  newGoodsOfChanges,
  writeBatch,
  writeColumns,
  type LockedImport,
} from "./import-job.sql.js";
import { REFUSED } from "./import-errors.rules.js";
import type { ImportOptions } from "./import-options.rules.js";
import { finishImport, importPictures } from "./import-pictures.jobs.js";
import { storeReport } from "./import-report.js";
import { followingRow, RowReader, type ReadRow, type RowError } from "./import-row.rules.js";
import { variantGroups, type VariantGroups } from "./variant-groups.js";
import { variantLayout } from "./variant-layout.rules.js";
import { mergeRows } from "./variant-rows.rules.js";

type ImportJobRow = Row<"ImportJob">;

/** Other work of the process has its turn after so many rows. */
const ROWS_A_TURN = 15;
/** The first rows of a dry run that are shown. */
const PREVIEWED = 20;
const MOST_UNKNOWN_CATEGORIES = 100;
const HAS_MOVED = "The branch has moved to another shop, so goods of this one are none of its goods.";
const UNKNOWN_ID = "its id is that of no good of the shop, and counts as none";

/** The row of an import with its options. */
export type OpenImport = Omit<ImportJobRow, "options"> & { readonly options: ImportOptions };

/** What a batch comes to, before it is written down. */
interface Outcome {
  readonly outcomes: readonly GoodOutcome[];
  readonly preview: readonly unknown[];
  readonly changes: readonly RowChange[];
  /** How many pictures are to be fetched. */
  readonly wanted: number;
}

/** A row that is done and not refused. */
type DoneRow = Exclude<GoodOutcome, { readonly kind: "refused" }> & { readonly row: number };

/** One run of an import through its file. */
export class GoodsImport implements SheetRun<LockedImport, ReadRow> {
  private reader: RowReader | null = null;
  private groups: VariantGroups | null = null;
  private headers: readonly string[] = [];

  private constructor(
    private readonly job: OpenImport,
    private readonly work: WorkRow,
    private readonly context: JobContext,
    private readonly categories: CategoryNames,
    /** Those of a preview of changes; else `null`. */
    private readonly news: NewGoods | null,
  ) {}

  static async open(this: void, job: OpenImport, work: WorkRow, context: JobContext): Promise<GoodsImport> {
    const categories = await context.database.writer.category.findMany({
      where: { companyId: work.companyId },
      select: { id: true, name: true },
      orderBy: { id: "asc" },
    });
    const news = job.options.showsChanges === true ? new NewGoods() : null;
    if (news !== null && job.nextRow > 1)
      for (const good of await newGoodsOfChanges(context.database.writer, work)) news.add(good.row, good);
    return new GoodsImport(job, work, context, new CategoryNames(categories, job.options.categories), news);
  }

  header({ number, cells }: SheetRow): boolean {
    const hasHeaders = number === 1;
    this.headers = headersOf(hasHeaders ? cells : []);
    return hasHeaders;
  }

  /** Finds out what the columns hold; only where letters stand for one without a header the sheet is read for its width. */
  async *surveys(): AsyncGenerator<(row: SheetRow) => void> {
    const { options } = this.job;
    const named = [...options.mapping.map(({ column }) => column), ...hostImageColumns(options)];
    let width = this.headers.length;
    if (named.some((name) => isBeyond(this.headers, name)))
      yield ({ cells }) => {
        width = Math.max(width, cells.length);
      };
    await this.readColumns(Array.from({ length: width }, (_, index) => this.headers[index] ?? ""));
    yield* this.groups?.surveys() ?? [];
  }

  private async readColumns(headers: readonly string[]): Promise<void> {
    const { options, branchId } = this.job;
    const { decimal, profile = null } = options.config;
    const columns = findColumns(headers, options.mapping, branchId !== null, profile);
    await this.context.transaction(this.work.companyId, async (db) => {
      await this.assertMayGoOn(db);
      await writeColumns(db, this.work, columns);
    });
    assertKnownColumn(columns);
    const layout = variantLayout(headers, profile);
    this.groups = layout === null ? null : variantGroups(layout);
    const { check } = this.context;
    this.reader = new RowReader(
      columns,
      (name, input) => check(name, input),
      decimal,
      hostImage(options, columns),
      profile === "shopify",
    );
  }

  pass(row: SheetRow): void {
    if ((this.groups?.goodRowOf(row) ?? null) === null) this.reader?.note(row);
  }

  async read(rows: readonly SheetRow[]): Promise<ReadRow[]> {
    const read: ReadRow[] = [];
    for (const [i, row] of rows.entries()) {
      if (i % ROWS_A_TURN === ROWS_A_TURN - 1) await turn();
      read.push(this.readRow(row));
    }
    return read;
  }

  /** Reads a row, together with those of the same good. */
  private readRow(row: SheetRow): ReadRow {
    const { groups, rowReader: reader } = this;
    if (groups === null) return reader.read(row);
    const goodRow = groups.goodRowOf(row);
    if (goodRow === "missing") {
      const read = reader.read(row, { isPart: true });
      const error = { field: "parent", rule: "exists", message: "is no good of the sheet" };
      return { ...read, errors: [...read.errors, reader.rowError(row.number, error)] };
    }
    if (goodRow === "repeated") {
      const read = reader.read(row, { isPart: true });
      const error = { field: "sku", rule: "unique", message: "names a variant that has a row before" };
      return { ...read, errors: [...read.errors, reader.rowError(row.number, error)] };
    }
    if (goodRow !== null) return followingRow(row.number);
    const following = groups.followingOf(row);
    const good = { row, read: reader.read(row) };
    if (!groups.isOfVariants(row)) return good.read;
    const parts = following.map((part) => ({ row: part, read: reader.read(part, { isPart: true }) }));
    return good.read.isDeleted
      ? { ...good.read, rows: 1 + parts.length }
      : mergeRows(groups.layout, good, parts, this.job.options.config.decimal);
  }

  refused(read: ReadRow, errors: readonly FieldError[]): ReadRow {
    const { row } = read;
    const nowhere = { column: null, header: null, field: null };
    const told =
      errors.length === 0
        ? [{ ...nowhere, row, ...REFUSED }]
        : errors.map((error) => this.rowReader.rowError(row, error));
    return { ...read, errors: [...read.errors, ...told] };
  }

  async write(db: Db, locked: LockedImport, read: readonly ReadRow[], reach: SheetReach): Promise<void> {
    await this.assertMayGoOn(db);
    const unknown = new Set<string>();
    const left = rowsOf(read.filter(({ isDeleted, errors }) => isDeleted && errors.length === 0));
    const fine = read.filter(({ isDeleted, errors }) => !isDeleted && errors.length === 0);
    const changes = fine.map(({ change, categories, categoryNames }): GoodChange => {
      const found = this.categories.find(categories, categoryNames);
      for (const name of found.unknown) unknown.add(name);
      return { ...change, categoryIds: found.ids };
    });
    const outcome = this.job.dryRun
      ? this.tryOut(db, fine, changes, PREVIEWED - locked.previewed)
      : this.writeRows(db, fine, changes);
    const { outcomes, preview, changes: found, wanted } = await outcome;
    const refused = fine.flatMap(({ row }, i): RowError[] => {
      const of = outcomes[i] as GoodOutcome;
      return of.kind === "refused" ? of.errors.map((error) => this.rowReader.rowError(row, error)) : [];
    });
    const errors = [...read.flatMap((row) => [...row.errors, ...row.notes]), ...refused].sort(
      (one, other) => one.row - other.row,
    );
    const count = (kind: GoodOutcome["kind"]): number =>
      rowsOf(fine.filter((_, i) => outcomes[i]?.kind === kind));
    const unknownCategories = [...new Set([...locked.unknownCategories, ...unknown])];
    await writeBatch(db, this.work, locked, {
      ...reach,
      imported: count("created"),
      updated: count("updated") + count("unchanged") + left,
      unchanged: count("unchanged") + left,
      failed: rowsOf(read) - left - rowsOf(fine) + count("refused"),
      errors,
      unknownCategories: unknownCategories.slice(0, MOST_UNKNOWN_CATEGORIES),
      preview,
      changes: found,
      picturesWanted: wanted,
    });
  }

  async finish(source: SheetSource): Promise<(db: Db) => Promise<void>> {
    if (this.reader === null) throw new WorkFailed("The sheet has no rows.");
    const report = await storeReport(this.work, this.context, source);
    const changesKey = this.news === null ? null : await storeChanges(this.work, this.context, source);
    return (db) => finishImport(db, this.work, { report, changesKey });
  }

  /**
   * @throws WorkFailed when the branch has left the shop, whose goods are no goods of the branch then, or when whoever sent the file may
   *   not import it any more.
   */
  private async assertMayGoOn(db: Db): Promise<void> {
    if (!(await branchStays(db, this.job))) throw new WorkFailed(HAS_MOVED);
    if (!(await mayStillImport(db, this.context, this.job))) throw new WorkFailed(MAY_NO_MORE);
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
    const outcomes = await this.writeGoods(db, rows, changes, this.job.actor);
    const wanted = await this.wantPictures(db, rows, outcomes);
    if (wanted > 0) await importPictures.schedule({ db, companyId: this.work.companyId }, this.work.id);
    return { outcomes, preview: [], changes: [], wanted };
  }

  /** Does the same as `writeRows`, returns what it comes to, and undoes it. */
  private async tryOut(
    db: Db,
    rows: readonly ReadRow[],
    changes: readonly GoodChange[],
    room: number,
  ): Promise<Outcome> {
    const tried = await undone(db, async (inside) => {
      const outcomes = await this.writeGoods(inside, rows, changes, withoutPayer(this.job.actor));
      const wanted = await this.wantPictures(inside, rows, outcomes);
      const done = outcomes.flatMap((outcome, i): DoneRow[] =>
        outcome.kind === "refused" ? [] : [{ ...outcome, row: (rows[i] as ReadRow).row }],
      );
      const shown = this.news === null ? done.slice(0, room) : done;
      const notes = await this.notesOf(inside, shown);
      const preview = await this.preview(inside, shown.slice(0, room), notes);
      return { outcomes, wanted, done, notes, preview, after: await this.snapshots(inside, done) };
    });
    const { outcomes, preview, wanted, done, notes, after } = tried;
    // What was tried out is undone by now: these are the goods as they are.
    const before = await this.snapshots(
      db,
      done.filter(({ kind }) => kind !== "created"),
    );
    const found = done.flatMap(({ row, goodId, kind }): RowChange[] => {
      const [was, is] = [before.get(goodId) ?? null, after.get(goodId)];
      const fields = is === undefined ? {} : fieldChanges(was, is);
      if (Object.keys(fields).length === 0) return [];
      const isNew = kind === "created";
      return [{ row, goodId: isNew ? null : goodId, changes: fields, note: notes.get(row) ?? null }];
    });
    return { outcomes, preview, changes: found, wanted };
  }

  /** The goods of a preview of changes. */
  private snapshots(db: Db, rows: readonly DoneRow[]): Promise<ReadonlyMap<number, GoodSnapshot>> {
    const { companyId, id: importJobId } = this.work;
    const ids = this.news === null ? [] : rows.map(({ goodId }) => goodId);
    return goodSnapshots(db, { companyId, branchId: this.job.branchId, importJobId }, ids);
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
    rows: readonly DoneRow[],
    notes: ReadonlyMap<number, string>,
  ): Promise<readonly unknown[]> {
    const goods = await shownGoods(
      db,
      this.work.companyId,
      rows.map(({ goodId }) => goodId),
    );
    const actions = { created: "create", updated: "update", unchanged: "keep" } as const;
    return rows.map(({ row, kind, goodId }) => ({
      row,
      action: actions[kind],
      good: goods.get(goodId),
      note: notes.get(row) ?? null,
    }));
  }

  /** What previews note about rows, by their numbers. */
  private async notesOf(db: Db, rows: readonly DoneRow[]): Promise<ReadonlyMap<number, string>> {
    const { branchGroupId, branchId } = this.job;
    const created = rows.filter(({ kind }) => kind === "created");
    const ids = created.map(({ goodId }) => goodId);
    const beside = await goodsBeside(db, { companyId: this.work.companyId, branchGroupId, branchId }, ids);
    const besideOf = new Map(beside.map((good) => [good.newId, good]));
    const names =
      this.news === null ? new Map<number, NewName>() : await namesOf(db, this.work.companyId, ids);
    return new Map(
      rows.flatMap(({ row, goodId, isOfUnknownId }): [number, string][] => {
        const name = names.get(goodId);
        const earlier = name === undefined ? null : (this.news?.add(row, name) ?? null);
        const good = besideOf.get(goodId);
        const second =
          good !== undefined
            ? noteOf(`good ${good.id}`, good.hasName)
            : earlier !== null
              ? noteOf(`the good of row ${earlier.row}`, earlier.hasName)
              : null;
        const notes = [...(isOfUnknownId ? [UNKNOWN_ID] : []), ...(second === null ? [] : [second])];
        return notes.length === 0 ? [] : [[row, notes.join("; ")]];
      }),
    );
  }

  private async writeGoods(
    db: Db,
    rows: readonly ReadRow[],
    changes: readonly GoodChange[],
    actor: JsonValue,
  ): Promise<GoodOutcome[]> {
    const { create, update, type, notesEnabled, unit } = this.job.options.config;
    const { companyId } = this.work;
    const { branchGroupId, branchId } = this.job;
    const rules = {
      ...{ creates: create, updates: update, defaults: { type, notesEnabled, unit } },
      check: (good: object) => this.context.check("updateGood", good),
    };
    await actFor(db, actor);
    const outcomes = await writeGoods(db, { companyId, branchGroupId, branchId }, changes, rules);
    const goods = outcomes.flatMap((outcome, i) => {
      const variants = rows[i]?.variants ?? null;
      const isLeft = outcome.kind === "refused" || (outcome.kind !== "created" && !update);
      return isLeft || variants === null ? [] : [{ goodId: outcome.goodId, variants }];
    });
    const changed = await writeGoodVariants(db, { companyId, branchGroupId }, goods);
    await actFor(db, null);
    return outcomes.map((outcome) =>
      outcome.kind === "unchanged" && changed.has(outcome.goodId) ? { ...outcome, kind: "updated" } : outcome,
    );
  }
}

function rowsOf(read: readonly ReadRow[]): number {
  return read.reduce((sum, { rows }) => sum + rows, 0);
}

/** Notes that a row makes a good where it may be meant to change another one. */
function noteOf(other: string, hasName: boolean): string {
  return hasName
    ? `makes a second good of the name of ${other}`
    : `makes a second good beside ${other}, whose sku differs by case or leading zeros alone`;
}
