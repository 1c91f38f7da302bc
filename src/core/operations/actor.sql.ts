import type { JsonObject, JsonValue } from "../db/db.js";
import type { Author } from "../jobs/jobs.js";
import type { Db } from "../scope/company-scope.js";

/** The actor of the transaction, as the audit trail gets it; `null` outside of an audited operation. */
export async function currentActor(db: Db): Promise<JsonValue> {
  const [row] = await db.$queryRaw<{ actor: JsonValue }[]>`
    SELECT nullif(current_setting('audit.context', true), '')::jsonb AS actor`;
  return row?.actor ?? null;
}

/** The actor as the author of work that goes on in its name; `null` for somebody whose rights are not looked up later. */
export function authorIn(actor: JsonValue, companyId: number): Author | null {
  const { actorKind, adminId, apiKeyId } = (actor ?? {}) as Partial<Record<string, unknown>>;
  if (actorKind === "platform") return { kind: "platform" };
  if (actorKind === "admin") return { kind: "admin", id: Number(adminId), companyId };
  if (actorKind === "key")
    return { kind: "key", id: Number(apiKeyId), companyId, makerId: null, isElsewhere: false };
  return null;
}

/** Returns the same actor, whom entries of the audit trail cost nothing: for what is tried out and undone. */
export function withoutPayer(actor: JsonValue): JsonValue {
  return actor === null ? null : { ...(actor as JsonObject), payer: null };
}

/**
 * Gives the audit trail for whom a job's transaction acts from here on; with `null` it writes nothing. The journal, which tells who has
 * changed a row himself, names nobody.
 */
export async function actFor(db: Db, actor: JsonValue): Promise<void> {
  const text = actor === null ? "" : JSON.stringify({ ...(actor as object), isJob: true });
  await db.$executeRaw`SELECT act_as(${text})::text`;
}
