import type { CompanyScope } from "../../core/scope/company-scope.js";

/** The parts of an order's total, in hundredths. */
export interface OrderAmounts {
  readonly subtotalE2: bigint;
  readonly deliveryE2: bigint;
  readonly totalE2: bigint;
}

/** Reads the amounts of an order that exists, and locks it until this transaction ends. */
export async function lockOrderAmounts(
  { db, companyId }: CompanyScope,
  id: number,
): Promise<OrderAmounts | undefined> {
  const [row] = await db.$queryRaw<OrderAmounts[]>`
    SELECT subtotal_e2 AS "subtotalE2", delivery_e2 AS "deliveryE2", total_e2 AS "totalE2" FROM orders
     WHERE company_id = ${companyId} AND id = ${id} FOR NO KEY UPDATE`;
  return row;
}

/** What the uses and holds that an order has of coupons give together, in hundredths; call it under the order's lock. */
export async function discountsOfOrder({ db, companyId, at }: CompanyScope, id: number): Promise<bigint> {
  const [row] = await db.$queryRaw<{ given: bigint }[]>`
    SELECT (coalesce((SELECT sum(amount_e2) FROM coupon_redemptions
                       WHERE company_id = ${companyId} AND order_id = ${id} AND returned_at IS NULL), 0)
          + coalesce((SELECT sum(amount_e2) FROM coupon_holds
                       WHERE company_id = ${companyId} AND order_id = ${id} AND expires_at > ${at}), 0))::bigint AS given`;
  return row?.given ?? 0n;
}
