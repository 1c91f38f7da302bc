import { LRUCache } from "lru-cache";
import type pg from "pg";
import type { StatementFollower } from "./watch-connections.js";

/** A statement that took long. Its text has the places of its values, not the values. */
export interface SlowStatement {
  readonly ms: number;
  readonly statement: string;
  /**
   * The plan for any values, or of a distributed database, which has none, that for the values of nobody, such as 1; `null` where
   * PostgreSQL shows none, and where it was shown within the last minute.
   */
  readonly plan: string | null;
}

export interface SlowStatementOptions {
  /** The time from which on a statement is slow, in milliseconds. */
  readonly fromMs: number;
  readonly report: (statement: SlowStatement) => void;
}

/** The plan of a text is shown this often. */
const SHOWN_FOR_MS = 60_000;
const MOST_TEXTS = 200;
const MOST_CHARACTERS = 4_000;
/** The name that a statement has while its plan is asked for. */
const PREPARED = "plan_of_slow_statement";
/** What stands for values of types that have these names in SQL, or for each element of their arrays. */
const STAND_INS: readonly (readonly [types: RegExp, text: string])[] = [
  [/^(?:timestamp|date\b)/u, "now"],
  [
    /^(?:smallint|integer|bigint|numeric|real|double precision|boolean|text|character|json|bytea|tsquery)/u,
    "1",
  ],
];
const EXPLAINABLE = /^\s*(?:\/\*.*?\*\/\s*)*(?:SELECT|WITH|INSERT|UPDATE|DELETE|MERGE)\b/isu;

/** Returns what reports slow statements of a pool with their plans, which are asked for afterwards, one at a time. */
export function slowStatements(pool: pg.Pool, options: SlowStatementOptions): StatementFollower {
  const slow = new SlowStatements(pool, options);
  return (text, now) => slow.begin(text, now);
}

class SlowStatements {
  private readonly shown = new LRUCache<string, true>({ max: MOST_TEXTS, ttl: SHOWN_FOR_MS });
  private isAsking = false;

  constructor(
    private readonly pool: pg.Pool,
    private readonly options: SlowStatementOptions,
  ) {}

  /** Returns what is called when the statement has ended; those that ask for plans are nobody's. */
  begin(text: string, start: number): () => void {
    return () => {
      const ms = performance.now() - start;
      if (ms >= this.options.fromMs && !text.includes(PREPARED)) void this.report(text, Math.round(ms));
    };
  }

  private async report(text: string, ms: number): Promise<void> {
    const plan = await this.planOf(text);
    this.options.report({ ms, statement: text.slice(0, MOST_CHARACTERS), plan });
  }

  /** Asks for a plan only while nobody waits for a connection. */
  private async planOf(text: string): Promise<string | null> {
    if (this.isAsking || this.pool.waitingCount > 0 || this.shown.has(text) || !EXPLAINABLE.test(text))
      return null;
    this.isAsking = true;
    this.shown.set(text, true);
    try {
      return await explained(this.pool, text);
    } catch {
      return null;
    } finally {
      this.isAsking = false;
    }
  }
}

/**
 * Returns the plan that PostgreSQL has for any values of a statement. All is sent within one transaction, so that a pooler keeps to
 * one session; the statement is prepared there meanwhile, and by nobody else.
 *
 * @throws pg.DatabaseError where the text is none of one statement that can be prepared, or is not planned in time.
 */
async function explained(pool: pg.Pool, text: string): Promise<string> {
  const client = await pool.connect();
  let isAsBefore = false;
  try {
    await client.query("BEGIN READ ONLY");
    try {
      await client.query(`SAVEPOINT ${PREPARED}`);
      // In this mode, a text of several statements is refused: the second one would run.
      const preparation = { text: `PREPARE ${PREPARED} AS ${text}`, queryMode: "extended" };
      await client.query(preparation);
      return await planOfPrepared(client);
    } finally {
      // A transaction with an error does nothing before it is led back, and the end of one leaves what was prepared.
      await client.query(`ROLLBACK TO ${PREPARED}`);
      await client.query(`DEALLOCATE ${PREPARED}`).catch(() => undefined);
      await client.query("ROLLBACK");
      isAsBefore = true;
    }
  } finally {
    client.release(!isAsBefore);
  }
}

async function planOfPrepared(client: pg.PoolClient): Promise<string> {
  const { rows: places } = await client.query<{ type: string }>(
    `SELECT unnest(parameter_types)::text AS type FROM pg_prepared_statements WHERE name = '${PREPARED}'`,
  );
  const values = places.map(({ type }) => standIn(type)).join();
  const ask = async (mode: string): Promise<string> => {
    await client.query(`SET LOCAL plan_cache_mode = ${mode}`);
    const { rows } = await client.query<{ "QUERY PLAN": string }>(
      `EXPLAIN EXECUTE ${PREPARED}${values === "" ? "" : `(${values})`}`,
    );
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  };
  await client.query(`SAVEPOINT ${PREPARED}_for_any`);
  return ask("force_generic_plan").catch(async () => {
    await client.query(`ROLLBACK TO ${PREPARED}_for_any`);
    return ask("force_custom_plan");
  });
}

/**
 * Returns what stands in the place of a value. A plan for any values is the same with all of them. A distributed database has to know
 * the company, whose worker plans for these values: with NULL it would answer that nothing has to be read.
 */
function standIn(type: string): string {
  const ofOne = STAND_INS.find(([types]) => types.test(type))?.[1];
  if (ofOne === undefined) return "NULL";
  return type.endsWith("[]") ? `'{${ofOne}}'` : `'${ofOne}'`;
}
