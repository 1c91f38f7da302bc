import { LRUCache } from "lru-cache";
import type pg from "pg";
import type { StatementFollower } from "./watch-connections.js";

/** A statement that took long. Its text has the places of its values, not the values. */
export interface SlowStatement {
  readonly ms: number;
  readonly statement: string;
  /** The plan for any values; `null` where PostgreSQL shows none, and where it was shown within the last minute. */
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

  /** Returns what is called when the statement has ended. */
  begin(text: string, start: number): () => void {
    return () => {
      const ms = performance.now() - start;
      if (ms >= this.options.fromMs) void this.report(text, Math.round(ms));
    };
  }

  private async report(text: string, ms: number): Promise<void> {
    const plan = await this.planOf(text);
    this.options.report({ ms, statement: text.slice(0, MOST_CHARACTERS), plan });
  }

  /** Asks for a plan only while nobody waits for a connection. PostgreSQL shows plans for any values from version 16 on. */
  private async planOf(text: string): Promise<string | null> {
    if (this.isAsking || this.pool.waitingCount > 0 || this.shown.has(text) || !EXPLAINABLE.test(text))
      return null;
    this.isAsking = true;
    this.shown.set(text, true);
    try {
      const { rows } = await this.pool.query<{ "QUERY PLAN": string }>(`EXPLAIN (GENERIC_PLAN) ${text}`);
      return rows.map((row) => row["QUERY PLAN"]).join("\n");
    } catch {
      return null;
    } finally {
      this.isAsking = false;
    }
  }
}
