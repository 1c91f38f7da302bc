import { MOMENT_BEHIND_LOCKS } from "../../core/db/moment.js";
import { sql } from "../../core/db/sql.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";

/**
 * Makes changes and uses of the coupon wait for each other until the transaction ends.
 *
 * @returns whether the coupon exists; a deleted one does.
 */
export async function lockAnyCoupon({ db, companyId }: CompanyScope, couponId: number): Promise<boolean> {
  const rows = await db.$queryRaw<object[]>`
    SELECT id FROM coupons WHERE company_id = ${companyId} AND id = ${couponId} FOR NO KEY UPDATE`;
  return rows.length > 0;
}

/**
 * Takes a promo code for a coupon. It waits for a transaction that takes the same code at the same time.
 *
 * @returns whether it was free.
 */
export async function claimPromoCode(
  { db, companyId }: CompanyScope,
  couponId: number,
  promoCode: string,
): Promise<boolean> {
  const added = await db.$executeRaw`
    INSERT INTO coupon_codes (company_id, coupon_id, code)
    VALUES (${companyId}::int, ${couponId}::int, ${promoCode.toUpperCase()})
    ON CONFLICT (company_id, code) DO NOTHING`;
  return added === 1;
}

/** Returns the moment of the coupon's last use, `null` when it has none. The caller must have locked the coupon. */
export async function lastUseOf({ db, companyId }: CompanyScope, couponId: number): Promise<Date | null> {
  const [row] = await db.$queryRaw<{ last: Date | null }[]>`
    SELECT max(created_at) AS last FROM coupon_redemptions
     WHERE company_id = ${companyId} AND coupon_id = ${couponId}`;
  return row?.last ?? null;
}

/** Returns the moment by the clock of the database; what it dates must lie behind the locks of the transaction, for closings of the books. */
export async function momentBehindLocks({ db }: CompanyScope): Promise<Date> {
  const [moment] = await db.$queryRaw<{ now: Date }[]>(sql`SELECT now FROM ${MOMENT_BEHIND_LOCKS}`);
  return (moment as { now: Date }).now;
}
