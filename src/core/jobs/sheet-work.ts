import { setTimeout as sleep } from "node:timers/promises";
import type { Area } from "../access/permissions.js";
import { notFound, type FieldError } from "../errors/domain-error.js";
import type { CompanyScope, Db } from "../scope/company-scope.js";
import { SheetError, type SheetRow, type SheetSource } from "../sheets/sheet.js";
import { withSheet, type StoredSheet } from "../sheets/with-sheet.js";
import { fileProgress, jobIdOf, tellProgress, type FileWork, type FollowedJob } from "./followed-job.js";
import type { JobContext } from "./jobs.js";
import { watchWork } from "./watch-work.js";
import {
  defineWork,
  followedWork,
  soon,
  type PartEnd,
  type Work,
  type WorkName,
  type WorkOptions,
  type WorkRow,
  type WorkScope,
} from "./work.js";

/** Ends work on a file for good; the message says why and is for the caller. */
export class WorkFailed extends Error {}

/** The cursor of work on a file, as its row has it. */
export interface SheetCursor {
  /** `running` while the work goes on; anything else, such as after it was canceled, lets it be. */
  readonly status: string;
  /** The first row of the sheet that no batch has done yet. */
  readonly nextRow: number;
}

/** How far a batch brings the work. It writes that together with what it does. */
export interface SheetReach {
  readonly nextRow: number;
  /** How much of the file is read, from 0 to 1; less than 1 while rows may follow. */
  readonly fileRead: number;
}

/** One run through the rows of a sheet. */
export interface SheetRun<Locked extends SheetCursor, Item> {
  /** Takes the first row that is not blank. @returns whether it has headers, and so is none of the rows to do. */
  header(row: SheetRow): boolean | Promise<boolean>;
  /**
   * Gives what takes each row before the first one is done, once the headers are known. The sheet is read once more for each:
   * there is none for a sheet whose rows are each done by themselves. What is to be known by then is made in between.
   */
  surveys?(): Iterable<(row: SheetRow) => void> | AsyncIterable<(row: SheetRow) => void>;
  /** Takes a row that was done in an earlier run. */
  pass?(row: SheetRow): void;
  /** Reads a batch while the one before it is written. @returns an item for each row. */
  read(rows: readonly SheetRow[]): readonly Item[] | Promise<readonly Item[]>;
  /** Writes a batch and its reach in one transaction, in which the row of the work is locked. */
  write(db: Db, locked: Locked, items: readonly Item[], reach: SheetReach): Promise<void>;
  /**
   * Makes a wrong row of one that the database refuses although nothing is wrong with it by the rules. Rows that are
   * refused together are written by halves, until one is left. Without it a refusal is an error of the job.
   *
   * @param errors what is wrong with it; none where the database has no words for callers.
   */
  refused?(item: Item, errors: readonly FieldError[]): Item;
  /** Does what follows the last row. @returns what ends the work in its transaction, in place of `end`. */
  finish?(source: SheetSource): Promise<(db: Db) => Promise<void>>;
}

export interface SheetWorkOptions<
  Name extends WorkName,
  Row extends StoredSheet & Pick<SheetCursor, "nextRow">,
  Locked extends SheetCursor,
  Item,
> extends Omit<WorkOptions<Name>, "part" | "turnMs"> {
  /** Whoever may see or edit this area may follow it. */
  readonly area: Area;
  /** The milliseconds for which a file keeps its place at least when others wait for one. */
  readonly turnMs?: number;
  /** How many rows one transaction does: so many that its own cost hardly counts, so few that it is short. */
  readonly size: number;
  /** Begins the work, or goes on with what was begun. @returns its row; `null` when there is nothing to do. */
  begin(inside: WorkScope): Promise<Row | null>;
  /** Reads from the row how far the work has come. */
  find(scope: Pick<CompanyScope, "db" | "companyId">, id: number): Promise<FileWork | null>;
  open(
    row: Row,
    work: WorkRow,
    context: JobContext,
  ): SheetRun<Locked, Item> | Promise<SheetRun<Locked, Item>>;
  /** Locks the row until the transaction ends. */
  lock(inside: WorkScope): Promise<Locked | null>;
  /** Ends work that runs. @param message says why it failed; `null` when it is finished. */
  end(inside: WorkScope, status: "finished" | "failed", message: string | null): Promise<void>;
}

export interface SheetWork<Name extends WorkName> extends Work<Name> {
  readonly followed: FollowedJob;
}

const TURN_MS = 10_000;
/** A turn is so many times as long as it takes to come to the next row of the file again. */
const TURN_TO_BEGIN = 5;
/** Pause between batches, for the sake of requests. */
const PAUSE_MS = 3;

/**
 * Defines work on the rows of a stored spreadsheet. Each batch commits together with the row where the next one begins, so
 * a process may die at any point: the next one goes on with the rows that are left. Two that do the same work at once find
 * out by that row.
 */
export function defineSheetWork<
  Name extends WorkName,
  Row extends StoredSheet & Pick<SheetCursor, "nextRow">,
  Locked extends SheetCursor,
  Item,
>(options: SheetWorkOptions<Name, Row, Locked, Item>): SheetWork<Name> {
  const { task, row, kind, atOnce, begin, find, open, area } = options;
  const work = defineWork({
    task,
    row,
    kind,
    ...(atOnce !== undefined && { atOnce }),
    part: async (of, context, isPlaceWanted) => {
      const stored = await context.transaction(of.companyId, (db) => begin({ db, ...of }));
      if (stored === null) return "none";
      const run = await open(stored, of, context);
      return new SheetReading(of, stored, run, options, { ...context, isPlaceWanted }).toItsEnd();
    },
  });
  const progress: FollowedJob["progress"] = async (scope, id) => {
    const found = await find(scope, id);
    if (found === null) throw notFound("Job");
    return fileProgress(found);
  };
  return { ...work, followed: followedWork(work, area, progress) };
}

/** An item and the number of its row. */
interface Numbered<Item> {
  readonly row: number;
  readonly item: Item;
}

/** One turn of work on a file. */
class SheetReading<Locked extends SheetCursor, Item> {
  private readonly began = performance.now();
  /** When the first batch of this turn was read. */
  private turnBegan: number | null = null;
  /** The row with which the next batch begins. */
  private nextRow: number;
  /** The batch that is being written. @returns whether the work goes on. */
  private writing: Promise<boolean> = Promise.resolve(true);

  constructor(
    private readonly of: WorkRow,
    private readonly stored: StoredSheet & Pick<SheetCursor, "nextRow">,
    private readonly run: SheetRun<Locked, Item>,
    private readonly steps: Pick<
      SheetWorkOptions<WorkName, StoredSheet & SheetCursor, Locked, Item>,
      "kind" | "size" | "turnMs" | "lock" | "end" | "find"
    >,
    private readonly context: JobContext & { readonly isPlaceWanted: () => boolean },
  ) {
    this.nextRow = stored.nextRow;
  }

  async toItsEnd(): Promise<PartEnd> {
    const { of, context, steps } = this;
    const inside = { db: context.database.writer, companyId: of.companyId };
    const runs = async (): Promise<boolean> => (await steps.find(inside, of.id))?.status === "running";
    const watch = watchWork(runs, context);
    try {
      const end = await withSheet(this.stored, context, watch.signal, (source) => this.doSheet(source));
      return end ?? (await this.fail("The file is not there any more."));
    } catch (error) {
      if (error instanceof SheetError) return await this.fail(`The file ${error.message}.`);
      if (error instanceof WorkFailed) return await this.fail(error.message);
      if (watch.hasEnded()) return "none";
      if (context.signal.aborted) return "more";
      throw error;
    } finally {
      await watch.stop();
    }
  }

  private async doSheet(source: SheetSource): Promise<PartEnd> {
    const end = await this.doRows(source);
    if (end !== null) return end;
    const finish = await this.run.finish?.(source);
    await this.inTransaction((db) => finish?.(db) ?? this.steps.end({ db, ...this.of }, "finished", null));
    return "done";
  }

  /** Does all rows: a batch is read while the one before it is written. @returns `null` when none is left. */
  private async doRows(source: SheetSource): Promise<PartEnd | null> {
    const firstRow = this.nextRow;
    let isFirst = true;
    let batch: SheetRow[] = [];
    try {
      for await (const { rows, read } of this.context.sheets.read(source)) {
        for (const row of rows) {
          const isHeader = isFirst && (await this.run.header(row));
          if (isFirst) await this.survey(source, isHeader);
          isFirst = false;
          if (isHeader) continue;
          if (row.number < firstRow) {
            this.run.pass?.(row);
            continue;
          }
          batch.push(row);
          if (batch.length < this.steps.size) continue;
          if (!(await this.write(batch, read))) return "none";
          batch = [];
          if (this.context.signal.aborted) return (await this.writing) ? "more" : "none";
          if (this.hasHadItsTurn()) return (await this.writing) ? soon() : "none";
          await sleep(PAUSE_MS);
        }
      }
      if (batch.length > 0 && !(await this.write(batch, 1))) return "none";
      return (await this.writing) ? null : "none";
    } catch (error) {
      await this.writing;
      throw error;
    }
  }

  /** Whether it gives its place to somebody who waits for one. What it takes to begin anew is a small part of each turn. */
  private hasHadItsTurn(): boolean {
    const { turnMs = TURN_MS } = this.steps;
    const now = performance.now();
    this.turnBegan ??= now;
    const toBegin = this.turnBegan - this.began;
    return now - this.turnBegan >= Math.max(turnMs, TURN_TO_BEGIN * toBegin) && this.context.isPlaceWanted();
  }

  private async survey(source: SheetSource, hasHeader: boolean): Promise<void> {
    for await (const survey of this.run.surveys?.() ?? []) {
      let isHeader = hasHeader;
      for await (const { rows } of this.context.sheets.read(source))
        for (const row of rows) {
          if (!isHeader) survey(row);
          isHeader = false;
        }
    }
  }

  /** Reads a batch and begins to write it after the one before is written. @returns whether that one went on. */
  private async write(rows: readonly SheetRow[], fileRead: number): Promise<boolean> {
    const items = await this.run.read(rows);
    if (!(await this.writing)) return false;
    const numbered = rows.map(({ number }, i) => ({ row: number, item: items[i] as Item }));
    this.writing = this.writeBatch(numbered, fileRead);
    // Its error is thrown where it is waited for.
    this.writing.catch(() => undefined);
    return true;
  }

  /** @returns whether the work goes on. */
  private async writeBatch(batch: readonly Numbered<Item>[], fileRead: number): Promise<boolean> {
    const { run } = this;
    let errors: readonly FieldError[] | null;
    try {
      return await this.tryBatch(batch, fileRead);
    } catch (error) {
      errors = this.context.refusalOf(error);
      if (run.refused === undefined || errors === null) throw error;
      const [{ row }] = batch as [Numbered<Item>];
      this.context.log.warn({ ...this.of, row, rows: batch.length, err: error }, "rows refused");
    }
    if (batch.length === 1) {
      const wrong = batch.map(({ row, item }) => ({ row, item: run.refused?.(item, errors) ?? item }));
      return this.tryBatch(wrong, fileRead);
    }
    const half = Math.ceil(batch.length / 2);
    return (
      (await this.writeBatch(batch.slice(0, half), 0)) && (await this.writeBatch(batch.slice(half), fileRead))
    );
  }

  private async tryBatch(batch: readonly Numbered<Item>[], fileRead: number): Promise<boolean> {
    const nextRow = (batch.at(-1) as Numbered<Item>).row + 1;
    const items = batch.map(({ item }) => item);
    const isDone = await this.inTransaction(async (db) => {
      const locked = await this.steps.lock({ db, ...this.of });
      if (locked?.status !== "running" || locked.nextRow !== this.nextRow) return false;
      await this.run.write(db, locked, items, { nextRow, fileRead });
      return true;
    });
    this.nextRow = nextRow;
    return isDone;
  }

  private async fail(message: string): Promise<PartEnd> {
    await this.inTransaction((db) => this.steps.end({ db, ...this.of }, "failed", message));
    return "done";
  }

  /** Each transaction brings news: a batch that is done, or the end. */
  private inTransaction<T>(work: (db: Db) => Promise<T>): Promise<T> {
    const { companyId, id } = this.of;
    return this.context.transaction(companyId, async (db) => {
      const result = await work(db);
      await tellProgress({ db, companyId }, jobIdOf(this.steps, id));
      return result;
    });
  }
}
