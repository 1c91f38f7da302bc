import { hasShape, rowShape, type Cells, type Field, type ReadRow, type RowShape } from "./row-shape.js";
import type { ReadMeter } from "./read-meter.js";
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

/** The part of a connection of `pg` that a query uses. */
interface Connection {
  readonly stream: { cork(): void; uncork(): void };
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
  readonly text: string;
  readonly rows: ReadRow[] = [];
  /** `pg` sets the callback. */
  callback: ((error: Error | null) => void) | undefined;
  private shape: RowShape | null;
  private failure: Error | null = null;

  /**
   * @param name under which connections prepare the statement; `""` leaves it unprepared.
   * @param meter counts the rows while they come in, so that those of one statement too many are never kept.
   */
  constructor(
    private readonly statement: ReadStatement,
    readonly name: string,
    private readonly values: readonly unknown[],
    private readonly meter: ReadMeter | null,
  ) {
    this.text = statement.text;
    this.shape = statement.shape;
  }

  submit(connection: Connection): null {
    const { name, text, values } = this;
    const isParsed = name !== UNNAMED && connection.parsedStatements[name] !== undefined;
    connection.stream.cork();
    try {
      if (!isParsed) connection.parse({ text, name });
      connection.bind({ statement: name, values, valueMapper: textOf });
      if (!isParsed || this.shape === null) connection.describe({ type: "P", name: "" });
      connection.execute();
      connection.sync();
    } finally {
      connection.stream.uncork();
    }
    return null;
  }

  handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    if (this.shape !== null && hasShape(this.shape, fields)) return;
    try {
      this.shape = this.statement.shape = rowShape(fields);
    } catch (error) {
      this.failure = error as Error;
    }
  }

  handleDataRow({ fields, length }: { fields: Cells; length: number }): void {
    if (this.failure !== null) return;
    try {
      this.meter?.readsRow(length);
      this.rows.push((this.shape as RowShape).toRow(fields));
    } catch (error) {
      this.failure = error as Error;
      this.rows.length = 0;
    }
  }

  handleReadyForQuery(): void {
    this.callback?.(this.failure);
  }

  handleError(error: Error): void {
    this.callback?.(error);
  }

  handleCopyInResponse(connection: Connection): void {
    connection.sendCopyFail("a read takes no rows");
  }

  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyData(): void {}
}

function textOf(value: unknown): string | null {
  return value === null ? null : (String as (value: unknown) => string)(value);
}
