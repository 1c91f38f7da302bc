import { notFound } from "../../../core/errors/domain-error.js";
import { isGivenUp, jobIdOf, type FollowedJob, type JobProgress } from "../../../core/jobs/followed-job.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { codesToMake } from "../coupon-lifecycle.rules.js";

/** The making of a coupon's codes, as callers follow it. */
export const couponCodesJob: FollowedJob = {
  kind: "coupon-codes",
  area: "coupons",
  progress: couponCodesProgress,
};

/** The key of the job that makes the codes of a coupon. */
export const couponCodesKey = (companyId: number, couponId: number): string =>
  `coupon-codes:${companyId}:${couponId}`;

/** Returns the id by which the making of a coupon's codes is followed; `null` before it is set ready. */
export function couponCodesJobId({
  id,
  status,
}: {
  readonly id: number;
  readonly status: string;
}): string | null {
  return status === "pending" ? null : jobIdOf(couponCodesJob, id);
}

/** Whether codes that were added are still made for a coupon with this stored status. */
const isRunning = (status: string): boolean => status === "running" || status === "ready";

async function couponCodesProgress(scope: CompanyScope, couponId: number): Promise<JobProgress> {
  const { db, companyId } = scope;
  const coupon = await db.coupon.findFirst({
    where: { companyId, id: couponId, deletedAt: null },
    select: { type: true, status: true, totalCount: true, generatedCount: true },
  });
  if (coupon === null || coupon.status === "pending") throw notFound("Job");
  const counts = { done: coupon.generatedCount, total: codesToMake(coupon) };
  const isMoreToMake = isRunning(coupon.status) && counts.done < counts.total;
  if (coupon.status !== "generating" && !isMoreToMake) return { state: "done", ...counts };
  const isFailed = await isGivenUp(scope, couponCodesKey(companyId, couponId));
  return { state: isFailed ? "failed" : "running", ...counts };
}
