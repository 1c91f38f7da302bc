import { DomainError, notFound } from "../../../core/errors/domain-error.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { assertWritten } from "../../../core/scope/row-reach.sql.js";
import type { Row } from "../../../core/db/db.js";
import { hasManyCodes } from "../coupon-actions.rules.js";
import { COUPON_ERRORS } from "../coupon.errors.js";
import { lockCoupon } from "../coupon.service.js";
import { assignNextCode } from "./assigned-code.sql.js";

type CouponCode = Row<"CouponCode">;

/**
 * Gives a client the next free code of a coupon, the same one each time until that is voided. Whoever assigns codes of the
 * coupon or uses one waits meanwhile, so no code has two clients.
 *
 * @throws DomainError NOT_FOUND, for the client too; FORBIDDEN for a coupon of the whole company; INVALID_STATE for a coupon
 *   without many codes; COUPON_EXHAUSTED when no code is free.
 */
export function assignCode(scope: CompanyScope, couponId: number, clientId: number): Promise<CouponCode> {
  return scope.transaction(async (inside) => {
    const { db, companyId } = inside;
    const coupon = await lockCoupon(inside, couponId);
    if (!hasManyCodes(coupon.type))
      throw new DomainError("INVALID_STATE", `A coupon of type ${coupon.type} has no codes for one use.`);
    if ((await db.client.count({ where: { companyId, id: clientId, deletedAt: null } })) === 0)
      throw notFound("Client");
    const own = await db.couponCode.findFirst({
      where: { companyId, couponId, clientId, voidedAt: null },
      orderBy: { id: "asc" },
    });
    if (own !== null) return own;
    await assertWritten(inside, "Coupon", couponId);
    const id = await assignNextCode(inside, couponId, clientId);
    if (id === null)
      throw new DomainError("COUPON_EXHAUSTED", `${COUPON_ERRORS.COUPON_EXHAUSTED.title}: no code is free.`);
    return db.couponCode.findFirstOrThrow({ where: { companyId, couponId, id } });
  });
}
