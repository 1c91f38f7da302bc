import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { sql } from "../../../core/db/sql.js";
import type { StoredUse } from "./use-coupon.sql.js";

/** A use of which something was given back; or, alone, a good of which fewer units are left than are asked for. */
export interface ReturnedUse extends StoredUse {
  readonly shortGoodId: number | null;
  readonly unitsLeft: bigint | null;
  /** What was given back, in hundredths. */
  readonly givenBackE2: bigint;
  readonly givenBackByCompanyE2: bigint;
  /** Whether the caller reaches its coupon; `null` of a good. */
  readonly isReached: boolean | null;
}

/** Gives back what all uses of an order give on units of goods, in one statement under the locks of order and coupons. */
export function returnItems(
  { companyId, at, whole, reached }: CompanyScope,
  orderId: number,
  items: readonly { readonly goodId: number; readonly quantity: number }[],
): Promise<ReturnedUse[]> {
  return whole.rows(sql`
    SELECT r.good_id AS "shortGoodId", r.units_left AS "unitsLeft", r.returned_e2 AS "givenBackE2",
           r.company_returned_e2 AS "givenBackByCompanyE2", ${reached("Coupon", "c")} AS "isReached", (r.use).company_id AS "companyId",
           (r.use).coupon_id AS "couponId", (r.use).id, c.promo_code AS "promoCode", (r.use).code,
           (r.use).client_id AS "clientId", (r.use).order_id AS "orderId", (r.use).movement_id AS "movementId", (r.use).amount_e2 AS "amountE2",
           (r.use).company_amount_e2 AS "companyAmountE2", (r.use).items, (r.use).returned_amount_e2 AS "returnedAmountE2",
           (r.use).created_at AS "createdAt", (r.use).returned_at AS "returnedAt"
      FROM return_coupon_items(${companyId}::int, ${orderId}::int, ${items.map(({ goodId }) => goodId)}::int[],
                               ${items.map(({ quantity }) => quantity)}::bigint[], ${at}::timestamptz) r
      LEFT JOIN coupons c ON c.company_id = ${companyId} AND c.id = (r.use).coupon_id`);
}
