import { judgeCode } from "../codes/code-guesses.js";
import { DomainError, invalidState, notFound } from "../../../core/errors/domain-error.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { assertWritten } from "../../../core/scope/row-reach.sql.js";
import type { Row } from "../../../core/db/db.js";
import { storedCode } from "../codes/stored-code.js";
import { hasManyCodes } from "../coupon-actions.rules.js";
import { lockCoupon } from "../coupon.service.js";
import { markVoided, removeExpiredHolds } from "./coupon-void.sql.js";
import type { VoidedCouponCode } from "./voided-code.model.js";

type CouponCode = Row<"CouponCode">;

/**
 * Voids an unused code. Uses wait meanwhile, so a code is either used or voided. A code that is voided already stays so.
 *
 * @throws DomainError NOT_FOUND; FORBIDDEN for a coupon of the whole company; INVALID_STATE for a code that is used or held,
 *   also by an order beyond the shops of the caller, and for a promo code.
 */
export function voidCode(scope: CompanyScope, couponId: number, text: string): Promise<CouponCode> {
  return scope.transaction(async (inside) => {
    const { db, companyId, whole } = inside;
    const coupon = await lockCoupon(inside, couponId);
    await assertWritten(inside, "Coupon", couponId);
    const code = storedCode(text);
    const where = { companyId, couponId, code: code ?? "" };
    const stored = code === null ? null : await db.couponCode.findFirst({ where });
    await judgeCode(inside, stored !== null);
    if (stored === null) throw notFound("CouponCode");
    if (!hasManyCodes(coupon.type))
      throw new DomainError("INVALID_STATE", "A promo code cannot be voided: pause or finish its coupon.");
    if (stored.voidedAt !== null) return stored;
    if (stored.usedAt !== null) throw invalidState("The code is used.", "used", []);
    await removeExpiredHolds(inside, couponId);
    if ((await whole.db.couponHold.count({ where })) > 0) throw invalidState("The code is held.", "held", []);
    return markVoided(inside, stored);
  });
}

/** Voids codes one by one, each as `voidCode` does; one that is refused stops no other. */
export async function voidCodes(
  scope: CompanyScope,
  couponId: number,
  codes: readonly string[],
): Promise<readonly VoidedCouponCode[]> {
  const results: VoidedCouponCode[] = [];
  for (const code of codes) {
    try {
      const couponCode = (await voidCode(scope, couponId, code)) as unknown as VoidedCouponCode["couponCode"];
      results.push({ code, ok: true, couponCode, error: null });
    } catch (error) {
      if (!(error instanceof DomainError) || error.code === "RATE_LIMITED") throw error;
      results.push({ code, ok: false, couponCode: null, error: refusalOf(error) });
    }
  }
  return results;
}

function refusalOf({ code, message, state }: DomainError): VoidedCouponCode["error"] {
  return {
    code,
    message,
    field: null,
    key: null,
    state: state?.state ?? null,
    allowedActions: state?.allowedActions ?? null,
  };
}
