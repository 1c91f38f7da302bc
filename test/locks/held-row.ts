import pg from "pg";

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

/** A second session, which holds locks. */
export class Holder {
  private constructor(readonly session: pg.Client) {}

  static async connect(url: string): Promise<Holder> {
    const session = new pg.Client({ connectionString: url });
    await session.connect();
    await session.query("BEGIN");
    return new Holder(session);
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
   * @returns the process id of that session; `null` when none has waited.
   */
  async untilSomeoneWaits(work: Promise<unknown>): Promise<number | null> {
    let isOver = false;
    const over = (): void => void (isOver = true);
    work.then(over, over);
    while (!isOver) {
      const { rows } = await this.session.query<{ pid: number }>(
        "SELECT pid FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))",
      );
      if (rows[0] !== undefined) return rows[0].pid;
    }
    return null;
  }

  /** What a session wants that waits for a row. */
  async wanted(pid: number | null): Promise<WantedRow | null> {
    // Within a transaction, the sessions stay as they were seen first.
    await this.session.query("SELECT pg_stat_clear_snapshot()");
    const { rows } = await this.session.query<WantedRow>(
      `SELECT t.relation::regclass::text AS "table", t.mode, a.query AS statement,
              EXISTS (SELECT FROM pg_locks r
                       WHERE r.pid = t.pid AND r.relation = t.relation AND r.mode = 'RowExclusiveLock') AS writes
         FROM pg_locks t JOIN pg_stat_activity a USING (pid) WHERE t.pid = $1 AND t.locktype = 'tuple'`,
      [pid],
    );
    return rows[0] ?? null;
  }

  /** Lets go of all locks. */
  async release(): Promise<void> {
    await this.session.query("ROLLBACK");
  }

  async close(): Promise<void> {
    await this.session.end();
  }
}
