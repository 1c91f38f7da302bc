import { MOMENT_BEHIND_LOCKS, THIS_MOMENT } from "../../../core/db/moment.js";
import type { Db } from "../../../core/scope/company-scope.js";
import type { PlannedCoupon } from "../coupon-due.sql.js";

/** A coupon whose codes are being made: its first ones, or more of them while it runs. */
export interface CouponInTheMaking {
  readonly status: string;
  readonly type: string;
  readonly totalCount: number;
  readonly generatedCount: number;
  readonly codeLength: number | null;
}

/** Locks the coupon until the transaction ends. @returns `null` unless its codes are being made. */
export async function lockCouponInTheMaking(
  db: Db,
  companyId: number,
  couponId: number,
): Promise<CouponInTheMaking | null> {
  const [coupon] = await db.$queryRaw<CouponInTheMaking[]>`
    SELECT type, status, total_count AS "totalCount", generated_count AS "generatedCount",
           code_length AS "codeLength"
      FROM coupons
     WHERE company_id = ${companyId} AND id = ${couponId} AND deleted_at IS NULL
       AND (status = 'generating' OR status IN ('ready', 'running') AND generated_count < total_count)
       FOR NO KEY UPDATE`;
  return coupon ?? null;
}

/** Adds codes to a coupon that is locked, except those that the company has already. @returns how many it added. */
export async function insertCodes(
  db: Db,
  companyId: number,
  couponId: number,
  codes: readonly string[],
): Promise<number> {
  // All codes are bound as one text: PostgreSQL takes that apart faster than an array. What a distributed database says of a new row is
  // true, and how many rows it says that it wrote is how many it was to write.
  const [row] = await db.$queryRaw<{ added: number }[]>`
    WITH added AS (
      INSERT INTO coupon_codes (company_id, coupon_id, code, created_at)
      SELECT ${companyId}::int, ${couponId}::int, code, moment.now
        FROM string_to_table(${codes.join()}, ',') AS code CROSS JOIN ${MOMENT_BEHIND_LOCKS}
      ON CONFLICT DO NOTHING RETURNING 1)
    SELECT count(*)::int AS added FROM added`;
  const added = row?.added ?? 0;
  // Progress, as uses, is no change of the coupon.
  await db.$executeRaw`
    UPDATE coupons SET generated_count = generated_count + ${added}::int
     WHERE company_id = ${companyId} AND id = ${couponId}`;
  return added;
}

/**
 * Writes the status that follows when all codes are made. The coupon is ready before `startsAt`, runs from then on, and
 * is finished after `endsAt`. Without `startsAt` it runs from now on, and `startsAt` becomes this moment.
 */
export async function finishMaking(db: Db, companyId: number, couponId: number): Promise<PlannedCoupon> {
  const [coupon] = await db.$queryRaw<PlannedCoupon[]>`
    UPDATE coupons
       SET status = CASE WHEN ends_at <= moment.now THEN 'finished'
                         WHEN coalesce(starts_at <= moment.now, true) THEN 'running'
                         ELSE 'ready' END,
           starts_at = CASE WHEN ends_at <= moment.now THEN starts_at
                            ELSE coalesce(starts_at, moment.now) END,
           updated_at = moment.now
      FROM ${THIS_MOMENT}
     WHERE company_id = ${companyId} AND id = ${couponId}
    RETURNING id, status, starts_at AS "startsAt", ends_at AS "endsAt", NULL AS "deletedAt"`;
  return coupon as PlannedCoupon;
}
