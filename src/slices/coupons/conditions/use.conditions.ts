import { statusAt } from "../../../core/schedule/schedule.js";
import { hasManyCodes } from "../coupon-actions.rules.js";
import { condition, nothingAsked, usesOf } from "./condition.js";
import type { JudgedCoupon } from "./judged.js";

/** Conditions of a coupon's state: that it runs, and that it and its code have a use left. */

export const RUNNING = condition({
  keys: {},
  name: "running",
  description: "It runs.",
  code: "COUPON_NOT_RUNNING",
  title: "The coupon is not running",
  ofGiftCards: "always",
  holds: (coupon, { at }) => stateAt(coupon, at) === "running",
  words: (coupon, { at }) => ({ actual: stateAt(coupon, at), required: "running" }),
});

export const TOTAL_COUNT = condition({
  keys: {},
  name: "total_count",
  description: "A use is left.",
  code: "COUPON_EXHAUSTED",
  title: "The coupon is used up",
  ofGiftCards: "always",
  holds: (coupon) => usesLeft(coupon) > 0,
  words: (coupon, { isForClient }) => ({
    actual: usesInWords(Math.max(usesLeft(coupon), 0), isForClient),
    required: A_USE_LEFT,
  }),
});

export const CODE = condition({
  keys: {},
  name: "code",
  description: "A generated code is neither used nor held by another order.",
  code: "COUPON_CODE_USED",
  title: "The code is used or held",
  ofGiftCards: "always",
  holds: (coupon) => !hasManyCodes(coupon.type) || stateOfCode(coupon) === "unused",
  words: (coupon) =>
    hasManyCodes(coupon.type)
      ? { actual: stateOfCode(coupon), required: "unused" }
      : nothingAsked("may be used again"),
});

const A_USE_LEFT = "at least 1 use left";

/** How many uses are left is the company's business: a client hears whether there are any. */
function usesInWords(left: number, isForClient: boolean): string {
  return isForClient && left > 0 ? A_USE_LEFT : `${usesOf(left)} left`;
}

/** The status of a coupon at a moment, or that it is paused then. */
function stateAt(coupon: JudgedCoupon<unknown>, at: Date): string {
  const status = statusAt(coupon, at);
  const isPaused = coupon.wasPaused === true || (coupon.pausedAt !== null && coupon.pausedAt <= at);
  return status === "running" && isPaused ? "paused" : status;
}

/** The uses that are left for the order, with the one that it holds itself. */
function usesLeft({
  totalCount,
  spentCount,
  voidedCount,
  heldCount,
  expiredCount,
  hold,
}: JudgedCoupon<unknown>): number {
  return totalCount - spentCount - voidedCount - (heldCount - expiredCount) + (hold === null ? 0 : 1);
}

function stateOfCode({ codeUsedAt, codeVoidedAt, isCodeHeld }: JudgedCoupon<unknown>): string {
  if (codeUsedAt !== null) return "used";
  if (codeVoidedAt !== null) return "voided";
  return isCodeHeld ? "held by another order" : "unused";
}
