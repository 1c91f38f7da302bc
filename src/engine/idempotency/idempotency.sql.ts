import { deletion } from "../../core/jobs/sweep.js";
import type { Db } from "../../core/db/db.js";
import { sql } from "../../core/db/sql.js";
import { sendAhead, settleAhead } from "../tenancy/bounded-db.js";

/** What `hold_key` raises. */
const HELD = "UK001";
const ANSWERED = "UK002";
const FULL = "UK003";

/** What a transaction knows of the key that it wants to hold. */
export interface Hold {
  /**
   * `"asked"` until the database has answered; `"taken"` while another transaction holds the key, `"answered"` when an answer is kept
   * under it, `"full"` when its keeper has no room; `"lost"` when the question failed.
   */
  readonly state: "asked" | "held" | "taken" | "answered" | "full" | "lost";
}

const REFUSALS: ReadonlyMap<string | undefined, Hold["state"]> = new Map([
  [HELD, "taken"],
  [ANSWERED, "answered"],
  [FULL, "full"],
] as const);

/**
 * Has the transaction hold the key until it ends. The question travels with its next statement, which does not run unless the key
 * is free. It does not wait for the key; what the transaction waits for later, such as a row that another one has locked, it gets in
 * time or not at all.
 *
 * @param room is the bytes that the keepers may have together, `null` when there is no limit. `hold_key` looks at one keeper: it is
 *   told one that has some, and no room at all, when they have used it up.
 */
export async function holdKey(
  tx: Db,
  id: Buffer,
  {
    keepers,
    room,
    lockTimeoutMs,
  }: { keepers: readonly Buffer[]; room: number | null; lockTimeoutMs: number },
): Promise<Hold> {
  const hold: { state: Hold["state"] } = { state: "asked" };
  await sendAhead(
    tx,
    sql`
      SELECT hold_key(
               ${id}, ${id.readBigInt64BE()}::int8, used.owner, CASE WHEN used.bytes >= ${room}::int8 THEN 0::int8 END,
               ${String(lockTimeoutMs)}),
             set_config('keys.snapshot', pg_current_snapshot()::text, true)
        FROM (SELECT (array_agg(owner))[1] AS owner, sum(bytes) AS bytes FROM idempotency_quotas
               WHERE owner = ANY (${keepers}::bytea[]) AND ends_at > now()) AS used`,
    (error) => {
      hold.state = error === null ? "held" : (REFUSALS.get((error as { code?: string }).code) ?? "lost");
    },
  );
  return hold;
}

/** Has the question for a key answered that no statement has taken along yet. */
export async function askForKey(tx: Db, hold: Hold): Promise<void> {
  if (hold.state === "asked") await settleAhead(tx).catch(() => undefined);
}

/** An answer as it is stored. */
export interface FoundAnswer {
  readonly answer: Uint8Array;
  /**
   * Whether the company, or any where none is named, has erased what it knew of somebody by a transaction that had not committed when
   * that of the answer began.
   */
  readonly isOutdated: boolean;
}

/** Returns the answer that is kept under a key; `null` when there is none or it has expired. */
export async function findAnswer(tx: Db, id: Buffer, companyId: number | null): Promise<FoundAnswer | null> {
  const [row] = await tx.$queryRaw<{ answer: Uint8Array; began: Date; snapshot: string | null }[]>`
    SELECT answer, expires_at - interval '24 hours' AS began, snapshot
      FROM idempotency_keys WHERE id = ${id} AND expires_at > now()`;
  if (row === undefined) return null;
  return { answer: row.answer, isOutdated: await isErasedSince(tx, row, companyId) };
}

/**
 * An erasure that began later than the transaction of the answer has committed later, too. Of one that began before, the snapshot tells
 * whether it had committed by then; where that is not known, it counts as if it had not. No erasure takes an hour.
 */
async function isErasedSince(
  tx: Db,
  { began, snapshot }: { began: Date; snapshot: string | null },
  companyId: number | null,
): Promise<boolean> {
  const isSince = sql`
    erased_at > ${began}::timestamptz - interval '1 hour'
      AND (erased_at > ${began}
        OR pg_visible_in_snapshot(erased_by::text::xid8, ${snapshot}::pg_snapshot) IS NOT TRUE)`;
  const [row] =
    companyId === null
      ? await tx.$queryRaw<{ isErased: boolean }[]>(sql`
          SELECT EXISTS (SELECT 1 /* all companies */ FROM audit_erasures WHERE ${isSince}) AS "isErased"`)
      : await tx.$queryRaw<{ isErased: boolean }[]>(sql`
          SELECT EXISTS (
                   SELECT FROM audit_erasures WHERE company_id = ${companyId} AND ${isSince}) AS "isErased"`);
  return row?.isErased === true;
}

/** The row around an answer counts as so many bytes. */
const ROW_BYTES = 200;
/** What a keeper counts begins anew after this time. */
const QUOTA_SECONDS = 24 * 60 * 60;

/**
 * Keeps the answer for 24 hours, and counts its bytes for its keeper; the statement travels with the transaction's commit. The
 * transaction has to hold the key.
 *
 * @param keeper is a digest of whose room it takes.
 */
export function keepAnswer(tx: Db, id: Buffer, answer: Buffer, keeper: Buffer): Promise<void> {
  const bytes = answer.length + ROW_BYTES;
  return sendAhead(
    tx,
    sql`
    WITH quota AS (
      INSERT INTO idempotency_quotas AS used (owner, bytes, ends_at)
      VALUES (${keeper}, ${bytes}, now() + ${QUOTA_SECONDS} * interval '1 second')
      ON CONFLICT (owner) DO UPDATE
        SET bytes = excluded.bytes + CASE WHEN used.ends_at > now() THEN used.bytes ELSE 0 END,
            ends_at = CASE WHEN used.ends_at > now() THEN used.ends_at ELSE excluded.ends_at END
    )
    INSERT INTO idempotency_keys (id, answer, expires_at, snapshot)
    VALUES (${id}, ${answer}, now() + interval '24 hours', nullif(current_setting('keys.snapshot', true), ''))
    ON CONFLICT (id) DO UPDATE
      SET answer = excluded.answer, expires_at = excluded.expires_at, snapshot = excluded.snapshot`,
  );
}

/** How many bytes are kept for these keepers in their present day. */
export async function keptBytes(tx: Pick<Db, "$queryRaw">, keepers: readonly Buffer[]): Promise<number> {
  const [row] = await tx.$queryRaw<{ bytes: bigint }[]>`
    SELECT coalesce(sum(bytes), 0)::bigint AS bytes FROM idempotency_quotas
     WHERE owner = ANY (${keepers}::bytea[]) AND ends_at > now()`;
  return Number(row?.bytes ?? 0);
}

/** In how many seconds the first of these keepers begins anew. */
export async function secondsUntilRoom(
  db: Pick<Db, "$queryRaw">,
  keepers: readonly Buffer[],
): Promise<number> {
  const [row] = await db.$queryRaw<{ seconds: number | null }[]>`
    SELECT ceil(extract(epoch FROM min(ends_at) - now()))::int4 AS seconds FROM idempotency_quotas
     WHERE owner = ANY (${keepers}::bytea[]) AND ends_at > now()`;
  return row?.seconds ?? 1;
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
