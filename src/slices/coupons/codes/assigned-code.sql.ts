import type { CompanyScope } from "../../../core/scope/company-scope.js";

/**
 * Assigns the first code of a coupon that is neither used, voided, held by whichever order nor assigned to a client. The caller must
 * have locked the coupon, and write it.
 *
 * @returns the id of the code; `null` when none is free.
 */
export async function assignNextCode(
  { whole, companyId, at }: CompanyScope,
  couponId: number,
  clientId: number,
): Promise<bigint | null> {
  const [code] = await whole.db.$queryRaw<{ id: bigint }[]>`
    UPDATE coupon_codes SET client_id = ${clientId}::int
     WHERE company_id = ${companyId} AND coupon_id = ${couponId} AND id = (
       SELECT k.id FROM coupon_codes k
        WHERE k.company_id = ${companyId} AND k.coupon_id = ${couponId} AND k.client_id IS NULL AND k.used_at IS NULL
          AND k.voided_at IS NULL AND NOT EXISTS (
            SELECT FROM coupon_holds h
             WHERE h.company_id = ${companyId} AND h.code = k.code AND h.coupon_id = k.coupon_id
               AND h.expires_at > ${at}::timestamptz)
        ORDER BY k.id LIMIT 1)
    RETURNING id`;
  return code?.id ?? null;
}
