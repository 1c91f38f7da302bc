import { addJob, removeJob, type Task } from "../../core/jobs/jobs.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { nextDue, type Scheduled } from "../../core/schedule/schedule.js";
import { lockPlan, moveDueCoupon } from "./coupon-due.sql.js";

export interface CouponJob {
  readonly companyId: number;
  readonly couponId: number;
}

declare module "../../core/jobs/jobs.js" {
  interface JobPayloads {
    /** Writes that a coupon runs or is finished, when its time has come. */
    couponDue: CouponJob;
  }
}

/**
 * Sets the job that will change the stored status at the next due time, in place of an earlier one. Call it in the
 * transaction that changes status, run times or deletion.
 */
export async function scheduleCouponDue(
  { db, companyId }: Pick<CompanyScope, "db" | "companyId">,
  coupon: Scheduled & { readonly id: number; readonly deletedAt: Date | null },
): Promise<void> {
  const key = `coupon:${companyId}:${coupon.id}`;
  const runAt = coupon.deletedAt === null ? nextDue(coupon) : null;
  if (runAt === null) await removeJob({ db }, key);
  else await addJob({ db }, "couponDue", { companyId, couponId: coupon.id }, { runAt, key });
}

/**
 * Writes the status that is due by the database's clock, which also started this job, and sets the next job. When the
 * job runs twice, or too early since the run times have changed, no status is due and only the next job is set.
 */
export const couponDue: Task<CouponJob> = async ({ companyId, couponId }, { database, log }) => {
  const moved = await database.writer.$transaction(async (db) => {
    const due = await moveDueCoupon(db, companyId, couponId);
    const coupon = due ?? (await lockPlan(db, companyId, couponId));
    if (coupon !== null && nextDue(coupon) !== null) await scheduleCouponDue({ db, companyId }, coupon);
    return due;
  });
  if (moved !== null) log.info({ companyId, couponId, status: moved.status }, "coupon due");
};
