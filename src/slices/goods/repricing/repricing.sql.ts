import { lockByName } from "../../../core/db/lock-by-name.js";
import type { CompanyScope, Db } from "../../../core/scope/company-scope.js";

/** Lets one call at a time ask for a change of the company's prices, until the transaction ends. */
export function lockRepricings(scope: Pick<CompanyScope, "db" | "companyId">): Promise<void> {
  return lockByName(scope, `repricings of ${scope.companyId}`);
}

/** Writes the prices of goods, in hundredths. */
export async function writePrices(
  db: Db,
  companyId: number,
  prices: readonly { readonly id: number; readonly priceE2: bigint }[],
): Promise<void> {
  if (prices.length === 0) return;
  await db.$executeRaw`
    UPDATE goods AS g SET price_e2 = n.price_e2, updated_at = now()
      FROM unnest(${prices.map(({ id }) => id)}::int[], ${prices.map(({ priceE2 }) => priceE2)}::bigint[]) AS n (id, price_e2)
     WHERE g.company_id = ${companyId} AND g.id = n.id`;
}
