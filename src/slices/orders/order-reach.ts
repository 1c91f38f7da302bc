import { sql } from "../../core/db/sql.js";
import { notFound, onlyRead } from "../../core/errors/domain-error.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";

/**
 * Asserts that an order is not beyond the shops that a caller is bound to, before what goes by all of the company. It reads nothing for
 * who is bound to none: there is no order that such a caller does not reach.
 *
 * @throws DomainError NOT_FOUND.
 */
export async function assertOrderReached(scope: CompanyScope, orderId: number): Promise<void> {
  if (scope.isBound) await isWritten(scope, orderId);
}

/**
 * Asserts the same, and that the caller writes the order.
 *
 * @throws DomainError NOT_FOUND; FORBIDDEN for an order of the whole company.
 */
export async function assertOrderWritten(scope: CompanyScope, orderId: number): Promise<void> {
  if (scope.isBound && !(await isWritten(scope, orderId))) throw onlyRead();
}

async function isWritten(
  { whole, companyId, reached, written }: CompanyScope,
  orderId: number,
): Promise<boolean> {
  const [order] = await whole.rows<{ isWritten: boolean | null }>(sql`
    SELECT ${written("Order", "o")} AS "isWritten"
      FROM orders o WHERE o.company_id = ${companyId} AND o.id = ${orderId} AND ${reached("Order", "o")}`);
  if (order === undefined) throw notFound("Order");
  return order.isWritten === true;
}
