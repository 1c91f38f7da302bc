import { sql } from "../../../core/db/sql.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";

/** Id of the coupon with this promo code that was deleted last; its code was given back, but its text is kept. */
export async function findDeletedByPromoCode(scope: CompanyScope, code: string): Promise<number | null> {
  const { companyId } = scope;
  const rows = await scope.rows<{ id: number }>(sql`
    SELECT id FROM coupons
     WHERE company_id = ${companyId} AND folded(promo_code) LIKE like_literal(folded(${code})) AND deleted_at IS NOT NULL
     ORDER BY deleted_at DESC, id DESC LIMIT 1`);
  return rows[0]?.id ?? null;
}
