import { unavailable, validationFailed, type FieldError } from "../../core/errors/domain-error.js";
import type { BulkError, BulkOutcome } from "../../core/operations/bulk-result.js";
import type { RowResult } from "../../core/operations/operation-context.js";
import { snakeCaseOf } from "../../core/names.js";
import { hasCollided } from "../errors/database-error.js";
import { presentError, type PresentedError } from "../errors/present.js";

/** How many rows are done. */
export interface BulkWork<Row, Done> {
  /** The moment at which the request has ended, in milliseconds: no further row is begun then. */
  readonly deadline: number;
  /** Locks what all of the rows are about; `null` where each of them is a transaction by itself. */
  readonly lock: ((rows: readonly Row[]) => Promise<void>) | null;
  /** Does one row within a transaction of its own; within another transaction that is a savepoint. */
  readonly work: (row: Row) => Promise<Done>;
}

/**
 * Does the same with many rows, one after the other. They are locked in the order of their ids, so that two such requests
 * never wait for each other in a circle.
 *
 * @returns a result for each row, in the order in which they were named.
 * @throws what is no refusal of a row, such as a fault of the database: the rows before it are done then, unless the
 *   request has a key.
 */
export async function runBulk(
  ids: readonly number[],
  bulk: BulkWork<number, object>,
): Promise<BulkOutcome[]> {
  const named = [...new Set(ids)];
  const outcomes = new Map<number, BulkOutcome>();
  await bulk.lock?.(named);
  for (const id of [...named].sort((a, b) => a - b)) {
    const { done, error } = await outcomeOf(bulk, () => bulk.work(id));
    outcomes.set(id, { id, ok: error === null, error, row: done });
  }
  return named.map((id) => outcomes.get(id) as BulkOutcome);
}

/** What is known of the rows of a bulk operation before they are done. */
export interface RowsWork<Row, Done> extends BulkWork<Row, Done> {
  /** The wrong fields of rows, by their places. */
  readonly wrong: ReadonlyMap<number, readonly FieldError[]>;
}

/**
 * Does something with each row, one after the other, as they were sent.
 *
 * @returns what came of each.
 * @throws what is no refusal of a row.
 */
export async function runRows<Row extends object, Done>(
  rows: readonly Row[],
  { wrong, ...bulk }: RowsWork<Row, Done>,
): Promise<RowResult<Done>[]> {
  const results: RowResult<Done>[] = [];
  await bulk.lock?.(rows.filter((_, index) => !wrong.has(index)));
  for (const [index, row] of rows.entries()) {
    const errors = wrong.get(index);
    const outcome = await outcomeOf(bulk, async () => {
      if (errors !== undefined) throw validationFailed(errors);
      return bulk.work(row);
    });
    results.push({ index, ...outcome });
  }
  return results;
}

/** Returns the results of rows of which none is done, since one was refused. */
export function noneDone<Done>(results: readonly RowResult<Done>[]): RowResult<Done>[] {
  const message = "Another row was refused, so none is done.";
  const other: BulkError = {
    code: "CONFLICT",
    message,
    field: null,
    key: null,
    state: null,
    allowedActions: null,
  };
  return results.map(({ index, error }) => ({ index, done: null, error: error ?? other }));
}

/**
 * Does one row, unless the time is over. Where all rows are one transaction, one that collides with another ends all of them: the locks
 * of the rows before it are those that the other transaction waits for.
 */
async function outcomeOf<Done>(
  { deadline, lock }: Pick<BulkWork<never, unknown>, "deadline" | "lock">,
  work: () => Promise<Done>,
): Promise<{ readonly done: Done | null; readonly error: BulkError | null }> {
  if (Date.now() > deadline) throw unavailable("The request took too long; some rows are left.");
  try {
    return { done: await work(), error: null };
  } catch (error) {
    const refusal = presentError(error);
    if (refusal.status === 429 || refusal.status >= 500 || (lock !== null && hasCollided(error))) throw error;
    return { done: null, error: tell(refusal) };
  }
}

function tell({ code, detail, errors, state }: PresentedError): BulkError {
  const field = errors?.[0]?.field ?? null;
  return {
    code,
    message: errors?.[0]?.message ?? detail,
    field,
    key: field === null ? null : field.split(".").map(snakeCaseOf).join("."),
    state: state?.state ?? null,
    allowedActions: state?.allowedActions ?? null,
  };
}
