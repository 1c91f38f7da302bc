import type { Candidate } from "./coupon-facts.js";

interface Promo {
  readonly coupon: Candidate;
  readonly discountE2: bigint;
}

/**
 * The promos that go together, best first: the largest discount, then the oldest. In a collision slot only the best
 * applies; a promo that avoids others for the same targets gives way to a better one.
 */
export function combine<P extends Promo>(promos: readonly P[]): P[] {
  const ordered = [...promos].sort(byDiscount);
  const slots = new Set<number>();
  const targets = new Set<string>();
  return ordered.filter(({ coupon }) => {
    const { collisionSlot, avoidSameTargetPromos } = coupon.config;
    const target = targetsOf(coupon);
    if (avoidSameTargetPromos === true && targets.has(target)) return false;
    if (collisionSlot != null && slots.has(collisionSlot)) return false;
    if (collisionSlot != null) slots.add(collisionSlot);
    targets.add(target);
    return true;
  });
}

/** Whether a promo may be used along with a coupon. */
export function goesWith(promo: Candidate, coupon: Candidate): boolean {
  const { collisionSlot, avoidSameTargetPromos, usableInPromos } = coupon.config;
  if (usableInPromos === false) return false;
  if (collisionSlot != null && promo.config.collisionSlot === collisionSlot) return false;
  return avoidSameTargetPromos !== true || targetsOf(promo) !== targetsOf(coupon);
}

function byDiscount(a: Promo, b: Promo): number {
  if (a.discountE2 !== b.discountE2) return a.discountE2 > b.discountE2 ? -1 : 1;
  return a.coupon.id - b.coupon.id;
}

/** A text that names the targets of a coupon: coupons with the same targets have the same text. */
function targetsOf({
  targetType,
  branchId,
  branchGroupId,
  targetGroupIds,
  targetBranchIds,
}: Candidate): string {
  const ids = [...targetGroupIds, ...targetBranchIds].sort((a, b) => a - b);
  return JSON.stringify([targetType, branchId, branchGroupId, ids]);
}
