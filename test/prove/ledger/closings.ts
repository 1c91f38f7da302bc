import { setTimeout as wait } from "node:timers/promises";
import type { Pool } from "pg";
import type { Random } from "../../../src/demo/random.js";
import { balancesBefore, headsBefore } from "../../../src/slices/balance/close-ledger.sql.js";
import type { Door } from "./history.js";

/** What the books were when they were closed. */
interface Closing {
  readonly until: string;
  readonly books: string;
}

const CLOSE =
  "mutation ($c: Int!, $until: DateTime!) { answer: closeBalancePeriod(companyId: $c, until: $until) { id } }";
const TRIAL =
  "query ($c: Int!) { answer: trialBalance(companyId: $c) { totals { creditE2 debitE2 balanceE2 } } }";
/** Books are closed up to so many milliseconds ago, at least and at most. */
const AGO = [0, 400] as const;

/** How often the last looks are tried: what was killed starts again. */
const MOST_TRIES = 60;

async function patiently<T>(look: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await look();
    } catch (error) {
      if (tries === MOST_TRIES) throw error;
      await wait(500);
    }
  }
}

/** What the looks found. */
export interface Looks {
  readonly closings: number;
  readonly trials: number;
  readonly faults: readonly string[];
}

/**
 * Closes books again and again while others post, looks at the trial balance, and compares what is stored before each closed
 * moment with what it was when it was closed. Answers that do not come, and closings that cannot be, are no faults.
 */
export class Closings {
  private readonly closed: Closing[] = [];
  private readonly faults: string[] = [];
  private trials = 0;
  private isOver = false;
  private readonly work: Promise<unknown>;

  constructor(
    private readonly pool: Pool,
    private readonly doors: readonly Door[],
    private readonly random: Random,
    private readonly companyId: number,
  ) {
    this.work = Promise.all([this.repeat(() => this.close()), this.repeat(() => this.look())]);
  }

  /** Ends the looks with one at everything that was closed. */
  async end(): Promise<Looks> {
    this.isOver = true;
    await this.work;
    for (const closing of this.closed) await patiently(() => this.compare(closing));
    await patiently(() => this.look());
    const { rows } = await patiently(() =>
      this.pool.query<{ ahead: string }>(
        "SELECT count(*) AS ahead FROM balance_movements WHERE company_id = $1 AND created_at > clock_timestamp()",
        [this.companyId],
      ),
    );
    if (rows[0]?.ahead !== "0") this.faults.push(`${rows[0]?.ahead} movements are ahead of the clock`);
    return { closings: this.closed.length, trials: this.trials, faults: this.faults };
  }

  private async repeat(step: () => Promise<void>): Promise<void> {
    while (!this.isOver) {
      // The database may be away.
      await step().catch(() => undefined);
      await wait(this.random.int(50, 400));
    }
  }

  private async close(): Promise<void> {
    const { rows } = await this.pool.query<{ now: Date }>("SELECT clock_timestamp() AS now");
    const until = new Date((rows[0]?.now.getTime() ?? 0) - this.random.int(...AGO)).toISOString();
    const answer = await this.ask(CLOSE, { until });
    if (answer === null) return;
    this.closed.push({ until, books: await this.booksBefore(until) });
  }

  private async look(): Promise<void> {
    const trial = (await this.ask(TRIAL, {})) as { totals: Record<string, number> } | null;
    if (trial !== null) {
      this.trials += 1;
      const { creditE2, debitE2, balanceE2 } = trial.totals;
      if (creditE2 !== debitE2 || balanceE2 !== 0)
        this.faults.push(`the trial balance has ${creditE2} credit and ${debitE2} debit`);
    }
    if (this.closed.length > 0) await this.compare(this.random.pick(this.closed));
  }

  private async compare({ until, books }: Closing): Promise<void> {
    if ((await this.booksBefore(until)) !== books)
      this.faults.push(`what was closed until ${until} has changed`);
  }

  /** The trial balance and the ends of all chains before a moment, in one snapshot each. */
  private async booksBefore(until: string): Promise<string> {
    const { pool, companyId } = this;
    return JSON.stringify([
      await balancesBefore(pool, companyId, until),
      await headsBefore(pool, companyId, until),
    ]);
  }

  private async ask(query: string, variables: object): Promise<unknown> {
    const door = this.random.pick(this.doors);
    const body = { query, variables: { c: this.companyId, ...variables } };
    const { status, data } = await door({ path: "/graphql", body, key: null, clientId: null });
    return status === 200 ? data : null;
  }
}
