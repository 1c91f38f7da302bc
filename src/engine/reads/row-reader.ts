import type { LRUCache } from "lru-cache";
import type pg from "pg";
import type { PrismaClient } from "../../generated/prisma/client.js";
import { unavailable } from "../../core/errors/domain-error.js";
import { FairTurns, Turn, type TurnOwner } from "../limits/fair-turns.js";
import type { StatementWatch } from "./statement-observer.js";
import { boundValue } from "./column-values.js";
import {
  compileCount,
  compileRead,
  KEPT_FROM_GIN,
  MOST_COUNTED,
  type CompiledRead,
  type CompiledRows,
  type CountQuery,
  type ReadQuery,
} from "./compile-read.js";
import { CompanySizes, type CompanySize } from "../counts/company-sizes.js";
import { knownTexts } from "./known-texts.js";
import { modelTables, type Table } from "./model-tables.js";
import { isStalePlan } from "./kept-statements.js";
import { companyOfNearPage, compileNear } from "./near-rows.js";
import { CHOOSE, type PlanChoice } from "./plan-choice.js";
import { PreparedRead, ReadStatement } from "./prepared-read.js";
import type { ReadMeter } from "../limits/read-meter.js";
import { RowsTogether, type WantedRow } from "./rows-together.js";
import { COUNTED_TABLES } from "../counts/row-counts.js";
import { compileKnownCount } from "./known-count.js";
import type { ReadRow } from "./row-shape.js";
import { UNNAMED, type StatementNames } from "./statement-names.js";
import { companyWalkedFor } from "./text-conditions.js";

export type { ReadRow } from "./row-shape.js";

/**
 * The reader remembers the row shapes of this many texts: far more than have a name, since a shape costs
 * connections nothing.
 */
const MOST_STATEMENTS = { texts: 3_000, characters: 3_000_000 };

/** How a statement is sent. */
interface Sending {
  readonly statement: ReadStatement;
  readonly name: string;
  readonly plan: PlanChoice;
}

/** Things that the readers of one pool share. */
interface Shared {
  readonly tables: ReadonlyMap<string, Table>;
  readonly statements: LRUCache<string, ReadStatement>;
  readonly pool: pg.Pool;
  readonly watch: StatementWatch;
  /** The names are shared by all users of the pool; `null`: nothing is prepared. */
  readonly names: StatementNames | null;
  /** Whether sessions keep every plan, see `plan-choice.ts`. */
  readonly keepsPlans: boolean;
  readonly turns: FairTurns;
  /** The turns of statements that walk through all rows of a company with very many. */
  readonly walks: FairTurns;
  readonly sizes: CompanySizes;
  readonly together: RowsTogether;
  /** How long a read waits for its turn, in milliseconds. */
  readonly patienceMs: number;
}

const CHOOSING = [CHOOSE];

/** The share of a pool's connections that the reads of one company may hold. */
const SHARE_OF_COMPANY = 0.75;
/** The share of a pool's connections that read single rows for all companies. */
const SHARE_OF_ROWS_TOGETHER = 0.5;
/**
 * The shares of a pool's connections that walk through all rows of a company with very many, and that do so for one
 * company. A walk takes a processor of the database for a second or so: more at once would leave none to the others.
 */
const SHARE_OF_WALKS = 0.25;
const SHARE_OF_COMPANYS_WALKS = 0.125;

/**
 * Reads rows past Prisma's engine, which takes longer for a simple read than PostgreSQL does. It prepares its own
 * statements, for simple queries and for SQL written by hand. Pool, limits, observers and rows are those of Prisma.
 */
export class RowReader {
  private constructor(
    private readonly shared: Shared,
    private readonly owner: TurnOwner | null,
  ) {}

  static onPool(
    client: PrismaClient,
    given: Pick<Shared, "pool" | "watch" | "names" | "keepsPlans" | "patienceMs">,
  ): RowReader {
    const tables = modelTables(client);
    const statements = knownTexts<ReadStatement>(MOST_STATEMENTS);
    const connections = (share: number): number => Math.max(1, Math.floor(share * given.pool.options.max));
    const turns = new FairTurns({ most: Infinity, mostOfOne: connections(SHARE_OF_COMPANY) });
    const walks = new FairTurns({
      most: connections(SHARE_OF_WALKS),
      mostOfOne: connections(SHARE_OF_COMPANYS_WALKS),
    });
    const sizes = new CompanySizes();
    const { pool, names, watch, patienceMs } = given;
    const together = new RowsTogether({
      execute: (read) => execute(pool, read),
      nameOf: ({ text }) => names?.of(text) ?? UNNAMED,
      before: watch.before,
      most: connections(SHARE_OF_ROWS_TOGETHER),
      patienceMs,
    });
    return new RowReader({ ...given, tables, statements, turns, walks, sizes, together }, null);
  }

  /** Returns the reader of one company: its reads at once are bounded, so that others find a connection. */
  of(companyId: number): RowReader {
    return new RowReader(this.shared, this.shared.turns.owner(`company:${companyId}`));
  }

  /**
   * Runs a simple query. One row of which other columns are wanted each time is read whole, by a statement that all
   * such queries have in common, unless the query's own is prepared: planning a statement takes longer than reading a
   * row.
   *
   * @param meter counts the rows; `null` for a reader whose rows nobody counts.
   * @returns `null` for a query that is not simple.
   */
  read(model: string, query: ReadQuery, meter: ReadMeter | null = null): Promise<readonly ReadRow[]> | null {
    const { tables, names } = this.shared;
    const table = tables.get(model);
    const compiled = table === undefined ? null : compileRead(table, query, tables);
    if (table === undefined || compiled === null) return null;
    const statement = this.statement(compiled.text);
    const { select, take } = query;
    const plan = (query["plan"] as PlanChoice | undefined) ?? (compiled.isByKeys ? "kept" : "auto");
    if (plan === "each") {
      const companyId = companyOfNearPage(table, query);
      if (companyId !== null) return this.readNearPage(table, query, { companyId, compiled, meter });
      return this.inWalk(table, query["where"], () =>
        this.run({ statement, name: UNNAMED, plan }, compiled.values, meter),
      );
    }
    const name = this.nameOf(statement);
    if (name === UNNAMED && names !== null && take === 1 && isSelection(select)) {
      const whole = compileRead(table, { ...query, select: undefined }, tables) as CompiledRows;
      const wholeStatement = this.statement(whole.text);
      const wholeName = this.nameOf(wholeStatement);
      if (wholeName !== UNNAMED)
        return this.readOne({ statement: wholeStatement, name: wholeName, plan }, whole, meter).then((rows) =>
          rows.map((row) => picked(row, select)),
        );
    }
    return this.readOne({ statement, name, plan }, compiled, meter);
  }

  /** Runs a query, together with others of the same text when it asks for one row by its key. */
  private readOne(
    sending: Sending,
    { values, keys }: CompiledRows,
    meter: ReadMeter | null,
  ): Promise<readonly ReadRow[]> {
    const alone = (): Promise<readonly ReadRow[]> => this.run(sending, values, meter);
    // A text that comes only now and then is not asked for by others.
    if (keys === null || sending.name === UNNAMED || sending.plan !== "kept") return alone();
    return this.readTogether(sending.statement, { values, keys, meter, alone });
  }

  /** The time of the statement counts for each who asked for it. */
  private async readTogether(statement: ReadStatement, wanted: WantedRow): Promise<readonly ReadRow[]> {
    const { together, watch } = this.shared;
    const start = performance.now();
    let isAlone = false;
    const alone = (): Promise<readonly ReadRow[]> => {
      isAlone = true;
      return wanted.alone();
    };
    try {
      return await together.read(statement, { ...wanted, alone });
    } finally {
      if (!isAlone) watch.after(performance.now() - start);
    }
  }

  /**
   * Runs a query for a page of parts of texts or of values, in the order of ids. In a company with very many rows it looks near the
   * beginning of the page first; only when the rows there are too few it asks for all.
   */
  private async readNearPage(
    table: Table,
    query: ReadQuery,
    { companyId, compiled, meter }: { companyId: number; compiled: CompiledRead; meter: ReadMeter | null },
  ): Promise<readonly ReadRow[]> {
    const { tables } = this.shared;
    const size = await this.sizeOf(table, companyId);
    const forms = size.isLarge && size.isMost ? KEPT_FROM_GIN : undefined;
    const near = size.isLarge ? compileNear(table, query, tables, forms) : null;
    if (near !== null) {
      const rows = await this.run(this.kept(near.text), near.values, meter);
      if (rows.length === query["take"]) return rows;
    }
    const all = forms === undefined ? compiled : (compileRead(table, query, tables, forms) as CompiledRead);
    return this.run(this.planned(all.text), all.values, meter);
  }

  /**
   * Counts rows; those that the database has not counted already by a plan for the values at hand, so that a small
   * company never gets a large one's plan.
   *
   * @returns a row for each value, or one row; `null` for conditions that are not simple.
   */
  count(model: string, query: CountQuery): Promise<readonly ReadRow[]> | null {
    const { tables } = this.shared;
    const table = tables.get(model);
    if (table === undefined) return null;
    const known = query.by === undefined ? compileKnownCount(table, query.where) : null;
    if (known !== null) return this.run(this.kept(known.text), known.values, null);
    const compiled = compileCount(table, query, tables);
    if (compiled === null) return null;
    const counting = this.inWalk(table, query.where, () =>
      this.run(this.planned(compiled.text), compiled.values, null),
    );
    const { expected } = compiled;
    if (expected === undefined) return counting;
    return counting.then(async ([row]) => {
      if (row?.["count"] !== MOST_COUNTED + 1) return [{ count: row?.["count"] }];
      const [answer] = await this.run(this.planned(expected), compiled.values, null);
      return [{ count: Math.max(MOST_COUNTED + 1, rowsExpected(answer)) }];
    });
  }

  private sizeOf(table: Table, companyId: number): Promise<CompanySize> {
    return this.shared.sizes.of(table.name, companyId, (text, values) => this.query(text, values));
  }

  /** Runs a statement, in a turn of its own when it walks through all rows of a company with very many. */
  private inWalk<T>(table: Table, where: unknown, statement: () => Promise<T>): Promise<T> {
    const companyId = COUNTED_TABLES.has(table.name) ? companyWalkedFor(where) : null;
    return companyId === null ? statement() : this.walk(table, companyId, statement);
  }

  private async walk<T>(table: Table, companyId: number, statement: () => Promise<T>): Promise<T> {
    const { walks, patienceMs } = this.shared;
    if (!(await this.sizeOf(table, companyId)).isLarge) return statement();
    const turn = new Turn(walks, walks.owner(`company:${companyId}`));
    if (!turn.begin() && !(await turn.wait(patienceMs)))
      throw unavailable("Too many texts are looked for that no index finds; try again.");
    try {
      return await statement();
    } finally {
      turn.end();
    }
  }

  private planned(text: string): Sending {
    return { statement: this.statement(text), name: UNNAMED, plan: "each" };
  }

  private kept(text: string): Sending {
    const statement = this.statement(text);
    return { statement, name: this.nameOf(statement), plan: "kept" };
  }

  /**
   * Returns the rows of any statement.
   *
   * @param text has `$1`, `$2` … in the places of the values.
   */
  async query(
    text: string,
    values: readonly unknown[],
    {
      plan = "auto",
      meter = null,
    }: { plan?: PlanChoice | undefined; meter?: ReadMeter | null | undefined } = {},
  ): Promise<readonly ReadRow[]> {
    const sending = plan === "each" ? this.planned(text) : { ...this.kept(text), plan };
    return this.run(sending, values.map(boundValue), meter);
  }

  private run(
    sending: Sending,
    values: readonly unknown[],
    meter: ReadMeter | null,
  ): Promise<readonly ReadRow[]> {
    const { owner } = this;
    const { turns, patienceMs } = this.shared;
    if (owner === null || turns.begin(owner)) return this.execute(sending, values, meter);
    return turns.wait(owner, patienceMs).then((hasBegun) => {
      if (!hasBegun) throw unavailable("The database has no connection free; try again.");
      return this.execute(sending, values, meter);
    });
  }

  private async execute(
    { statement, name, plan }: Sending,
    values: readonly unknown[],
    meter: ReadMeter | null,
  ): Promise<readonly ReadRow[]> {
    const { pool, watch, turns, keepsPlans } = this.shared;
    const ahead = keepsPlans && plan !== "kept" ? CHOOSING : [];
    const start = performance.now();
    try {
      watch.before(statement.text);
      return await execute(pool, new PreparedRead(statement, { name, ahead }, values, meter));
    } catch (error) {
      if (!isStalePlan(error)) throw error;
      return await execute(pool, new PreparedRead(statement, { name: UNNAMED, ahead }, values, meter));
    } finally {
      watch.after(performance.now() - start);
      if (this.owner !== null) turns.end(this.owner);
    }
  }

  /** Looks up the name by the remembered text: comparing it with itself takes no time. */
  private nameOf({ text }: ReadStatement): string {
    return this.shared.names?.of(text) ?? UNNAMED;
  }

  private statement(text: string): ReadStatement {
    const { statements } = this.shared;
    let statement = statements.get(text);
    if (statement === undefined) statements.set(text, (statement = new ReadStatement(text)));
    return statement;
  }
}

/** Returns the number of rows in an answer to `EXPLAIN (FORMAT JSON)`. */
function rowsExpected(answer: ReadRow | undefined): number {
  const [explained] = answer?.["QUERY PLAN"] as [{ Plan: { "Plan Rows": number } }];
  return explained.Plan["Plan Rows"];
}

type Selection = Readonly<Record<string, boolean | undefined>>;

function isSelection(select: unknown): select is Selection {
  return select !== undefined && select !== null;
}

function picked(row: ReadRow, select: Selection): ReadRow {
  const own: Record<string, unknown> = {};
  for (const field in select) if (select[field] === true) own[field] = row[field];
  return own;
}

/**
 * The way in which a pool of `pg` takes queries of other classes. It answers them by a callback alone, and the
 * types of `pg` do not show that a pool takes them.
 */
type Submit = (
  query: PreparedRead,
  values: undefined,
  callback: (error: Error | null | undefined) => void,
) => void;

function execute(pool: pg.Pool, read: PreparedRead): Promise<readonly ReadRow[]> {
  return new Promise((resolve, reject) => {
    (pool.query as unknown as Submit).call(pool, read, undefined, (error) => {
      if (error) reject(error);
      else resolve(read.rows);
    });
  });
}

const readers = new WeakMap<PrismaClient, RowReader>();

/** Returns the reader on the client's database, `undefined` for a transaction, which has its own connection. */
export function readerOf(client: PrismaClient): RowReader | undefined {
  return readers.get(client);
}

export function setReader(client: PrismaClient, reader: RowReader | undefined): void {
  if (reader !== undefined) readers.set(client, reader);
}
