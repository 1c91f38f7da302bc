import { type FieldError, validationFailed } from "../../core/errors/domain-error.js";
import { formatAmount } from "../../core/money.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { undone } from "../../core/scope/undone.js";
import { PRICES, subtotalOf, type SentPrices, tooLarge } from "./order-price.rules.js";
import { discountsOfOrder, fitCouponsToOrder, lockOrder, type PurchaseOfOrder } from "./order.sql.js";

/** What uses of coupons were judged by. */
export const JUDGED = ["clientId", "branchId", "source"] as const;

/** What an input says of the purchase. */
export type SentPurchase = SentPrices &
  Partial<Pick<PurchaseOfOrder, (typeof JUDGED)[number]>> & {
    readonly status?: string;
    readonly items?: unknown;
  };

/**
 * Finds what the coupons of an order do not allow to change: its client, branch and source, by which they were judged. An order
 * that is canceled gives them back.
 */
export async function judgedErrors(
  scope: CompanyScope,
  id: number,
  { sent, stored }: { sent: SentPurchase; stored: PurchaseOfOrder },
): Promise<FieldError[]> {
  const changed = JUDGED.filter((field) => sent[field] !== undefined && sent[field] !== stored[field]);
  if (sent.status === "canceled" || changed.length === 0) return [];
  if ((await discountsOfOrder(scope, id)) === null) return [];
  const message = "stays while the order has coupons; return them first";
  return changed.map((field) => ({ field, rule: "coupons", message }));
}

/**
 * Gives back what the coupons of an order give beyond its lines and its delivery, which may cost less by now. It stays as
 * large as what they give together.
 *
 * @param cost names what was changed of its costs.
 * @throws DomainError VALIDATION_FAILED with rule `coupons`.
 */
export async function fitCoupons(scope: CompanyScope, id: number, cost: string): Promise<void> {
  const errors = await fittedErrors(scope, id, cost);
  if (errors.length > 0) throw validationFailed(errors);
}

async function fittedErrors(
  scope: Pick<CompanyScope, "db" | "whole" | "companyId" | "at">,
  id: number,
  cost: string,
): Promise<FieldError[]> {
  const prices = await lockOrder(scope, id);
  await fitCouponsToOrder(scope, id);
  const givenE2 = await discountsOfOrder(scope, id);
  if (prices === undefined || givenE2 === null || givenE2 <= subtotalOf(prices) + prices.deliveryE2)
    return [];
  const message = `makes the order smaller than its coupons' ${formatAmount(givenE2)}`;
  return [{ field: cost, rule: "coupons", message }];
}

/**
 * Finds all that is wrong with the purchase that a change makes of an order, before it is made. Prices are tried out, since what
 * the coupons then give depends on all of them; those beside other items are judged with these, when the change is made.
 */
export async function purchaseErrors(
  scope: CompanyScope,
  id: number,
  sent: SentPurchase,
): Promise<readonly FieldError[]> {
  const { db, companyId } = scope;
  const stored = await db.order.findFirst({ where: { companyId, id } });
  if (stored === null) return [];
  const judged = await judgedErrors(scope, id, { sent, stored });
  const large = tooLarge(sent, stored);
  const cost = PRICES.find((field) => sent[field] !== undefined);
  if (large.length > 0 || cost === undefined || sent.items !== undefined || sent.status === "canceled")
    return [...judged, ...large];
  if ((await discountsOfOrder(scope, id)) === null) return judged;
  const { subtotalE2, deliveryE2, totalE2 } = sent;
  const data = { subtotalE2, deliveryE2, totalE2 };
  const fitted = await scope.transaction(({ db: inside, whole, at }) =>
    undone(inside, async (tried) => {
      await tried.order.updateMany({ where: { companyId, id }, data });
      return fittedErrors({ db: tried, whole, companyId, at }, id, cost);
    }),
  );
  return [...judged, ...fitted];
}
