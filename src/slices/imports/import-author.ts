import type { Sql } from "../../core/db/sql.js";
import type { JobContext } from "../../core/jobs/jobs.js";
import { authorIn } from "../../core/operations/actor.sql.js";
import type { Db, JsonValue } from "../../core/db/db.js";
import { writesTarget, type ImportTarget } from "./import-job.sql.js";

/** An import, and in whose name it changes goods. */
type SentImport = ImportTarget & { readonly companyId: number; readonly actor: JsonValue };

/** Why an import ends whose sender lost the right to it. */
export const MAY_NO_MORE = "Whoever sent it may not import these goods any more.";

/**
 * Returns whether whoever sent an import may still send it. It goes on long after its request, and may begin a year later; with an
 * admin or a key that is worth nothing any more, or that may not write the goods of the shop, nothing goes on in its name.
 */
export async function mayStillImport(
  db: Db,
  { rightsOf }: Pick<JobContext, "rightsOf">,
  { companyId, actor, ...target }: SentImport,
): Promise<boolean> {
  const author = authorIn(actor, companyId);
  if (author === null) return true;
  const rights = await rightsOf(db, author, companyId);
  if (rights === null || !(rights.grant.all || rights.grant.roles.has("can_import_goods"))) return false;
  if (!rights.isBound) return true;
  const whole = { rows: <Row>(statement: Sql) => db.$queryRaw<Row[]>(statement) };
  return writesTarget({ companyId, whole, ...rights }, target);
}
