import { FOLLOWED_MODELS } from "../../core/operations/audited-models.js";
import type { Db } from "../../core/db/db.js";
import type { ModelName } from "../../core/scope/tenant-models.js";

/** Who has made a change; both are `null` of a job. */
interface Changer {
  readonly actorKind: string | null;
  readonly actorId: number | null;
}

/**
 * Finds who made the latest change of a row, by the journal: its entry follows the moment of the row at once, or when the statement
 * ends that changed many.
 *
 * @returns `null` for what the journal has no entries of, and for a change that is kept no longer.
 */
export async function latestChanger(
  db: Db,
  { companyId, model, id, updatedAt }: { companyId: number; model: ModelName; id: number; updatedAt: Date },
): Promise<Changer | null> {
  if (!FOLLOWED_MODELS.includes(model)) return null;
  const [changer] = await db.$queryRaw<Changer[]>`
    SELECT actor_kind AS "actorKind", actor_id AS "actorId" FROM journal_entries
     WHERE company_id = ${companyId} AND type = ${model} AND entity_id = ${id}
       AND at >= ${updatedAt} AND at < ${updatedAt}::timestamptz + interval '1 minute'
     ORDER BY at LIMIT 1`;
  return changer ?? null;
}
