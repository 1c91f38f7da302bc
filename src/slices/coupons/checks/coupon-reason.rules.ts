import type { ConditionRule, Seen } from "../conditions/condition.js";
import { FOUND, RULES, type CouponReason, type CouponRule } from "../conditions/conditions.js";
import { RUNNING } from "../conditions/use.conditions.js";
import type { Candidate, Situation } from "./coupon-facts.js";

/** What came of judging one rule. */
export interface Finding extends Seen {
  readonly rule: CouponRule;
  /** Whether it was judged; otherwise it counts as passed, since a fact that it needs was not named. */
  readonly judged: boolean;
  /** The reason that is told when the rule does not hold. */
  readonly code: CouponReason;
}

type Rule = ConditionRule<CouponRule, CouponReason>;

/** The rules of redeeming a gift card, which needs no purchase. */
const GIFT_CARD_RULES = RULES.filter(({ ofGiftCards }) => ofGiftCards !== undefined);
/** Those of an admin, who is no client. */
const ADMIN_GIFT_CARD_RULES = GIFT_CARD_RULES.filter(({ ofGiftCards }) => ofGiftCards === "always");
/** The rules of a use that is held: all others were judged when it was first held. */
const HELD_RULES = [RUNNING.rule];

const FOUND_ONE: Finding = {
  rule: FOUND.name,
  code: FOUND.code,
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
    yield { ...FOUND_ONE, passed: false, actual: null };
    return;
  }
  yield FOUND_ONE;
  for (const rule of rules)
    yield { rule: rule.name, code: rule.code, judged: true, ...rule.judge(coupon, situation, discountE2) };
}
