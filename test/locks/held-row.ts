import pg from "pg";
import { nodesOf } from "../support/database.js";
import { callerOf } from "../support/lock-waits.js";

/** A row by values of its columns. */
export type RowKey = Readonly<Record<string, unknown>>;

/** The lock of a row that a session waits for. */
export interface WantedRow {
  /** The table of the row. */
  readonly table: string;
  /** The mode of the lock. */
  readonly mode: string;
  /** The statement that the session has sent. */
  readonly statement: string;
  /** Says whether the session has begun to write to the table, so that it may wait to change the row. */
  readonly writes: boolean;
}

/** A session that waits for the holder: on a worker of a distributed database, the one there that works for a caller's. */
interface Waiter {
  readonly node: pg.Client;
  readonly pid: number;
  /** The session of the caller, on the node that callers connect to. */
  readonly caller: number;
}

/** A second session, which holds locks. */
export class Holder {
  private constructor(
    readonly session: pg.Client,
    private readonly pid: number,
    /** Sessions that look at the locks of each node; the first one is of that to which callers connect. */
    private readonly nodes: readonly [pg.Client, ...pg.Client[]],
  ) {}

  static async connect(url: string): Promise<Holder> {
    const [session, first, ...workers] = await Promise.all(
      [url, ...nodesOf(url)].map(async (node) => {
        const client = new pg.Client({ connectionString: node });
        await client.connect();
        return client;
      }),
    );
    const { rows } = await session!.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    await session!.query("BEGIN");
    return new Holder(session!, rows[0]!.pid, [first!, ...workers]);
  }

  /** Locks a row as a change of it does. */
  async hold(table: string, key: RowKey): Promise<void> {
    const conditions = Object.keys(key).map((column, i) => `${column} = $${i + 1}`);
    const { rowCount } = await this.session.query(
      `SELECT FROM ${table} WHERE ${conditions.join(" AND ")} FOR NO KEY UPDATE`,
      Object.values(key),
    );
    if (rowCount !== 1) throw new Error(`${rowCount} rows of ${table} are held`);
  }

  /**
   * Waits until another session waits for this one, or until the work ends.
   *
   * @returns that session; `null` when none has waited.
   */
  async untilSomeoneWaits(work: Promise<unknown>): Promise<Waiter | null> {
    let isOver = false;
    const over = (): void => void (isOver = true);
    work.then(over, over);
    while (!isOver) {
      for (const node of this.nodes) {
        const { rows } = await node.query<{ pid: number; caller: number }>(
          `SELECT a.pid, ${callerOf("a")} AS caller
             FROM pg_locks AS l JOIN pg_stat_activity AS a USING (pid)
            WHERE NOT l.granted AND EXISTS (
                    SELECT FROM pg_stat_activity AS b WHERE b.pid = ANY (pg_blocking_pids(l.pid)) AND ${callerOf("b")} = $1)`,
          [this.pid],
        );
        if (rows[0] !== undefined) return { node, ...rows[0] };
      }
    }
    return null;
  }

  /** What a session wants that waits for a row. */
  async wanted(waiter: Waiter | null): Promise<WantedRow | null> {
    if (waiter === null) return null;
    const { rows } = await waiter.node.query<Omit<WantedRow, "statement">>(
      `SELECT regexp_replace(t.relation::regclass::text, '_\\d{6,}$', '') AS "table", t.mode,
              EXISTS (SELECT FROM pg_locks r
                       WHERE r.pid = t.pid AND r.relation = t.relation AND r.mode = 'RowExclusiveLock') AS writes
         FROM pg_locks t WHERE t.pid = $1 AND t.locktype = 'tuple'`,
      [waiter.pid],
    );
    const { rows: sent } = await this.nodes[0].query<{ statement: string }>(
      "SELECT query AS statement FROM pg_stat_activity WHERE pid = $1",
      [waiter.caller],
    );
    return rows[0] === undefined ? null : { ...rows[0], statement: sent[0]?.statement ?? "" };
  }

  /** Lets go of all locks. */
  async release(): Promise<void> {
    await this.session.query("ROLLBACK");
  }

  async close(): Promise<void> {
    await Promise.all([this.session, ...this.nodes].map((client) => client.end()));
  }
}
