import type { Caller } from "../../core/access/caller.js";
import { sql, type Sql } from "../../core/db/sql.js";

/** Who changes rows, by which operation and request. */
export interface AuditContext {
  readonly operation: string;
  readonly requestId: string;
  /** The header `traceparent` of what the change causes; `null` where the caller has named no trace. */
  readonly traceParent: string | null;
  readonly caller: Caller;
  /** Whom long entries cost; `null` for nobody. */
  readonly payer: string | null;
  /** The bytes of the trail from which on no long entries are written; `null` without a limit. */
  readonly quota: number | null;
}

/**
 * The statement that notes in a transaction who acts: until it ends, triggers write an entry of the audit trail for each row that
 * changes. With `null` they write none.
 */
export function actorStatement(context: AuditContext | null): Sql {
  const text = context === null ? "" : JSON.stringify(actorOf(context));
  return sql`SELECT act_as(${text})::text`;
}

/** Who acts, as the triggers read it. */
export function actorOf({
  operation,
  requestId,
  traceParent,
  caller,
  payer,
  quota,
}: AuditContext): Record<string, unknown> {
  const base = { operation, requestId, payer, quota, ...(traceParent !== null && { traceParent }) };
  switch (caller.kind) {
    case "admin":
      return { ...base, actorKind: "admin", adminId: caller.id };
    case "client":
      return { ...base, actorKind: "client", clientId: caller.id };
    case "key":
      return { ...base, actorKind: "key", apiKeyId: caller.id };
    case "platform":
      return { ...base, actorKind: "platform" };
    default:
      return base;
  }
}
