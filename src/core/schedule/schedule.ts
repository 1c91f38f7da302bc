export const COUPON_STATUSES = ["pending", "generating", "ready", "running", "finished"] as const;
export type CouponStatus = (typeof COUPON_STATUSES)[number];

/** The part of a coupon that tells its status. */
export interface Scheduled {
  readonly status: string;
  readonly startsAt: Date | null;
  readonly endsAt: Date | null;
}

/**
 * The status at a moment: a coupon that is ready runs from `startsAt` (inclusive), one that runs is finished from
 * `endsAt` on, whether or not a job has written so yet (contract §13.2).
 */
export function statusAt<Status extends string>(
  coupon: Scheduled & { status: Status },
  at: Date,
): Status | CouponStatus {
  const { status, startsAt, endsAt } = coupon;
  const hasBegun = status === "running" || (status === "ready" && startsAt !== null && startsAt <= at);
  if (!hasBegun) return status;
  return endsAt !== null && endsAt <= at ? "finished" : "running";
}

/** The next moment at which the status changes by itself; null: it does not. */
export function nextDue({ status, startsAt, endsAt }: Scheduled): Date | null {
  if (status === "ready") return startsAt;
  return status === "running" ? endsAt : null;
}
