import { unavailable } from "../../core/errors/domain-error.js";
import type { BulkError, BulkResult } from "../../core/operations/bulk-result.js";
import { presentError, type PresentedError } from "../errors/present.js";

export interface BulkWork {
  /** The moment at which the request has ended, in milliseconds: no further row is begun then. */
  readonly deadline: number;
  /** Does one row within a transaction of its own; within another transaction that is a savepoint. */
  readonly work: (id: number) => Promise<unknown>;
}

/**
 * Does the same with many rows, one after the other. They are locked in the order of their ids, so that two such requests
 * never wait for each other in a circle.
 *
 * @returns a result for each row, in the order in which they were named.
 * @throws what is no refusal of a row, such as a fault of the database: the rows before it are done then, unless the
 *   request has a key.
 */
export async function runBulk(ids: readonly number[], { deadline, work }: BulkWork): Promise<BulkResult[]> {
  const errors = new Map<number, BulkError | null>(ids.map((id) => [id, null]));
  for (const id of [...errors.keys()].sort((a, b) => a - b)) {
    if (Date.now() > deadline) throw unavailable("The request took too long; some rows are left.");
    errors.set(id, await errorOf(id, work));
  }
  return [...errors].map(([id, error]) => ({ id, ok: error === null, error }));
}

async function errorOf(id: number, work: BulkWork["work"]): Promise<BulkError | null> {
  try {
    await work(id);
    return null;
  } catch (error) {
    const refusal = presentError(error);
    if (refusal.status === 429 || refusal.status >= 500) throw error;
    return tell(refusal);
  }
}

function tell({ code, detail, errors, state }: PresentedError): BulkError {
  return {
    code,
    message: errors?.[0]?.message ?? detail,
    field: errors?.[0]?.field ?? null,
    state: state?.state ?? null,
    allowedActions: state?.allowedActions ?? null,
  };
}
