import { notFound } from "../../../core/errors/domain-error.js";
import type { FollowedJob, JobProgress } from "../../../core/jobs/followed-job.js";
import { followedWork } from "../../../core/jobs/work.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { codesToMake } from "../coupon-lifecycle.rules.js";
import { couponCodes } from "./coupon-codes.jobs.js";

/** Returns the id by which the making of a coupon's codes is followed; `null` before it is set ready. */
export function couponCodesJobId({
  id,
  status,
}: {
  readonly id: number;
  readonly status: string;
}): string | null {
  return status === "pending" ? null : couponCodes.jobIdOf(id);
}

/** Returns whether codes that were added are still made for a coupon with this stored status. */
const isRunning = (status: string): boolean => status === "running" || status === "ready";

async function couponCodesProgress({ db, companyId }: CompanyScope, couponId: number): Promise<JobProgress> {
  const coupon = await db.coupon.findFirst({
    where: { companyId, id: couponId, deletedAt: null },
    select: { type: true, status: true, totalCount: true, generatedCount: true },
  });
  if (coupon === null || coupon.status === "pending") throw notFound("Job");
  const counts = { done: coupon.generatedCount, total: codesToMake(coupon) };
  const isMoreToMake = isRunning(coupon.status) && counts.done < counts.total;
  return { state: coupon.status === "generating" || isMoreToMake ? "running" : "done", ...counts };
}

/** The making of a coupon's codes, as callers follow it. */
export const couponCodesJob: FollowedJob = followedWork(couponCodes, "coupons", couponCodesProgress);
