import type { CouponReason } from "../coupon.errors.js";
import { goesWithOthers } from "./coupon-combination.rules.js";
import { listed, firstPurchase, registered, underLimit } from "./coupon-client.rules.js";
import { delivered, inHours, largeEnough, onDay } from "./coupon-purchase.rules.js";
import { nothingAsked, usesOf, type Seen } from "./coupon-seen.js";
import { notExcluded, rightShop } from "./coupon-shop.rules.js";
import { statusAt } from "../../../core/schedule/schedule.js";
import type { Candidate, Situation } from "./coupon-facts.js";
import { formatAmount } from "../../../core/money.js";

/** The rules in the order in which they are judged. */
export const COUPON_RULES = [
  "found",
  "running",
  "total_count",
  "code",
  "target",
  "whitelist",
  "target_blacklist",
  "min_purchase",
  "days",
  "hours",
  "registration",
  "first_purchase",
  "only_deliveries",
  "limit",
  "amount_limit",
  "combination",
] as const;
export type CouponRule = (typeof COUPON_RULES)[number];

/** What came of judging one rule. */
export interface Finding extends Seen {
  readonly rule: CouponRule;
  /** Whether it was judged; otherwise it counts as passed, since a fact that it needs was not named. */
  readonly judged: boolean;
  /** The reason that is told when the rule does not hold. */
  readonly code: CouponReason;
}

interface Rule {
  readonly rule: CouponRule;
  readonly code: CouponReason;
  see(coupon: Candidate, situation: Situation, discountE2: bigint): Seen;
}

/** Types of coupons whose codes are for one use each. */
export const SINGLE_USE_TYPES: ReadonlySet<string> = new Set(["personal", "gift_card"]);

/** All rules but `found`, in the order in which they are judged. */
const RULES: readonly Rule[] = [
  { rule: "running", code: "COUPON_NOT_RUNNING", see: running },
  { rule: "total_count", code: "COUPON_EXHAUSTED", see: left },
  { rule: "code", code: "COUPON_CODE_USED", see: codeUnused },
  { rule: "target", code: "COUPON_WRONG_TARGET", see: rightShop },
  { rule: "whitelist", code: "COUPON_NOT_WHITELISTED", see: listed },
  { rule: "target_blacklist", code: "COUPON_BLACKLISTED", see: notExcluded },
  { rule: "min_purchase", code: "COUPON_MIN_PURCHASE", see: largeEnough },
  { rule: "days", code: "COUPON_OUTSIDE_DAYS", see: onDay },
  { rule: "hours", code: "COUPON_OUTSIDE_HOURS", see: inHours },
  { rule: "registration", code: "COUPON_REGISTRATION", see: registered },
  { rule: "first_purchase", code: "COUPON_FIRST_PURCHASE", see: firstPurchase },
  { rule: "only_deliveries", code: "COUPON_ONLY_DELIVERIES", see: delivered },
  { rule: "limit", code: "COUPON_LIMIT", see: underLimit },
  { rule: "amount_limit", code: "COUPON_AMOUNT_LIMIT", see: underAmountLimit },
  { rule: "combination", code: "COUPON_NOT_COMBINABLE", see: goesWithOthers },
];

/** The rules of redeeming a gift card, which needs no purchase. */
const GIFT_CARD_RULES = rulesNamed(
  "running",
  "total_count",
  "code",
  "whitelist",
  "days",
  "hours",
  "registration",
  "limit",
);
/** Those of an admin, who is no client: no limit for each client binds it. */
const ADMIN_GIFT_CARD_RULES = GIFT_CARD_RULES.filter(({ rule }) => rule !== "limit");
/** The rules of a use that is held: all others were judged when it was first held. */
const HELD_RULES = rulesNamed("running");

const FOUND: Finding = {
  rule: "found",
  code: "COUPON_NOT_FOUND",
  passed: true,
  judged: true,
  actual: "a coupon",
  required: "a coupon with this code",
};

/** Findings that are worked out one by one as they are read; they can be read once. */
export type Findings = Generator<Finding, void>;

/** Judges every rule, in their order (contract §13.6). */
export function judge(coupon: Candidate | null, situation: Situation, discountE2: bigint): Findings {
  return findings(coupon, RULES, situation, discountE2);
}

/** Judges the rules of redeeming a gift card. */
export function judgeGiftCard(coupon: Candidate | null, situation: Situation): Findings {
  const rules = situation.client === null ? ADMIN_GIFT_CARD_RULES : GIFT_CARD_RULES;
  return findings(coupon, rules, situation, 0n);
}

/** Judges the rules for an order that holds a use: all others were judged when it was first held. */
export function judgeHeld(coupon: Candidate, situation: Situation): Findings {
  return findings(coupon, HELD_RULES, situation, 0n);
}

/** The first finding of a rule that does not hold; no rule is judged after it. */
export function firstFailed(judged: Iterable<Finding>): Finding | undefined {
  for (const finding of judged) if (!finding.passed) return finding;
  return undefined;
}

function* findings(
  coupon: Candidate | null,
  rules: readonly Rule[],
  situation: Situation,
  discountE2: bigint,
): Findings {
  if (coupon?.deletedAt !== null) {
    yield { ...FOUND, passed: false, actual: null };
    return;
  }
  yield FOUND;
  for (const { rule, code, see } of rules)
    yield { rule, code, judged: true, ...see(coupon, situation, discountE2) };
}

function rulesNamed(...names: readonly CouponRule[]): readonly Rule[] {
  return RULES.filter(({ rule }) => names.includes(rule));
}

function running(coupon: Candidate, { at }: Situation): Seen {
  const status = statusAt(coupon, at);
  const actual = status === "running" && coupon.pausedAt !== null ? "paused" : status;
  return { passed: actual === "running", actual, required: "running" };
}

function left(coupon: Candidate): Seen {
  const { totalCount, spentCount, voidedCount, heldCount, expiredCount, hold } = coupon;
  const uses = totalCount - spentCount - voidedCount - (heldCount - expiredCount) + (hold === null ? 0 : 1);
  return { passed: uses > 0, actual: `${usesOf(Math.max(uses, 0))} left`, required: "at least 1 use left" };
}

function codeUnused({ type, codeUsedAt, codeVoidedAt, isCodeHeld }: Candidate): Seen {
  if (!SINGLE_USE_TYPES.has(type)) return nothingAsked("may be used again");
  const actual =
    codeUsedAt !== null
      ? "used"
      : codeVoidedAt !== null
        ? "voided"
        : isCodeHeld
          ? "held by another order"
          : "unused";
  return { passed: actual === "unused", actual, required: "unused" };
}

/** Judges what is left of the budget, which is the company's business: a client hears of its own discount alone. */
function underAmountLimit(coupon: Candidate, { isForClient }: Situation, discountE2: bigint): Seen {
  const actual = formatAmount(discountE2);
  const room = roomOf(coupon);
  if (room === null) return nothingAsked(actual);
  const required = isForClient
    ? "at most what the coupon has left"
    : `at most ${formatAmount(room < 0n ? 0n : room)}`;
  return { passed: discountE2 <= room, actual, required };
}

/** What is left of `amount_limit_e2` for the order, with what it holds itself; `null` without that limit. */
export function roomOf({ config, spentAmountE2, heldAmountE2, expiredE2, hold }: Candidate): bigint | null {
  if (config.amountLimitE2 == null) return null;
  return BigInt(config.amountLimitE2) - spentAmountE2 - (heldAmountE2 - expiredE2) + (hold?.amountE2 ?? 0n);
}
