import type { PrismaClient } from "../../generated/prisma/client.js";
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
import { MODEL_TABLES, type Table } from "./model-tables.js";
import { companyOfNearPage, compileNear } from "./near-rows.js";
import type { PlanChoice } from "./plan-choice.js";
import { ReadSender, type ReadPool, type Sending } from "./read-sender.js";
import type { ReadMeter } from "../limits/read-meter.js";
import { COUNTED_TABLES } from "../counts/row-counts.js";
import { compileKnownCount } from "./known-count.js";
import type { ReadRow } from "./row-shape.js";
import { compileKnownRead } from "./reads-of-one.js";
import { UNNAMED } from "./statement-names.js";
import { companyWalkedFor } from "./text-conditions.js";

export type { ReadRow } from "./row-shape.js";

/**
 * Reads rows past Prisma's engine, which takes longer for a simple read than PostgreSQL does. It prepares its own
 * statements, for simple queries and for SQL written by hand. Pool, limits, observers and rows are those of Prisma.
 */
export class RowReader {
  private constructor(
    /** The readers of one pool share them. */
    private readonly sizes: CompanySizes,
    private readonly sender: ReadSender,
  ) {}

  static onPool(pool: ReadPool): RowReader {
    return new RowReader(new CompanySizes(), ReadSender.onPool(pool));
  }

  /** Returns the reader of one company: its reads at once are bounded, so that others find a connection. */
  of(companyId: number): RowReader {
    return new RowReader(this.sizes, this.sender.of(companyId));
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
    const { sender } = this;
    const table = MODEL_TABLES.get(model);
    const compiled = table === undefined ? null : compileKnownRead(table, query);
    if (table === undefined || compiled === null) return null;
    const { select, take } = query;
    const plan = (query["plan"] as PlanChoice | undefined) ?? (compiled.isByKeys ? "kept" : "auto");
    if (plan === "each") {
      const companyId = companyOfNearPage(table, query);
      if (companyId !== null) return this.readNearPage(table, query, { companyId, compiled, meter });
      return this.inWalk(table, query["where"], () =>
        sender.read(sender.planned(compiled.text), compiled.values, meter),
      );
    }
    const sending = sender.kept(compiled.text, plan);
    if (sending.name === UNNAMED && sender.isPreparing && take === 1 && isSelection(select)) {
      const whole = compileRead(table, { ...query, select: undefined }) as CompiledRows;
      const wholeSending = sender.kept(whole.text, plan);
      if (wholeSending.name !== UNNAMED)
        return this.readOne(wholeSending, whole, meter).then((rows) =>
          rows.map((row) => picked(row, select)),
        );
    }
    return this.readOne(sending, compiled, meter);
  }

  /** Runs a query, together with others of the same text when it asks for one row by its key. */
  private readOne(
    sending: Sending,
    { values, keys }: CompiledRows,
    meter: ReadMeter | null,
  ): Promise<readonly ReadRow[]> {
    // A text that comes only now and then is not asked for by others.
    return keys === null || sending.name === UNNAMED || sending.plan !== "kept"
      ? this.sender.read(sending, values, meter)
      : this.sender.readRow(sending, { values, keys, meter });
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
    const { sender } = this;
    const size = await this.sizeOf(table, companyId);
    const forms = size.isLarge && size.isMost ? KEPT_FROM_GIN : undefined;
    const near = size.isLarge ? compileNear(table, query, forms) : null;
    if (near !== null) {
      const rows = await sender.read(sender.kept(near.text), near.values, meter);
      if (rows.length === query["take"]) return rows;
    }
    const all = forms === undefined ? compiled : (compileRead(table, query, forms) as CompiledRead);
    return sender.read(sender.planned(all.text), all.values, meter);
  }

  /**
   * Counts rows; those that the database has not counted already by a plan for the values at hand, so that a small
   * company never gets a large one's plan.
   *
   * @returns a row for each value, or one row; `null` for conditions that are not simple.
   */
  count(model: string, query: CountQuery): Promise<readonly ReadRow[]> | null {
    const { sender } = this;
    const table = MODEL_TABLES.get(model);
    if (table === undefined) return null;
    const known = query.by === undefined ? compileKnownCount(table, query.where) : null;
    if (known !== null) return sender.read(sender.kept(known.text), known.values, null);
    const compiled = compileCount(table, query);
    if (compiled === null) return null;
    const counting = this.inWalk(table, query.where, () =>
      sender.read(sender.planned(compiled.text), compiled.values, null),
    );
    const { expected } = compiled;
    if (expected === undefined) return counting;
    return counting.then(async ([row]) => {
      if (row?.["count"] !== MOST_COUNTED + 1) return [{ count: row?.["count"] }];
      const [answer] = await sender.run(sender.planned(expected), compiled.values, null);
      return [{ count: Math.max(MOST_COUNTED + 1, rowsExpected(answer)) }];
    });
  }

  private sizeOf(table: Table, companyId: number): Promise<CompanySize> {
    return this.sizes.of(table.name, companyId, (text, values) => this.query(text, values));
  }

  /** Runs a statement, in a turn of its own when it walks through all rows of a company with very many. */
  private async inWalk<T>(table: Table, where: unknown, statement: () => Promise<T>): Promise<T> {
    const companyId = COUNTED_TABLES.has(table.name) ? companyWalkedFor(where) : null;
    if (companyId === null || !(await this.sizeOf(table, companyId)).isLarge) return statement();
    return this.sender.walk(companyId, statement);
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
    const { sender } = this;
    const sending = plan === "each" ? sender.planned(text) : sender.kept(text, plan);
    return sender.run(sending, values.map(boundValue), meter);
  }
}

/** What is read of a plan. The coordinator of a distributed database shows that of a worker for some of the parts that it asks. */
interface ExpectedPlan {
  readonly "Plan Rows": number;
  readonly "Distributed Query"?: {
    readonly Job: {
      readonly "Task Count": number;
      readonly Tasks: readonly { readonly "Remote Plan": readonly (readonly Explained[])[] }[];
    };
  };
}

interface Explained {
  readonly Plan: ExpectedPlan;
}

/** Returns the number of rows in an answer to `EXPLAIN (FORMAT JSON)`. */
function rowsExpected(answer: ReadRow | undefined): number {
  const [{ Plan: plan }] = answer?.["QUERY PLAN"] as [Explained];
  const job = plan["Distributed Query"]?.Job;
  if (job === undefined) return plan["Plan Rows"];
  const parts = job.Tasks.flatMap((task) => task["Remote Plan"].flat());
  const rows = parts.reduce((sum, part) => sum + part.Plan["Plan Rows"], 0);
  return Math.round((rows / Math.max(1, parts.length)) * job["Task Count"]);
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

const readers = new WeakMap<PrismaClient, RowReader>();

/** Returns the reader on the client's database, `undefined` for a transaction, which has its own connection. */
export function readerOf(client: PrismaClient): RowReader | undefined {
  return readers.get(client);
}

export function setReader(client: PrismaClient, reader: RowReader | undefined): void {
  if (reader !== undefined) readers.set(client, reader);
}
