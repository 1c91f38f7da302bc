import type { CompanyScope } from "../../../core/scope/company-scope.js";
import type { Row } from "../../../core/db/db.js";

type CouponCode = Row<"CouponCode">;

/** Removes the holds that have expired, of whichever orders: they count as long as they are there. */
export async function removeExpiredHolds(
  { whole, companyId, at }: CompanyScope,
  couponId: number,
): Promise<void> {
  await whole.db
    .$executeRaw`SELECT purge_coupon_holds(${companyId}::int, ${couponId}::int, ${at}::timestamptz)`;
}

/**
 * Voids a code and counts that. The caller must have locked the coupon. As a use, it is no change of the coupon. The moment is that of the
 * database behind the locks: a closing of the books has waited for all that is dated before it.
 */
export async function markVoided(
  { db, companyId }: CompanyScope,
  { couponId, id }: CouponCode,
): Promise<CouponCode> {
  const [counted] = await db.$queryRaw<[{ voidedAt: Date }]>`
    UPDATE coupons SET voided_count = voided_count + 1 WHERE company_id = ${companyId} AND id = ${couponId}
    RETURNING date_trunc('milliseconds', clock_timestamp()) AS "voidedAt"`;
  return db.couponCode.update({
    where: { companyId_couponId_id: { companyId, couponId, id } },
    data: { voidedAt: counted.voidedAt },
  });
}
