import type { CompanyScope } from "../../core/scope/company-scope.js";

/** The parts of an order's total, in hundredths. */
export interface OrderAmounts {
  readonly subtotalE2: bigint;
  readonly deliveryE2: bigint;
}

/** Reads the amounts of an order that exists, and locks it until this transaction ends. */
export async function lockOrderAmounts(
  { db, companyId }: CompanyScope,
  id: number,
): Promise<OrderAmounts | undefined> {
  const [row] = await db.$queryRaw<OrderAmounts[]>`
    SELECT subtotal_e2 AS "subtotalE2", delivery_e2 AS "deliveryE2" FROM orders
     WHERE company_id = ${companyId} AND id = ${id} FOR NO KEY UPDATE`;
  return row;
}
