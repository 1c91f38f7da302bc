import { DomainError } from "../../core/errors/domain-error.js";
import { formatAmount } from "../../core/money.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { sql } from "../../core/db/sql.js";
import type { HolderType } from "./balance.model.js";

/**
 * Asserts that a holder whose row is locked has no balance, and keeps it so until the transaction ends.
 *
 * @throws DomainError INVALID_STATE, which names each currency with the balance in it.
 */
export async function assertSettled(scope: CompanyScope, type: HolderType, key: number): Promise<void> {
  const rows = await scope.whole.rows<{ currencyIso: string; balanceE2: bigint }>(sql`
    SELECT currency_iso AS "currencyIso", balance_e2 AS "balanceE2"
      FROM unsettled_balances(${scope.companyId}::int, ${type}, ${key}::int)`);
  if (rows.length === 0) return;
  const balances = rows.map(({ currencyIso, balanceE2 }) => `${currencyIso} ${formatAmount(balanceE2)}`);
  throw new DomainError("INVALID_STATE", `It has a balance of ${balances.join(" and ")}: settle that first.`);
}

/** Refuses the removal of rows that hold a balance, for `resourceService`. */
export const refuseUnsettled =
  (type: HolderType) =>
  (scope: CompanyScope, id: number): Promise<void> =>
    assertSettled(scope, type, id);
