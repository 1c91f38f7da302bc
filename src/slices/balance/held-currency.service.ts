import { invalidField } from "../../core/errors/domain-error.js";
import { normalizeText } from "../../core/inputs/text.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import type { HolderType } from "./balance.model.js";

/** Holders by type and keys: of all types, and with all keys, when absent. */
interface HolderCondition {
  readonly type?: HolderType;
  readonly key?: number | { readonly gte: number; readonly lte: number };
}

/** A currency as holders have it. */
const CURRENCY = /^[A-Z]{3,8}$/u;

/**
 * The currency that is meant by a text: its letters become capitals. An earlier release kept small letters, digits and signs, so a
 * holder that has movements in such a currency is found by it as it is written: what it has can be read and settled.
 *
 * @throws DomainError VALIDATION_FAILED for what is no currency, and none of the holder either.
 */
export async function heldCurrency(
  { db, companyId, company }: CompanyScope,
  holder: HolderCondition,
  sent: string | null | undefined,
): Promise<string> {
  if (sent == null) return company.currencyIso;
  if (CURRENCY.test(sent)) return sent;
  const where = { companyId, ...holder, currencyIso: sent, movementCount: { gt: 0 } };
  if ((await db.balanceHolder.findFirst({ where, select: { key: true } })) !== null) return sent;
  const currency = normalizeText(sent, "currency");
  if (!CURRENCY.test(currency)) throw invalidField("currencyIso", "pattern", "must be letters alone");
  return currency;
}
