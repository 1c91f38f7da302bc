import { formatAmount } from "../../../core/money.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import type { CheckCouponInput } from "./coupon-check.inputs.js";
import { discountOf, type Discount } from "./coupon-discount.rules.js";
import { assertAllowed, type Explanation } from "./coupon-explanation.js";
import { judge, roomOf } from "./coupon-reason.rules.js";
import { leftFor } from "./coupon-combination.rules.js";
import {
  assertFitsOrder,
  assertNamedExist,
  assertNotCanceled,
  namedBy,
  situationOf,
} from "./coupon-situation.js";
import type { Candidate, OwnUse, Situation } from "./coupon-facts.js";
import { readCandidates } from "./coupon-facts.sql.js";
import { readWithTaken } from "./taken-coupons.sql.js";

/** A coupon that applies to a purchase, and what it gives. */
export interface AppliedCoupon {
  readonly coupon: Candidate;
  readonly discountE2: bigint;
  readonly companyDiscountE2: bigint;
  readonly explanation: Explanation | null;
}

/**
 * Judges whether a code applies to a purchase, and what it gives; nothing is used or held.
 *
 * @param branchId the branch where it is bought; `null` checks for the whole company.
 * @throws DomainError NOT_FOUND for the branch, FORBIDDEN, VALIDATION_FAILED; COUPON_… with the first rule that does
 *   not hold (contract §13.6).
 */
export async function checkCoupon(
  scope: CompanyScope,
  input: CheckCouponInput,
  branchId: number | null = null,
): Promise<AppliedCoupon> {
  const named = namedBy(scope, input, { branchId, orderId: input.orderId ?? null });
  const { rows, candidates, taken } = await readWithTaken(scope, () =>
    readCandidates(scope, { by: "code", code: input.couponCode }, named),
  );
  assertNamedExist(scope, input, { named, rows });
  assertFitsOrder({ ...input, branchId }, rows.order);
  assertNotCanceled(rows.order);
  const situation = situationOf(scope, input, { rows, taken });
  const [coupon = null] = candidates;
  const use = coupon === null ? null : ownUse(coupon);
  if (coupon !== null && use !== null) {
    const { amountE2: discountE2, companyAmountE2: companyDiscountE2 } = use;
    return { coupon: shownTo(scope, coupon), discountE2, companyDiscountE2, explanation: null };
  }
  const discount = coupon === null ? NO_DISCOUNT : discountIn(coupon, situation);
  const { discountE2, companyDiscountE2 } = discount;
  const findings = judge(coupon, situation, discountE2);
  const explanation = assertAllowed(findings, discount, input.explain === true);
  return { coupon: shownTo(scope, coupon as Candidate), discountE2, companyDiscountE2, explanation };
}

/**
 * What a coupon gives, at most what the other coupons of the order leave of it.
 *
 * @param alone is what it would give without them.
 */
export function discountIn(
  coupon: Candidate,
  situation: Situation,
  alone = discountOf(coupon, situation.purchase),
): Discount {
  const leftE2 = leftFor(coupon, situation);
  const fits = leftE2 === null || alone.discountE2 <= leftE2;
  return fits ? alone : discountOf(coupon, situation.purchase, leftE2);
}

/** The use that the order made of the coupon by this code. */
export function ownUse({ use, code }: Candidate): OwnUse | null {
  return use?.code === code ? use : null;
}

/** What a coupon gives to an order that holds it: what it held, where the budget leaves no more. */
export function heldDiscountIn(coupon: Candidate, situation: Situation): Discount {
  const discount = discountIn(coupon, situation);
  const { hold } = coupon;
  const room = roomOf(coupon);
  if (hold === null || room === null || discount.discountE2 <= room) return discount;
  const { amountE2, companyAmountE2 } = hold;
  const detail = `at most what was held: ${formatAmount(amountE2)}`;
  const cut = { step: "max_discount", amountE2: amountE2 - discount.discountE2, detail } as const;
  return {
    ...discount,
    discountE2: amountE2,
    companyDiscountE2: companyAmountE2,
    steps: [...discount.steps, cut],
  };
}

/** The discount of a coupon that gives nothing, or that does not exist. */
export const NO_DISCOUNT: Discount = { discountE2: 0n, companyDiscountE2: 0n, baseE2: 0n, steps: [] };

/**
 * The coupon as the caller may see it: a client is not told who else is on its whitelist. The candidate itself is
 * changed, since it was read for this request alone: a copy of so many keys takes as long as all the rules.
 */
export function shownTo({ caller }: CompanyScope, coupon: Candidate): Candidate {
  if (caller.kind !== "client") return coupon;
  return Object.assign(coupon, { whitelist: coupon.whitelist.filter((id) => id === caller.id) });
}
