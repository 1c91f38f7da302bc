import type { Pool } from "pg";
import type { JobContext, Task } from "./jobs.js";
import { deleteSome, type OldRows } from "./delete-some.sql.js";

/**
 * Does some rows of all companies, a bounded number, in one statement or transaction.
 *
 * @param after what the step before returned; `null` for the first one.
 * @returns where the next step goes on, such as a key or a count; `null` or 0 when none is left.
 */
export type SweepStep<Cursor> = (context: JobContext, after: Cursor | null) => Promise<Cursor | null>;

/** Work on the rows of all companies that the clock starts. */
export type Sweep = (context: JobContext) => Promise<void>;

/** Repeats a step until none is left, or the process is about to stop: the next time goes on with what is left. */
export function sweep<Cursor extends object | number>(step: SweepStep<Cursor>): Sweep {
  return async (context) => {
    let after: Cursor | null = null;
    do after = await step(context, after);
    while (after !== null && after !== 0 && !context.signal.aborted);
  };
}

/** Repeats a statement that answers how many rows it has done. */
export function sweepRows(some: (pool: Pool) => Promise<number>): Sweep {
  return sweep(({ database }) => some(database.pool));
}

/** Deletes old rows of a table. */
export function deletion(rows: OldRows): Sweep {
  return sweep(({ database }) => deleteSome(database, rows));
}

/** A task of sweeps, one after the other. */
export function sweeping(...sweeps: readonly Sweep[]): Task<object> {
  return async (_payload, context) => {
    for (const one of sweeps) if (!context.signal.aborted) await one(context);
  };
}
