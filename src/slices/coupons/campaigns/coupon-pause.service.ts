import type { CompanyScope } from "../../../core/scope/company-scope.js";
import type { CouponAction } from "../coupon-actions.rules.js";
import { assertMay } from "../coupon-lifecycle.rules.js";
import type { CouponRow } from "../coupon.model.js";
import { lockCoupon } from "../coupon.service.js";

/**
 * Pauses a coupon: from now on nothing of it can be used, and its status stays as it is.
 *
 * @throws DomainError NOT_FOUND; INVALID_STATE unless it runs and is not paused.
 */
export function pauseCoupon(scope: CompanyScope, id: number): Promise<CouponRow> {
  return setPausedAt(scope, id, "pause", scope.at);
}

/**
 * Lets a paused coupon be used again.
 *
 * @throws DomainError NOT_FOUND; INVALID_STATE unless it runs and is paused.
 */
export function resumeCoupon(scope: CompanyScope, id: number): Promise<CouponRow> {
  return setPausedAt(scope, id, "resume", null);
}

function setPausedAt(
  scope: CompanyScope,
  id: number,
  action: CouponAction,
  pausedAt: Date | null,
): Promise<CouponRow> {
  return scope.transaction(async (inside) => {
    const { db, companyId, at } = inside;
    assertMay(action, await lockCoupon(inside, id), at);
    return db.coupon.update({ where: { companyId_id: { companyId, id } }, data: { pausedAt } });
  });
}
