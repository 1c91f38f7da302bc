import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { NO_DISCOUNT } from "../amounts/coupon-discount.rules.js";
import type { CheckCouponInput } from "./coupon-check.inputs.js";
import { assertAllowed, discountIn, judge, ownUse, type Explanation } from "./coupon-judgement.rules.js";
import {
  assertFitsOrder,
  assertNamedExist,
  assertNotCanceled,
  namedBy,
  situationOf,
} from "./coupon-situation.js";
import type { Candidate } from "./coupon-facts.js";
import { readFacts } from "./coupon-facts.sql.js";

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
  const wanted = { by: "code", code: input.couponCode } as const;
  const { rows, candidates, taken } = await readFacts(scope, wanted, named);
  assertNamedExist(scope, input, { named, rows });
  assertFitsOrder({ ...input, branchId }, rows);
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
 * The coupon as the caller may see it: a client does not learn who else is on its whitelist. The candidate itself is
 * changed, since it was read for this request alone: a copy of so many keys takes as long as all the rules.
 */
export function shownTo({ caller }: CompanyScope, coupon: Candidate): Candidate {
  if (caller.kind !== "client") return coupon;
  return Object.assign(coupon, { whitelist: coupon.whitelist.filter((id) => id === caller.id) });
}
