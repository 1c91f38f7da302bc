import { sendAhead, textOf, type Ahead } from "./ahead.js";
import { hasShape, rowShape, type Cells, type Field, type ReadRow, type RowShape } from "./row-shape.js";
import { nextSlice } from "../limits/loop-slices.js";
import type { RowMeter } from "../limits/read-meter.js";
import { UNNAMED } from "./statement-names.js";

/**
 * The text of a statement that runs again and again, with the shape that its rows had when the server last
 * described them.
 */
export class ReadStatement {
  /** Statements hold no shape: the room of shapes alone bounds what they take. */
  private known: WeakRef<RowShape> | null = null;

  constructor(readonly text: string) {}

  get shape(): RowShape | null {
    return this.known?.deref() ?? null;
  }

  set shape(shape: RowShape) {
    this.known = new WeakRef(shape);
  }
}

/** So much of a result is taken at a time: bytes, and as many for each row besides. */
const SLICE_BYTES = 131_072;
const BYTES_PER_ROW = 256;

/** The part of a connection of `pg` that a query uses. */
interface Connection {
  readonly stream: { cork(): void; uncork(): void; pause(): unknown; resume(): unknown };
  readonly parsedStatements: Readonly<Record<string, string | undefined>>;
  parse(message: { text: string; name: string }): void;
  bind(message: {
    statement: string;
    values: readonly unknown[];
    valueMapper: (value: unknown) => string | null;
  }): void;
  describe(message: { type: "P"; name: string }): void;
  execute(message?: undefined): void;
  sync(): void;
  sendCopyFail(reason: string): void;
}

/**
 * One run of a statement, in the form in which `pg` takes queries of other classes (`Submittable`). The query class
 * of `pg` has the server describe each run, and looks up parsers and builds rows anew for each.
 *
 * This class has a run described whenever the server parses it: a named statement once per connection, an unnamed
 * one at each run. The description travels in the same message, and shows when a migration has changed the type of
 * a column. A named statement cannot change unnoticed: the server refuses a run whose columns differ from those it
 * was parsed with.
 */
export class PreparedRead {
  readonly rows: ReadRow[] = [];
  /** `pg` sets the callback. */
  callback: ((error: Error | null) => void) | undefined;
  private shape: RowShape | null;
  private failure: Error | null = null;
  private readonly ownName: string;
  private readonly ahead: readonly Ahead[];
  private readonly takesRows: boolean;
  /** How many of the statements ahead have been answered. */
  private answered = 0;
  private command = "";
  private isSent = false;
  private stream: Connection["stream"] | undefined;
  /** How much of the slice is left. */
  private left = SLICE_BYTES;
  private isHeld = false;

  /**
   * @param sending.name under which connections prepare the statement; `""` leaves it unprepared.
   * @param sending.takesRows whether the rows are wanted; otherwise nothing but their number is.
   * @param sending.ahead are sent in the same packet, before the statement.
   * @param meter counts the rows while they come in, so that those of one statement too many are never kept.
   */
  constructor(
    private readonly statement: ReadStatement,
    sending: { readonly name: string; readonly ahead: readonly Ahead[]; readonly takesRows?: boolean },
    private readonly values: readonly unknown[],
    private readonly meter: RowMeter | null,
  ) {
    this.ownName = sending.name;
    this.ahead = sending.ahead;
    this.takesRows = sending.takesRows ?? true;
    this.shape = statement.shape;
  }

  /**
   * Once it is sent, the name of what the server parses next, with its text: `pg` remembers that the connection has it as soon as it
   * is parsed, and it stays parsed when its run fails.
   */
  get name(): string {
    const { next, ownName } = this;
    if (next === undefined) return ownName;
    return this.isSent ? next.name : UNNAMED;
  }

  get text(): string {
    return this.isSent && this.next !== undefined ? this.next.text : this.statement.text;
  }

  /** How many rows the statement has changed or answered. */
  get count(): number {
    return Number(/\d+$/u.exec(this.command)?.[0] ?? 0);
  }

  /** The next of what was sent ahead that has not been answered. */
  private get next(): Ahead | undefined {
    return this.ahead[this.answered];
  }

  submit(connection: Connection): null {
    const { ownName: name, values } = this;
    const { text } = this.statement;
    const isParsed = name !== UNNAMED && connection.parsedStatements[name] !== undefined;
    this.stream = connection.stream;
    this.isSent = true;
    connection.stream.cork();
    try {
      if (this.ahead.length > 0) sendAhead(connection, this.ahead);
      if (!isParsed) connection.parse({ text, name });
      connection.bind({ statement: name, values, valueMapper: textOf });
      if (this.takesRows && (!isParsed || this.shape === null)) connection.describe({ type: "P", name: "" });
      connection.execute();
      connection.sync();
    } finally {
      connection.stream.uncork();
    }
    return null;
  }

  handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    if (!this.takesRows) return;
    if (this.shape !== null && hasShape(this.shape, fields)) return;
    try {
      this.shape = this.statement.shape = rowShape(fields);
    } catch (error) {
      this.failure = error as Error;
    }
  }

  handleDataRow({ fields, length }: { fields: Cells; length: number }): void {
    this.left -= length + BYTES_PER_ROW;
    if (this.left < 0) this.hold();
    if (!this.takesRows || this.failure !== null || this.next !== undefined) return;
    try {
      this.take(fields, length);
    } catch (error) {
      this.failure = error as Error;
      this.rows.length = 0;
    }
  }

  /**
   * Lets everybody else go on. Node takes as much from a socket as has come, megabytes at once, so the connection is read no
   * further until the next slice.
   */
  private hold(): void {
    const { stream } = this;
    if (this.isHeld || stream === undefined) return;
    this.isHeld = true;
    stream.pause();
    void nextSlice(this.meter?.user ?? null).then(() => {
      this.left = SLICE_BYTES;
      this.goOn();
    });
  }

  /** Has the connection read again. When the run has ended, it is somebody else's, who waits for no slice. */
  private goOn(): void {
    if (!this.isHeld) return;
    this.isHeld = false;
    this.stream?.resume();
  }

  /** Takes a row of so many bytes. What it throws is the failure of the run. */
  protected take(cells: Cells, length: number): void {
    this.meter?.readsRow(length);
    this.rows.push(this.rowOf(cells));
  }

  protected rowOf(cells: Cells): ReadRow {
    return (this.shape as RowShape).toRow(cells);
  }

  handleReadyForQuery(): void {
    this.goOn();
    this.callback?.(this.failure);
  }

  handleError(error: Error): void {
    this.goOn();
    this.next?.ended?.(error);
    this.callback?.(error);
  }

  handleCopyInResponse(connection: Connection): void {
    connection.sendCopyFail("a read takes no rows");
  }

  handleCommandComplete({ text }: { text: string }): void {
    const { next } = this;
    if (next === undefined) this.command = text;
    else {
      this.answered += 1;
      next.ended?.(null);
    }
  }

  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyData(): void {}
}
