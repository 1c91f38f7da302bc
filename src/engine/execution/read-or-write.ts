import type { ExecutionResult } from "graphql";
import type { Db } from "../../core/db/db.js";
import type { Runtime } from "../../core/operations/operation-context.js";
import { refusalOfReplica } from "../errors/database-error.js";
import { rootCause } from "../errors/present.js";

/**
 * Reads from a replica, and once more from the primary when the replica does not answer.
 *
 * @param run reads from a database.
 */
export function read(
  runtime: Runtime,
  run: (client: Db) => Promise<ExecutionResult>,
): Promise<ExecutionResult> {
  const client = runtime.reader();
  return client === runtime.writer ? written(runtime, run(client)) : readReplica(runtime, client, run);
}

async function readReplica(
  runtime: Runtime,
  replica: Db,
  run: (client: Db) => Promise<ExecutionResult>,
): Promise<ExecutionResult> {
  const result = await run(replica);
  const refusals = (result.errors ?? []).map((error) => refusalOfReplica(rootCause(error)));
  if (refusals.includes("away")) runtime.refused(replica);
  if (refusals.every((refusal) => refusal === null)) return result;
  return written(runtime, run(runtime.writer));
}

/** Holds an answer of the primary back until every later read sees what it shows. */
export async function written(runtime: Runtime, run: Promise<ExecutionResult>): Promise<ExecutionResult> {
  const result = await run;
  const settling = runtime.settled();
  if (settling !== null) await settling;
  return result;
}
