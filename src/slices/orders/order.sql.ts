import type { OrderPrices } from "./order-price.rules.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";

/** What the uses of coupons go by: of an order. */
export interface PurchaseOfOrder extends OrderPrices {
  readonly clientId: number | null;
  readonly branchId: number | null;
  readonly source: string | null;
}

/** Reads an order that exists, and locks it until this transaction ends. */
export async function lockOrder(
  { db, companyId }: Pick<CompanyScope, "db" | "companyId">,
  id: number,
): Promise<PurchaseOfOrder | undefined> {
  const [row] = await db.$queryRaw<PurchaseOfOrder[]>`
    SELECT subtotal_e2 AS "subtotalE2", delivery_e2 AS "deliveryE2", total_e2 AS "totalE2", client_id AS "clientId",
           branch_id AS "branchId", source FROM orders
     WHERE company_id = ${companyId} AND id = ${id} FOR NO KEY UPDATE`;
  return row;
}

/** Keeps a client from being erased until the transaction ends. @returns whether it is not erased. */
export async function keepClient(
  { whole, companyId }: Pick<CompanyScope, "whole" | "companyId">,
  id: number,
): Promise<boolean> {
  const kept = await whole.db.$queryRaw<object[]>`
    SELECT FROM clients WHERE company_id = ${companyId} AND id = ${id} AND erased_at IS NULL FOR SHARE`;
  return kept.length > 0;
}

/**
 * What the uses and holds that an order has of coupons give together, in hundredths; `null` when it has none. Call it under
 * the order's lock. All coupons count, whichever of them the caller reaches.
 */
export async function discountsOfOrder(
  { whole, companyId, at }: Pick<CompanyScope, "whole" | "companyId" | "at">,
  id: number,
): Promise<bigint | null> {
  const [row] = await whole.db.$queryRaw<{ given: bigint | null }[]>`
    SELECT sum(amount_e2)::bigint AS given FROM (
      SELECT amount_e2 FROM coupon_redemptions
       WHERE company_id = ${companyId} AND order_id = ${id} AND returned_at IS NULL
      UNION ALL
      SELECT amount_e2 FROM coupon_holds
       WHERE company_id = ${companyId} AND order_id = ${id} AND expires_at > ${at}
    ) taken`;
  return row?.given ?? null;
}

/**
 * Gives back what the uses and holds of an order give beyond its lines and its delivery, in one statement under the order's
 * lock, of all coupons.
 */
export async function fitCouponsToOrder(
  { whole, companyId, at }: Pick<CompanyScope, "whole" | "companyId" | "at">,
  id: number,
): Promise<void> {
  await whole.db.$queryRaw`
    SELECT fit_coupons_to_order(${companyId}::int, ${id}::int, ${at}::timestamptz)::text`;
}
