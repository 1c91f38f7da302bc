import { setTimeout as sleep } from "node:timers/promises";
import type { Caller } from "../../core/access/caller.js";
import { sql } from "../../core/db/sql.js";
import { AUDITED_MODELS, targetTypeOf } from "../../core/operations/audited-models.js";
import type { Runtime } from "../../core/operations/operation-context.js";
import { isModel } from "../../core/scope/tenant-models.js";
import { isUnavailable } from "../errors/unavailable.js";
import { actorOf } from "./audit-context.js";

/** Who was given a file. */
interface Asking {
  /** The id of the request. */
  readonly id: string;
  readonly caller: Caller;
  readonly runtime: Runtime;
}

/** Rows that were given out as a file. */
export interface Export {
  readonly companyId: number;
  /** The query that read them. */
  readonly operation: string;
  /** What they are: the name of a model, or of another type. */
  readonly type: string;
  readonly format: string;
  readonly rows: number;
  /** Whether the file came to its end. */
  readonly isWhole: boolean;
}

/** How often, and after how long, it is tried again: a file may break off with the connection that it was read by. */
const MORE_TRIES = 5;
const TRY_AGAIN_MS = 1_000;

/**
 * Writes to the audit trail that somebody took rows out of the house. Rows of a kind that the trail does not know are the company's.
 * While the database cannot be reached, it is tried again for some seconds.
 */
export async function noteExport(asking: Asking, file: Export): Promise<void> {
  for (let triesLeft = MORE_TRIES; ; triesLeft -= 1) {
    try {
      return await write(asking, file);
    } catch (error) {
      if (triesLeft === 0 || !isUnavailable(error)) throw error;
      await sleep(TRY_AGAIN_MS);
    }
  }
}

async function write({ id, caller, runtime }: Asking, file: Export): Promise<void> {
  const { companyId, operation, type, format, rows, isWhole } = file;
  const isKnown = isModel(type) && AUDITED_MODELS.includes(type);
  const target = targetTypeOf(isKnown ? type : "Company");
  const actor = actorOf({ operation, requestId: id, traceParent: null, caller, payer: null, quota: null });
  const said = Object.entries({ rows, format, isWhole }).map(([name, value]) => [name, [null, value]]);
  const changes = JSON.stringify(Object.fromEntries(said));
  await runtime.writer.$queryRaw(sql`
    SELECT note_in_trail(
             c.id, 'export', ${target}, ${isKnown ? null : companyId}::bigint, ${changes}::jsonb, ${JSON.stringify(actor)}::jsonb)::text
      FROM companies c WHERE c.id = ${companyId}`);
}
