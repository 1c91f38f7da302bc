import type { Connection } from "../../../core/lists/connection.js";
import type { ListArguments } from "../../../core/lists/list-definition.js";
import { listPage } from "../../../core/lists/list-page.js";
import { RowsOf } from "../../../core/lists/rows-of.js";
import { batched } from "../../../core/relations/batched.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { couponUseList } from "./coupon-use-list.model.js";
import type { CouponRedemption, CouponUseRow } from "./coupon-use.model.js";
import { shownCode } from "../codes/stored-code.js";

/** A page of the uses of all coupons; of deleted coupons only when they are asked for. */
export function listCouponUses(
  scope: CompanyScope,
  args: ListArguments,
): Promise<Connection<CouponRedemption>> {
  const { db, companyId } = scope;
  const notDeleted = { couponId: { in: new RowsOf("Coupon", "id", { companyId, deletedAt: null }) } };
  const where = { companyId, ...(args.withDeleted !== true && notDeleted) };
  const select = scope.selected("CouponRedemption");
  return listPage(couponUseList, { delegate: db.couponRedemption, where, select }, args);
}

/** The code of a use as it is shown. The promo code is only read where the row does not bring it. */
export function codeOfUse(scope: CompanyScope, use: CouponUseRow): string | null | Promise<string | null> {
  if (use.code === null) return null;
  if (use.promoCode !== undefined) return shownCode({ promoCode: use.promoCode }, use.code);
  return findPromoCode(scope, use.couponId).then((promoCode) => shownCode({ promoCode }, use.code));
}

const findPromoCode = batched(async ({ db, companyId }, ids) => {
  const rows = await db.coupon.findMany({
    where: { companyId, id: { in: [...ids] } },
    select: { id: true, promoCode: true },
  });
  return new Map(rows.flatMap(({ id, promoCode }) => (promoCode === null ? [] : [[id, promoCode]])));
});
