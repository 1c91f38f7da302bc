import type { Db } from "../../../core/db/db.js";
import type { AttemptAction } from "./coupon-attempt.model.js";

/** A refused attempt, as far as its sender described it; the database adds what code and order have. */
export interface RefusedAttempt {
  readonly companyId: number;
  readonly action: AttemptAction;
  /** The code in capitals. */
  readonly code: string | null;
  readonly couponId: number | null;
  readonly clientId: number | null;
  readonly orderId: number | null;
  readonly branchId: number | null;
  readonly reason: string;
  readonly detail: string;
  readonly at: Date;
}

/** Keeps a refused attempt. Coupons, clients and branches that do not exist are left out. */
export async function insertAttempt(client: Pick<Db, "$executeRaw">, attempt: RefusedAttempt): Promise<void> {
  const { companyId, action, code, couponId, clientId, orderId, branchId, reason, detail, at } = attempt;
  await client.$executeRaw`
    INSERT INTO coupon_attempts
      (company_id, action, coupon_id, code, client_id, order_id, branch_id, reason, detail, created_at)
    SELECT a.company_id, ${action}, c.id, a.code, p.id, a.order_id, b.id, ${reason}, ${detail}, ${at}::timestamptz
      FROM (VALUES (${companyId}::int, ${couponId}::int, ${code}::text, ${orderId}::int))
           AS a (company_id, coupon_id, code, order_id)
      LEFT JOIN coupon_codes k ON k.company_id = ${companyId} AND k.code = a.code
      LEFT JOIN coupons c ON c.company_id = ${companyId} AND c.id = coalesce(k.coupon_id, a.coupon_id)
      LEFT JOIN orders o ON o.company_id = ${companyId} AND o.id = a.order_id
      LEFT JOIN clients p ON p.company_id = ${companyId} AND p.id = coalesce(${clientId}::int, o.client_id)
      LEFT JOIN branches b ON b.company_id = ${companyId} AND b.id = coalesce(${branchId}::int, o.branch_id)`;
}
