import pg from "pg";
import { unavailable } from "../../core/errors/domain-error.js";
import { loopTime } from "../limits/loop-time.js";
import type { Ahead } from "./ahead.js";
import { arrayLiteral } from "./column-values.js";
import { PreparedRead, ReadStatement } from "./prepared-read.js";
import type { ReadMeter } from "../limits/read-meter.js";
import type { Cells, Field, ReadRow } from "./row-shape.js";

/** One statement reads at most this many rows for others than its own asker. */
const MOST_ROWS = 100;
/** The server has cancelled a statement, mostly since it took too long. */
const QUERY_CANCELED = "57014";

/** A row that somebody wants by its key. */
export interface WantedRow {
  /** The values that the statement compares columns with. */
  readonly values: readonly unknown[];
  /** The types of the values in SQL. */
  readonly keys: readonly string[];
  readonly meter: ReadMeter | null;
}

interface Waiting {
  readonly row: WantedRow;
  /** On the clock of `performance.now()`. */
  readonly since: number;
  readonly resolve: (rows: readonly ReadRow[] | null) => void;
  readonly reject: (error: unknown) => void;
}

interface Options {
  /** Runs a statement on a connection of the pool. */
  readonly execute: (read: PreparedRead) => Promise<unknown>;
  /** Returns the name of a statement, see `statement-names.ts`. */
  readonly nameOf: (statement: ReadStatement) => string;
  /** Gets the text of each statement before it is sent. */
  readonly before: (text: string) => void;
  /** The most statements that are under way at once. */
  readonly most: number;
  /** How long a row waits for its statement to be sent, in milliseconds. */
  readonly patienceMs: number;
  /** Whether a row that several have is frozen. */
  readonly freezesRows: boolean;
}

/**
 * Reads rows that several requests want by their keys within the same round of the event loop by one statement, whoever asks
 * for them: each has been judged by itself before, and each key names its company. Nobody waits beyond the round for others to
 * ask, and not even that long after a round in which nobody else asked; only while as many statements as may be are under way,
 * rows that are wanted wait, and are then read together.
 *
 * What goes wrong with one row reaches its asker alone.
 */
export class RowsTogether {
  private readonly waiting = new Map<ReadStatement, Waiting[]>();
  private readonly ofMany = new WeakMap<ReadStatement, ReadStatement>();
  private running = 0;
  private isScheduled = false;
  /** The last round of the event loop in which rows were wanted, see `loopTime.round`. */
  private round = -1;
  /** How many were wanted in that round, and in the one before in which there were any. */
  private wanted = 0;
  private wantedBefore = 0;

  constructor(private readonly options: Options) {}

  /** Notes that a row is wanted. @returns whether it is likely to be the only one, so that it is sent by itself at once. */
  isAlone(): boolean {
    const { round } = loopTime;
    if (round !== this.round) {
      this.round = round;
      this.wantedBefore = this.wanted;
      this.wanted = 0;
    }
    this.wanted += 1;
    const isBusy = this.waiting.size > 0 || this.running >= this.options.most;
    return this.wanted === 1 && this.wantedBefore === 1 && !isBusy;
  }

  /**
   * Reads the row that the statement reads with these values.
   *
   * @param since when it was wanted, on the clock of `performance.now()`.
   * @returns `null` when the asker has to send the statement by itself: it then counts in the asker's own context.
   */
  read(statement: ReadStatement, row: WantedRow, since: number): Promise<readonly ReadRow[] | null> {
    if (!this.ofMany.has(statement))
      this.ofMany.set(statement, new ReadStatement(textOfMany(statement.text, row.keys)));
    return new Promise((resolve, reject) => {
      const wanted = { row, since, resolve, reject };
      const others = this.waiting.get(statement);
      if (others === undefined) this.waiting.set(statement, [wanted]);
      else others.push(wanted);
      if (this.isScheduled || this.running >= this.options.most) return;
      this.isScheduled = true;
      setImmediate(() => {
        this.isScheduled = false;
        this.sendWaiting();
      });
    });
  }

  private sendWaiting(): void {
    for (const [statement, wanted] of this.waiting) {
      while (wanted.length > 0) {
        if (this.running >= this.options.most) return;
        const some = this.inTime(wanted.splice(0, MOST_ROWS));
        const [first, second] = some;
        // One row alone takes a turn of its company, as any other read.
        if (second === undefined) first?.resolve(null);
        else void this.send(statement, some);
      }
      this.waiting.delete(statement);
    }
  }

  /** Refuses the rows that have waited for too long. */
  private inTime(wanted: readonly Waiting[]): readonly Waiting[] {
    const oldest = performance.now() - this.options.patienceMs;
    const [first] = wanted;
    if (first === undefined || first.since >= oldest) return wanted;
    return wanted.filter(({ since, reject }) => {
      if (since < oldest) reject(unavailable("The database has no connection free; try again."));
      return since >= oldest;
    });
  }

  private async send(statement: ReadStatement, wanted: readonly Waiting[]): Promise<void> {
    this.running += 1;
    try {
      await this.readTogether(statement, wanted);
    } finally {
      this.running -= 1;
      if (this.waiting.size > 0) this.sendWaiting();
    }
  }

  private async readTogether(statement: ReadStatement, wanted: readonly Waiting[]): Promise<void> {
    const { execute, nameOf, before, freezesRows } = this.options;
    const ofMany = this.ofMany.get(statement) as ReadStatement;
    const askers = byValues(wanted);
    const rows = askers.map(([first]) => (first as Waiting).row);
    const values = (rows[0] as WantedRow).values.map((_, index) =>
      arrayLiteral(rows.map((row) => row.values[index])),
    );
    const read = new ReadOfMany(ofMany, { name: nameOf(ofMany), ahead: [] }, values);
    try {
      before(ofMany.text);
      await execute(read);
    } catch (error) {
      // What the server refuses of one row, such as a stale plan or a value, it does not refuse of the others.
      const isOfOne = error instanceof pg.DatabaseError && error.code !== QUERY_CANCELED;
      for (const one of wanted) {
        if (isOfOne) one.resolve(null);
        else one.reject(error);
      }
      return;
    }
    for (const [index, those] of askers.entries()) {
      const found = read.found[index];
      if (freezesRows && found !== undefined && !(found instanceof Error)) Object.freeze(found.row);
      for (const { row, resolve, reject } of those)
        try {
          if (found instanceof Error) throw found;
          if (found !== undefined) row.meter?.readsRow(found.bytes);
          resolve(found === undefined ? [] : [found.row]);
        } catch (error) {
          reject(error);
        }
    }
  }
}

/** Returns the askers of each row. */
function byValues(wanted: readonly Waiting[]): readonly (readonly Waiting[])[] {
  const askers = new Map<string, Waiting[]>();
  for (const one of wanted) {
    const key = one.row.values.join();
    const others = askers.get(key);
    if (others === undefined) askers.set(key, [one]);
    else others.push(one);
  }
  return [...askers.values()];
}

/** Returns the text that reads what a statement reads for each of many values, with the place of the values. */
function textOfMany(text: string, keys: readonly string[]): string {
  const lists = keys.map((type, index) => `$${index + 1}::${type}[]`);
  const names = keys.map((_, index) => `"k${index + 1}"`);
  const ofOne = text.replace(/\$(?<n>\d+)/gu, (_, n: string) => `"sought"."k${n}"`);
  return `SELECT "found".*, "sought"."place" FROM unnest(${lists.join(", ")}) WITH ORDINALITY AS "sought" (${names.join(", ")}, "place") CROSS JOIN LATERAL (${ofOne}) AS "found"`;
}

/** The column with the place of a row is the last one: four bytes give its length, and then it stands as a text. */
const LENGTH_BYTES = 4;

/** A run of a statement that reads rows for several askers: each counts its own. */
class ReadOfMany extends PreparedRead {
  /** By the place of its values: the row with its bytes, or what went wrong with it. */
  readonly found: ({ readonly row: ReadRow; readonly bytes: number } | Error | undefined)[] = [];

  constructor(
    statement: ReadStatement,
    sending: { readonly name: string; readonly ahead: readonly Ahead[] },
    values: readonly unknown[],
  ) {
    super(statement, sending, values, null);
  }

  override handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    super.handleRowDescription({ fields: fields.slice(0, -1) });
  }

  protected override take(cells: Cells, length: number): void {
    const place = cells[cells.length - 1] as string;
    const index = Number(place) - 1;
    try {
      this.found[index] = { row: this.rowOf(cells), bytes: length - LENGTH_BYTES - place.length };
    } catch (error) {
      this.found[index] = error as Error;
    }
  }
}
