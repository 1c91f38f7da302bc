import { invalidField } from "../../../core/errors/domain-error.js";
import { MAX_INT } from "../../../core/integers.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { couponCodes } from "../codes/coupon-codes.jobs.js";
import { assertMay, defaultCodeLength, isTooShort } from "../coupon-lifecycle.rules.js";
import type { CouponRow } from "../coupon.model.js";
import { lockCoupon } from "../coupon.service.js";

/**
 * Adds codes to a running personal coupon or gift card. The job that made the first ones makes them; each can be used as
 * soon as it is there.
 *
 * @throws DomainError NOT_FOUND; INVALID_STATE; VALIDATION_FAILED with rule `max` or `code_space`.
 */
export function addCodes(scope: CompanyScope, id: number, count: number): Promise<CouponRow> {
  return scope.transaction(async (inside) => {
    const { db, companyId, at } = inside;
    const stored = await lockCoupon(inside, id);
    assertMay("add_codes", stored, at);
    const totalCount = stored.totalCount + count;
    if (totalCount > MAX_INT)
      throw invalidField("count", "max", `must be at most ${MAX_INT - stored.totalCount}`);
    const codeLength = stored.codeLength ?? defaultCodeLength(stored.type);
    if (isTooShort(codeLength, { type: stored.type, totalCount })) {
      const message = `makes ${totalCount} codes, too many for a length of ${codeLength}`;
      throw invalidField("count", "code_space", message);
    }
    const coupon = await db.coupon.update({
      where: { companyId_id: { companyId, id } },
      data: { totalCount, codeLength },
    });
    await couponCodes.schedule(inside, id);
    return coupon;
  });
}
