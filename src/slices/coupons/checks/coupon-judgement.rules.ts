import { DomainError } from "../../../core/errors/domain-error.js";
import { formatAmount } from "../../../core/money.js";
import { roomOf } from "../conditions/amount.conditions.js";
import { leftFor } from "../conditions/combination.conditions.js";
import type { Words } from "../conditions/condition.js";
import {
  FOUND,
  RULES,
  type CouponConditionRule,
  type CouponReason,
  type CouponRule,
} from "../conditions/conditions.js";
import type { OwnHold, OwnUse, Situation } from "../conditions/judged.js";
import { RUNNING } from "../conditions/use.conditions.js";
import { COUPON_ERRORS } from "../coupon.errors.js";
import { discountOf, type Discount, type DiscountStep } from "../amounts/coupon-discount.rules.js";
import { purchaseOf } from "../amounts/goods-of-coupon.rules.js";
import type { Candidate } from "./coupon-facts.js";
import { partsOf, sharesOf, type Amounts, type ItemShare } from "../amounts/discount-shares.rules.js";
import { leftOf, storedParts } from "../amounts/left-of-purchase.rules.js";

/** What came of judging one rule. */
export interface Finding extends Words {
  readonly rule: CouponRule;
  readonly passed: boolean;
  /** Whether it was judged; otherwise it counts as passed, since a fact that it needs was not named. */
  readonly judged: boolean;
  /** The reason that is answered when the rule does not hold. */
  readonly code: CouponReason;
}

/** The rules of redeeming a gift card, which needs no purchase. */
const GIFT_CARD_RULES = RULES.filter(({ ofGiftCards }) => ofGiftCards !== undefined);
/** Those of an admin, who is no client. */
const ADMIN_GIFT_CARD_RULES = GIFT_CARD_RULES.filter(({ ofGiftCards }) => ofGiftCards === "always");
/** The rules of a use that is held: all others were judged when it was first held. */
const HELD_RULES: readonly CouponConditionRule[] = [RUNNING.rule];

const TITLES = new Map<CouponRule, string>(RULES.map(({ name, title }) => [name, title]));

const FOUND_ONE: Finding = {
  rule: FOUND.name,
  code: FOUND.code,
  passed: true,
  judged: true,
  actual: "a coupon",
  required: "a coupon with this code",
};

/** The one finding about a coupon that does not exist. */
export const NOT_FOUND: Finding = { ...FOUND_ONE, passed: false, actual: null };

/** The same where an id was sent in place of a code: other coupons than promos are used by their code alone. */
export const NO_SUCH_PROMO: Finding = { ...NOT_FOUND, actual: "none", required: "a promo with this id" };

/** The finding about a coupon that was deleted, or is none. */
function notThere(coupon: Candidate | null): Finding {
  return coupon?.code === null ? NO_SUCH_PROMO : NOT_FOUND;
}

/** Findings that are worked out one by one as they are read; they can be read once. */
export type Findings = Generator<Finding, void>;

/** What a coupon gives in a situation, and whether its rules hold. */
export interface Judgement {
  readonly discount: Discount;
  /** Whether the order holds the use, so that most rules were judged before. */
  readonly isHeld: boolean;
  /** Whether it gives what was held, and so on what it was held for. */
  readonly isAsHeld: boolean;
  /** The first rule that does not hold. */
  readonly failed: Finding | undefined;
  readonly explanation: Explanation | null;
}

/**
 * Judges a use of a coupon. Without an explanation, rules are judged only up to the first that does not hold.
 *
 * @param options.alone what the coupon would give without the others of the order, where that is known.
 * @param options.isRenewal whether it is held anew: otherwise what is held is given as it was held.
 */
export function judgeUse(
  coupon: Candidate,
  situation: Situation,
  { alone, isExplained, isRenewal = false }: { alone?: Discount; isExplained: boolean; isRenewal?: boolean },
): Judgement {
  const isHeld = holdsSame(coupon, situation);
  const { discount, isAsHeld } = isHeld
    ? heldDiscountIn(coupon, situation, isRenewal)
    : { discount: discountIn(coupon, situation, alone), isAsHeld: false };
  const rules = isHeld ? HELD_RULES : RULES;
  const amountE2 = isHeld ? 0n : discount.discountE2;
  if (!isExplained) {
    const failed = firstFailedOf(coupon, rules, situation, amountE2);
    return { discount, isHeld, isAsHeld, failed, explanation: null };
  }
  const explanation = explain(findings(coupon, rules, situation, amountE2), discount);
  return { discount, isHeld, isAsHeld, failed: firstFailed(explanation.rules), explanation };
}

/** The first finding of a rule that does not hold. It makes none of the others: a use is judged by a score of rules, which mostly hold. */
function firstFailedOf(
  coupon: Candidate,
  rules: readonly CouponConditionRule[],
  situation: Situation,
  discountE2: bigint,
): Finding | undefined {
  if (coupon.deletedAt !== null) return notThere(coupon);
  for (const rule of rules)
    if (!rule.holds(coupon, situation, discountE2)) return new Failure(rule, coupon, situation, discountE2);
  return undefined;
}

/** The finding of a rule that does not hold. It is put into words when these are read: of a hundred promos few are told why. */
class Failure implements Finding {
  readonly passed = false;
  private said: Words | undefined;

  constructor(
    private readonly of: CouponConditionRule,
    private readonly coupon: Candidate,
    private readonly situation: Situation,
    private readonly discountE2: bigint,
  ) {
    if (of.readsTaken === true) this.words();
  }

  get rule(): CouponRule {
    return this.of.name;
  }

  get code(): CouponReason {
    return this.of.code;
  }

  get judged(): boolean {
    return this.words().judged ?? true;
  }

  get actual(): string | null {
    return this.words().actual;
  }

  get required(): string | null {
    return this.words().required;
  }

  private words(): Words {
    return (this.said ??= this.of.words(this.coupon, this.situation, this.discountE2));
  }
}

/** Judges every rule, in their order (contract §13.6). */
export function judge(coupon: Candidate | null, situation: Situation, discountE2: bigint): Findings {
  return findings(coupon, RULES, situation, discountE2);
}

/** Judges the rules of redeeming a gift card. */
export function judgeGiftCard(coupon: Candidate | null, situation: Situation): Findings {
  const rules = situation.client === null ? ADMIN_GIFT_CARD_RULES : GIFT_CARD_RULES;
  return findings(coupon, rules, situation, 0n);
}

/** The first finding of a rule that does not hold; no rule is judged after it. */
export function firstFailed(judged: Iterable<Finding>): Finding | undefined {
  for (const finding of judged) if (!finding.passed) return finding;
  return undefined;
}

function* findings(
  coupon: Candidate | null,
  rules: readonly CouponConditionRule[],
  situation: Situation,
  discountE2: bigint,
): Findings {
  if (coupon?.deletedAt !== null) {
    yield notThere(coupon);
    return;
  }
  yield FOUND_ONE;
  for (const rule of rules)
    yield {
      rule: rule.name,
      code: rule.code,
      judged: true,
      ...rule.words(coupon, situation, discountE2),
      passed: rule.holds(coupon, situation, discountE2),
    };
}

/**
 * What a coupon gives, at most what the other coupons of the order leave of it.
 *
 * @param alone is what it would give without them.
 */
export function discountIn(
  coupon: Candidate,
  situation: Situation,
  alone = discountAlone(coupon, situation),
): Discount {
  const leftE2 = leftFor(coupon, situation);
  const fits = leftE2 === null || alone.discountE2 <= leftE2;
  return fits ? alone : discountOf(coupon, purchaseOf(coupon, situation), leftE2);
}

/** What a coupon would give without the others of the order. */
export function discountAlone(coupon: Candidate, situation: Pick<Situation, "purchase" | "items">): Discount {
  return discountOf(coupon, purchaseOf(coupon, situation));
}

/**
 * What a coupon gives on each thing of the purchase, and what each item gets. What was held is given on the same things, also
 * where a use does not name the items of the hold.
 */
export function partsIn(
  coupon: Candidate,
  situation: Situation,
  { discount: { discountE2 }, isAsHeld }: Pick<Judgement, "discount" | "isAsHeld">,
): { readonly parts: Amounts; readonly items: readonly ItemShare[] } {
  const { id, appliesTo, config } = coupon;
  const { taken, items } = situation;
  const left = leftOf(situation, taken.withoutHoldOf(id).given);
  const hold = isAsHeld ? taken.holdOf(id) : undefined;
  if (hold === undefined) {
    const parts = partsOf(discountE2, { appliesTo, config, items, left });
    return { parts, items: sharesOf(parts, items) };
  }
  const held = { items: hold.items ?? null, deliveryE2: hold.deliveryE2 ?? null };
  const parts = storedParts({ coupon, discountE2, ...held }, situation, left);
  return { parts, items: items.length === 0 ? (held.items ?? []) : sharesOf(parts, items) };
}

/** The use that the order made of the coupon by this code. */
export function ownUse({ use, code }: Candidate): OwnUse | null {
  return use?.code === code ? use : null;
}

/** Whether the order holds just this use of the coupon. */
export function holdsSame({ hold, code }: Candidate, { clientId }: Situation): boolean {
  return hold !== null && hold.code === code && hold.clientId === clientId;
}

/** What a coupon gives to an order that holds it: what it held, also when it is held anew and the budget leaves no more. */
function heldDiscountIn(
  coupon: Candidate,
  situation: Situation,
  isRenewal: boolean,
): Pick<Judgement, "discount" | "isAsHeld"> {
  const { hold } = coupon;
  if (hold !== null && (!isRenewal || !situation.isPriced)) return { discount: asHeld(hold), isAsHeld: true };
  const discount = discountIn(coupon, situation);
  const room = roomOf(coupon);
  if (hold === null || room === null || discount.discountE2 <= room) return { discount, isAsHeld: false };
  const { amountE2, companyAmountE2 } = hold;
  const cut = (): DiscountStep => ({
    step: "max_discount",
    amountE2: amountE2 - discount.discountE2,
    detail: `at most what was held: ${formatAmount(amountE2)}`,
  });
  const cutDiscount: Discount = {
    baseE2: discount.baseE2,
    discountE2: amountE2,
    companyDiscountE2: companyAmountE2,
    steps: () => [...discount.steps(), cut()],
  };
  return { discount: cutDiscount, isAsHeld: true };
}

function asHeld({ amountE2, companyAmountE2 }: OwnHold): Discount {
  return {
    discountE2: amountE2,
    companyDiscountE2: companyAmountE2,
    baseE2: amountE2,
    steps: () =>
      amountE2 === 0n ? [] : [{ step: "flat", amountE2, detail: `${formatAmount(amountE2)} as it was held` }],
  };
}

/** Every rule with its finding, and how the discount came about; amounts are in hundredths. */
export interface Explanation {
  readonly rules: readonly Finding[];
  readonly baseE2: number;
  /** The parts of the discount, which add up to it. */
  readonly steps: readonly { readonly step: string; readonly amountE2: number; readonly detail: string }[];
}

/** Judges every rule and explains the discount. */
export function explain(judged: Iterable<Finding>, discount: Discount): Explanation {
  return {
    rules: [...judged],
    baseE2: Number(discount.baseE2),
    steps: discount
      .steps()
      .map(({ step, amountE2, detail }) => ({ step, amountE2: Number(amountE2), detail })),
  };
}

/** Why a rule does not hold, in one sentence: what was needed and what was seen. */
export function detailOf({ rule, code, required, actual }: Finding): string {
  const title = TITLES.get(rule) ?? COUPON_ERRORS[code].title;
  return actual === null ? `${title}.` : `${title}: needed ${required}, was ${actual}.`;
}

/**
 * Asserts that every rule holds. Without an explanation, rules are judged only up to the first that does not hold.
 *
 * @returns the explanation when it is asked for.
 * @throws DomainError COUPON_… with the reason of the first rule that does not hold, and with the explanation when
 *   it is asked for.
 */
export function assertAllowed(
  findings: Findings,
  discount: Discount,
  isExplained: boolean,
): Explanation | null {
  const explanation = isExplained ? explain(findings, discount) : null;
  const failed = firstFailed(explanation?.rules ?? findings);
  if (failed === undefined) return explanation;
  throw refusalOf(failed, explanation);
}

/** The refusal for a rule that does not hold. @param field names the code, where several were sent. */
export function refusalOf(
  failed: Finding,
  explanation: Explanation | null,
  field: string | null = null,
): DomainError {
  const { code, rule, required, actual } = failed;
  const message = detailOf(failed);
  return new DomainError(code, message, {
    broken: { rule, required, actual },
    ...(field !== null && { errors: [{ field, rule, message }] }),
    ...(explanation !== null && { explanation }),
  });
}

/** A coupon that runs or is finished by now, as it was at a past moment: its times, and whether it was paused, show whether it ran. */
export function asOf(coupon: Candidate, wasPaused: boolean): Candidate {
  const { status, startsAt } = coupon;
  const hasBegun = startsAt !== null && (status === "running" || status === "finished");
  return { ...coupon, status: hasBegun ? "ready" : status, wasPaused };
}
