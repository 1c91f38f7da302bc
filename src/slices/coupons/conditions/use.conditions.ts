import { statusAt } from "../../../core/schedule/schedule.js";
import { hasManyCodes } from "../coupon-actions.rules.js";
import { condition, nothingAsked, usesOf, type Seen } from "./condition.js";

/** Conditions of a coupon's state: that it runs, and that it and its code have a use left. */

export const RUNNING = condition({
  keys: {},
  name: "running",
  description: "It runs.",
  code: "COUPON_NOT_RUNNING",
  title: "The coupon is not running",
  ofGiftCards: "always",
  judge(coupon, { at }): Seen {
    const status = statusAt(coupon, at);
    const isPaused = coupon.pausedAt !== null && coupon.pausedAt <= at;
    const actual = status === "running" && isPaused ? "paused" : status;
    return { passed: actual === "running", actual, required: "running" };
  },
});

export const TOTAL_COUNT = condition({
  keys: {},
  name: "total_count",
  description: "A use is left.",
  code: "COUPON_EXHAUSTED",
  title: "The coupon is used up",
  ofGiftCards: "always",
  judge({ totalCount, spentCount, voidedCount, heldCount, expiredCount, hold }): Seen {
    const uses = totalCount - spentCount - voidedCount - (heldCount - expiredCount) + (hold === null ? 0 : 1);
    return { passed: uses > 0, actual: `${usesOf(Math.max(uses, 0))} left`, required: "at least 1 use left" };
  },
});

export const CODE = condition({
  keys: {},
  name: "code",
  description: "A generated code is neither used nor held by another order.",
  code: "COUPON_CODE_USED",
  title: "The code is used or held",
  ofGiftCards: "always",
  judge({ type, codeUsedAt, codeVoidedAt, isCodeHeld }): Seen {
    if (!hasManyCodes(type)) return nothingAsked("may be used again");
    const actual =
      codeUsedAt !== null
        ? "used"
        : codeVoidedAt !== null
          ? "voided"
          : isCodeHeld
            ? "held by another order"
            : "unused";
    return { passed: actual === "unused", actual, required: "unused" };
  },
});
