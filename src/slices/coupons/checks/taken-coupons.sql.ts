import { sql, type Sql } from "../../../core/db/sql.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import type { NamedOrder } from "./coupon-facts.js";
import type { StoredCoupon } from "../amounts/left-of-purchase.rules.js";

type Found = StoredCoupon["coupon"] & Omit<StoredCoupon, "coupon">;

type Row = { readonly orderId: number; readonly version: string } & (Found | { readonly id: null });

/**
 * The coupons that an order has used and not given back, or holds, the oldest first.
 *
 * @returns `null` when the order was changed since it was read.
 */
export async function readTakenCoupons(
  scope: CompanyScope,
  order: NamedOrder | null,
): Promise<readonly StoredCoupon[] | null> {
  if (order === null || order.couponVersion === 0) return [];
  const rows = await scope.whole.rows<Row>(takenBy(scope, (column) => sql`${column} = ${order.id}`));
  if (rows[0]?.version !== order.version) return null;
  return rows.filter(isFound).map(storedCoupon);
}

/** The coupons that orders have used and not given back, or hold, of each the oldest first, by the ids of the orders. */
export async function readTakenOfOrders(
  scope: Pick<CompanyScope, "companyId" | "rows" | "at">,
  orders: readonly NamedOrder[],
): Promise<ReadonlyMap<number, readonly StoredCoupon[]>> {
  const taken = new Map<number, StoredCoupon[]>();
  const ids = orders.filter(({ couponVersion }) => couponVersion > 0).map(({ id }) => id);
  if (ids.length === 0) return taken;
  const rows = await scope.rows<Row>(takenBy(scope, (column) => sql`${column} = ANY (${ids}::int[])`));
  for (const row of rows.filter(isFound)) {
    const ofOrder = taken.get(row.orderId) ?? [];
    ofOrder.push(storedCoupon(row));
    taken.set(row.orderId, ofOrder);
  }
  return taken;
}

function isFound(row: Row): row is Row & Found {
  return row.id !== null;
}

function storedCoupon({ discountE2, isHeld, items, deliveryE2, ...coupon }: Row & Found): StoredCoupon {
  return { coupon, discountE2, isHeld, items, deliveryE2 };
}

function takenBy(
  { companyId, at }: Pick<CompanyScope, "companyId" | "at">,
  isOrder: (column: Sql) => Sql,
): Sql {
  return sql`
    SELECT o.id AS "orderId", o.xmin::text AS version,
           c.id, c.name, c.type, c.applies_to AS "appliesTo", c.config, c.branch_id AS "branchId", c.branch_group_id AS "branchGroupId",
           c.target_type AS "targetType",
           ARRAY(SELECT t.branch_group_id FROM coupon_branch_groups t
                  WHERE c.target_type = 'branch_group' AND t.company_id = ${companyId} AND t.coupon_id = c.id) AS "targetGroupIds",
           ARRAY(SELECT t.branch_id FROM coupon_branches t
                  WHERE c.target_type = 'branch' AND t.company_id = ${companyId} AND t.coupon_id = c.id) AS "targetBranchIds",
           u.amount_e2 AS "discountE2", u.is_held AS "isHeld", u.items, u.delivery_e2 AS "deliveryE2"
      FROM orders o
      LEFT JOIN (
        SELECT order_id, coupon_id, amount_e2, created_at, false AS is_held, items, delivery_e2 FROM coupon_redemptions
         WHERE company_id = ${companyId} AND ${isOrder(sql`order_id`)} AND returned_at IS NULL
        UNION ALL
        SELECT order_id, coupon_id, amount_e2, created_at, true, items, delivery_e2 FROM coupon_holds
         WHERE company_id = ${companyId} AND ${isOrder(sql`order_id`)} AND expires_at > ${at}::timestamptz
      ) u ON u.order_id = o.id
      LEFT JOIN coupons c ON c.company_id = ${companyId} AND c.id = u.coupon_id
     WHERE o.company_id = ${companyId} AND ${isOrder(sql`o.id`)}
     ORDER BY u.created_at, c.id`;
}
