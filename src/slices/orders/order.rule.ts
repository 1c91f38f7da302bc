import { isId } from "../../core/integers.js";
import type { StoredRule } from "../../core/operations/operation-arguments.js";
import { JUDGED, purchaseErrors, type SentPurchase } from "./order-coupons.service.js";
import { NO_PRICES, PRICES, tooLarge } from "./order-price.rules.js";

/** Finds prices of a new order that are too large together. */
export const newOrderFits: StoredRule = (input) => Promise.resolve(tooLarge(sentOf(input), NO_PRICES));

/** Finds what an order cannot become. The service judges it once more under the order's lock. */
export const changedOrderFits: StoredRule = async (input, context, { companyId, id }) => {
  const sent = sentOf(input);
  if (!isId(id) || [...JUDGED, ...PRICES].every((field) => sent[field] === undefined)) return [];
  return purchaseErrors(context.companyScope(companyId as number), id, sent);
};

/** What an input says of the purchase that fits the bounds of its fields; what does not is reported as such. */
function sentOf(input: Readonly<Record<string, unknown>>): SentPurchase {
  return Object.fromEntries(Object.entries(input).filter(([field, value]) => isFit(field, value)));
}

function isFit(field: string, value: unknown): boolean {
  switch (field) {
    case "clientId":
    case "branchId":
      return value === null || isId(value);
    case "source":
      return value === null || typeof value === "string";
    case "subtotalE2":
    case "deliveryE2":
    case "totalE2":
      return Number.isSafeInteger(value) && (value as number) >= 0;
    default:
      return true;
  }
}
