import { parserOf } from "./column-values.js";

export type ReadRow = Readonly<Record<string, unknown>>;

type Cells = readonly (string | null)[];
type ToRow = (cells: Cells) => ReadRow;

interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

/** A statement that runs again and again; how its rows look is found out at the first run. */
export class ReadStatement {
  toRow: ToRow | null = null;

  constructor(
    readonly text: string,
    /** Name under which connections prepare it; `""`: they don't. */
    readonly name: string,
  ) {}
}

/** The part of a connection of `pg` that a query talks to. */
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
 * One run of a statement, as `pg` takes queries of one's own (`Submittable`). Its own class has each run described
 * by the server, and finds parsers and builds rows anew for each.
 */
export class PreparedRead {
  readonly text: string;
  readonly name: string;
  readonly rows: ReadRow[] = [];
  /** Set by `pg`. */
  callback: ((error: Error | null) => void) | undefined;
  private failure: Error | null = null;

  constructor(
    private readonly statement: ReadStatement,
    private readonly values: readonly unknown[],
  ) {
    this.text = statement.text;
    this.name = statement.name;
  }

  submit(connection: Connection): null {
    const { statement, name, text, values } = this;
    connection.stream.cork();
    try {
      if (name === "" || connection.parsedStatements[name] === undefined) connection.parse({ text, name });
      connection.bind({ statement: name, values, valueMapper: textOf });
      if (statement.toRow === null) connection.describe({ type: "P", name: "" });
      connection.execute();
      connection.sync();
    } finally {
      connection.stream.uncork();
    }
    return null;
  }

  handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    try {
      this.statement.toRow = rowMaker(fields);
    } catch (error) {
      this.failure = error as Error;
    }
  }

  handleDataRow({ fields }: { fields: Cells }): void {
    if (this.failure !== null) return;
    try {
      this.rows.push((this.statement.toRow as ToRow)(fields));
    } catch (error) {
      this.failure = error as Error;
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

/** Makes the function that turns cells into a row: written out, since rows made key by key take twice as long. */
function rowMaker(fields: readonly Field[]): ToRow {
  const parsers = fields.map(({ dataTypeID }) => parserOf(dataTypeID));
  const entries = fields.map(
    ({ name }, index) =>
      `${JSON.stringify(name)}: cells[${index}] === null ? null : parsers[${index}](cells[${index}])`,
  );
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- from names of the schema alone
  const make = new Function("parsers", `return (cells) => ({ ${entries.join(", ")} })`) as (
    parsers: readonly ((text: string) => unknown)[],
  ) => ToRow;
  return make(parsers);
}
