import { sql } from "../../../core/db/sql.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import type { CouponConfig } from "../coupon-config.model.js";

/** A coupon that an order has, with what its smallest purchase goes by. */
export interface KeptCoupon {
  readonly orderId: number;
  readonly couponId: number;
  readonly minPurchaseE2: bigint;
  readonly config: CouponConfig;
  readonly subtotalE2: bigint;
  readonly deliveryE2: bigint;
  readonly totalE2: bigint;
}

/** The coupons that orders have used or hold, all in one statement; a canceled order has none. */
export function readKeptCoupons(
  { companyId, rows, at }: CompanyScope,
  orderIds: readonly number[],
): Promise<KeptCoupon[]> {
  return rows(sql`
    SELECT o.id AS "orderId", c.id AS "couponId", c.min_purchase_e2 AS "minPurchaseE2", c.config,
           o.subtotal_e2 AS "subtotalE2", o.delivery_e2 AS "deliveryE2", o.total_e2 AS "totalE2"
      FROM orders o
      JOIN LATERAL (
        SELECT coupon_id FROM coupon_redemptions
         WHERE company_id = ${companyId} AND order_id = o.id AND returned_at IS NULL
        UNION
        SELECT coupon_id FROM coupon_holds
         WHERE company_id = ${companyId} AND order_id = o.id AND expires_at > ${at}::timestamptz
      ) u ON true
      JOIN coupons c ON c.company_id = ${companyId} AND c.id = u.coupon_id
     WHERE o.company_id = ${companyId} AND o.id = ANY (${[...orderIds]}::int[]) AND o.coupon_version > 0
     ORDER BY o.id, c.id`);
}
