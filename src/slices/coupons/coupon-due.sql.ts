import { THIS_MOMENT } from "../../core/db/moment.js";
import type { Db } from "../../core/scope/company-scope.js";
import type { ScheduleStatus } from "../../core/schedule/schedule.js";

/** The status and run times of a coupon that is not deleted. */
export interface PlannedCoupon {
  readonly id: number;
  readonly status: ScheduleStatus;
  readonly startsAt: Date | null;
  readonly endsAt: Date | null;
  readonly deletedAt: null;
}

/** Writes the status that is due now, by the database's clock. @returns `null` when none is. */
export async function moveDueCoupon(
  db: Db,
  companyId: number,
  couponId: number,
): Promise<PlannedCoupon | null> {
  const [moved] = await db.$queryRaw<PlannedCoupon[]>`
    UPDATE coupons
       SET status = CASE WHEN ends_at <= moment.now THEN 'finished' ELSE 'running' END, updated_at = moment.now
      FROM ${THIS_MOMENT}
     WHERE company_id = ${companyId} AND id = ${couponId} AND deleted_at IS NULL
       AND (status = 'ready' AND starts_at <= moment.now OR status = 'running' AND ends_at <= moment.now)
    RETURNING id, status, starts_at AS "startsAt", ends_at AS "endsAt", NULL AS "deletedAt"`;
  return moved ?? null;
}

/** Reads a coupon's status and run times and locks it until the transaction ends; `null` when it is deleted. */
export async function lockPlan(db: Db, companyId: number, couponId: number): Promise<PlannedCoupon | null> {
  const [coupon] = await db.$queryRaw<PlannedCoupon[]>`
    SELECT id, status, starts_at AS "startsAt", ends_at AS "endsAt", NULL AS "deletedAt"
      FROM coupons WHERE company_id = ${companyId} AND id = ${couponId} AND deleted_at IS NULL
       FOR NO KEY UPDATE`;
  return coupon ?? null;
}
