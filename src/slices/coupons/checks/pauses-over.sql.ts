import { sql } from "../../../core/db/sql.js";
import type { WholeCompany } from "../../../core/scope/company-scope.js";

/**
 * Finds those of some coupons that were paused at a past moment and are not any more; one that is paused by now says so itself. A
 * pause that ends changes the coupon, so a use that was judged before that is judged anew.
 */
export async function pausedThen(
  { companyId, rows }: Pick<WholeCompany, "companyId" | "rows">,
  couponIds: readonly number[],
  at: Date,
): Promise<ReadonlySet<number>> {
  if (couponIds.length === 0) return new Set();
  const found = await rows<{ id: number }>(sql`
    SELECT DISTINCT coupon_id AS id FROM coupon_pauses
     WHERE company_id = ${companyId} AND coupon_id = ANY (${[...couponIds]}::int[])
       AND began_at <= ${at}::timestamptz AND ended_at > ${at}::timestamptz`);
  return new Set(found.map(({ id }) => id));
}
