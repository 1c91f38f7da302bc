import { deletion } from "../../core/jobs/sweep.js";
import type { Db } from "../../core/db/db.js";
import { sql } from "../../core/db/sql.js";
import { sendAhead } from "../tenancy/bounded-db.js";

/** Each new answer deletes this many expired ones: so none stays for long, and no request deletes many. */
const SWEPT_AT_ONCE = 3;

/** The setting that says, within a transaction, whether it has locked its key. */
const HELD = "idempotency.held";

/** An answer as it is stored. */
export interface FoundAnswer {
  readonly answer: Uint8Array;
  /** Whether the company, or any where none is named, has erased what it knew of somebody since the answer was kept. */
  readonly isOutdated: boolean;
}

/** What is known of a key that the transaction has locked. */
export interface LockedKey {
  /** `null` when there is none or it has expired. */
  readonly kept: FoundAnswer | null;
  /** How many bytes are kept for the keeper in its present day. */
  readonly keptBytes: number;
}

/**
 * Locks the key until the transaction ends, and returns the answer that was given under it, with the room that its keeper has taken.
 * It does not wait for the key; what the transaction waits for later, such as a row that another one has locked, it gets in
 * time or not at all.
 *
 * The answer is looked for by a statement of its own, in the same packet: it sees what was committed before the key was locked. An
 * erasure a minute before an answer counts as one since then: the answer may have been made beside it.
 *
 * @returns `"taken"` when another transaction has locked the key.
 */
export async function lockAndFind(
  tx: Db,
  id: Buffer,
  { keeper, lockTimeoutMs, companyId }: { keeper: Buffer; lockTimeoutMs: number; companyId: number | null },
): Promise<LockedKey | "taken"> {
  await sendAhead(
    tx,
    sql`SELECT set_config(${HELD}, pg_try_advisory_xact_lock(${id.readBigInt64BE()}::int8)::text, true),
               set_config('lock_timeout', ${String(lockTimeoutMs)}, true)`,
  );
  const [row] = await tx.$queryRaw<Found[]>`
    SELECT current_setting(${HELD}) = 'true' AS held, kept.answer, kept.expires_at - interval '24 hours 1 minute' AS since,
           coalesce(quota.bytes, 0)::bigint AS bytes
      FROM (VALUES (1)) AS one
           LEFT JOIN idempotency_keys kept ON kept.id = ${id} AND kept.expires_at > now()
           LEFT JOIN idempotency_quotas quota ON quota.owner = ${keeper} AND quota.ends_at > now()`;
  if (row?.held !== true) return "taken";
  const { answer, since, bytes } = row;
  const kept =
    answer === null || since === null
      ? null
      : { answer, isOutdated: await isErasedSince(tx, since, companyId) };
  return { kept, keptBytes: Number(bytes) };
}

interface Found {
  readonly held: boolean;
  readonly answer: Uint8Array | null;
  /** Erasures from then on may be of what the answer says. */
  readonly since: Date | null;
  readonly bytes: bigint;
}

async function isErasedSince(tx: Db, since: Date, companyId: number | null): Promise<boolean> {
  const [row] =
    companyId === null
      ? await tx.$queryRaw<{ isErased: boolean }[]>`
          SELECT EXISTS (SELECT 1 /* all companies */ FROM audit_erasures WHERE erased_at > ${since}) AS "isErased"`
      : await tx.$queryRaw<{ isErased: boolean }[]>`
          SELECT EXISTS (
                   SELECT FROM audit_erasures WHERE company_id = ${companyId} AND erased_at > ${since}) AS "isErased"`;
  return row?.isErased === true;
}

/** The row around an answer counts as so many bytes. */
const ROW_BYTES = 200;
/** The quota begins anew after this time. */
export const QUOTA_SECONDS = 24 * 60 * 60;

/** How many bytes an answer takes of its keeper's room. */
export function bytesOf(answer: Buffer): number {
  return answer.length + ROW_BYTES;
}

/**
 * Keeps the answer for 24 hours, and counts its bytes for its keeper; the statement travels with the transaction's commit. The
 * caller must have locked the key and found no answer.
 *
 * @param keeper is a digest of whose room it takes.
 */
export function keepAnswer(tx: Db, id: Buffer, answer: Buffer, keeper: Buffer): Promise<void> {
  return sendAhead(
    tx,
    sql`
    WITH swept AS (
      DELETE FROM idempotency_keys WHERE id IN (
        SELECT id FROM idempotency_keys WHERE expires_at <= now() AND id <> ${id}
         ORDER BY expires_at LIMIT ${SWEPT_AT_ONCE} FOR UPDATE SKIP LOCKED)
    ), quota AS (
      INSERT INTO idempotency_quotas AS used (owner, bytes, ends_at)
      VALUES (${keeper}, ${bytesOf(answer)}, now() + ${QUOTA_SECONDS} * interval '1 second')
      ON CONFLICT (owner) DO UPDATE
        SET bytes = excluded.bytes + CASE WHEN used.ends_at > now() THEN used.bytes ELSE 0 END,
            ends_at = CASE WHEN used.ends_at > now() THEN used.ends_at ELSE excluded.ends_at END
    )
    INSERT INTO idempotency_keys (id, answer, expires_at) VALUES (${id}, ${answer}, now() + interval '24 hours')
    ON CONFLICT (id) DO UPDATE SET answer = excluded.answer, expires_at = excluded.expires_at`,
  );
}

/** How many bytes are kept for these keepers in their present day. */
export async function keptBytes(tx: Pick<Db, "$queryRaw">, keepers: readonly Buffer[]): Promise<number> {
  const [row] = await tx.$queryRaw<{ bytes: bigint }[]>`
    SELECT coalesce(sum(bytes), 0)::bigint AS bytes FROM idempotency_quotas
     WHERE owner = ANY (${keepers}::bytea[]) AND ends_at > now()`;
  return Number(row?.bytes ?? 0);
}

/** Removes expired answers. */
export const expiredAnswers = deletion({
  model: "IdempotencyKey",
  where: "expires_at <= now()",
  orderBy: "expires_at",
  most: 1_000,
});

/** Removes quotas that have ended. */
export const endedQuotas = deletion({
  model: "IdempotencyQuota",
  where: "ends_at <= now()",
  orderBy: "ends_at",
  most: 1_000,
});
