import type { Purchase } from "./coupon-discount.rules.js";

/** An item of a purchase, as far as its share of a discount depends on it. */
export interface PricedItem {
  readonly goodId: number;
  readonly quantity: number;
  /** What all of it costs, in hundredths. */
  readonly priceE2: bigint;
  readonly isService: boolean;
}

/** What an item gets of a discount. */
export interface ItemShare {
  readonly goodId: number;
  readonly quantity: number;
  /** In hundredths. */
  readonly amountE2: number;
}

/**
 * What each item gets of a discount, by its price (contract §13.8). A discount of the total is for the delivery too, in
 * the proportion of subtotal and delivery, one of the delivery for no item, and one of services for these alone.
 */
export function sharesOf(
  discountE2: bigint,
  appliesTo: string,
  { items, purchase }: { items: readonly PricedItem[]; purchase: Purchase },
): ItemShare[] {
  if (items.length === 0) return [];
  const services = items.some(({ isService }) => isService);
  const counts = ({ isService }: PricedItem): boolean => appliesTo !== "service" || !services || isService;
  const prices = items.map((item) => (counts(item) ? item.priceE2 : 0n));
  const isFree = prices.every((price) => price === 0n);
  const weights = isFree ? items.map((item) => (counts(item) ? BigInt(item.quantity) : 0n)) : prices;
  const ofDelivery = shareOfDelivery(appliesTo, purchase);
  const sum = weights.reduce((all, weight) => all + weight, 0n);
  const parts = split(discountE2, [
    ...weights.map((weight) => weight * ofDelivery.others),
    sum === 0n ? 1n : sum * ofDelivery.delivery,
  ]);
  return items.map(({ goodId, quantity }, place) => ({ goodId, quantity, amountE2: Number(parts[place]) }));
}

/**
 * Splits an amount by weights into whole parts that add up to it: what is left over after cutting goes to the parts with
 * the largest remainders, the first of equals first.
 */
export function split(amount: bigint, weights: readonly bigint[]): bigint[] {
  const sum = weights.reduce((all, weight) => all + weight, 0n);
  if (sum === 0n) return weights.map(() => 0n);
  const parts = weights.map((weight) => (amount * weight) / sum);
  const remainders = weights.map((weight, place) => ({ place, remainder: (amount * weight) % sum }));
  const left = Number(amount - parts.reduce((all, part) => all + part, 0n));
  remainders.sort((a, b) =>
    a.remainder === b.remainder ? a.place - b.place : a.remainder > b.remainder ? -1 : 1,
  );
  for (const { place } of remainders.slice(0, left)) parts[place] = (parts[place] as bigint) + 1n;
  return parts;
}

/** The proportion in which delivery and goods share a discount. */
function shareOfDelivery(
  appliesTo: string,
  { subtotalE2, deliveryE2 }: Purchase,
): { readonly delivery: bigint; readonly others: bigint } {
  if (appliesTo === "delivery") return { delivery: 1n, others: 0n };
  if (appliesTo !== "total" || deliveryE2 === null || deliveryE2 === 0n) return { delivery: 0n, others: 1n };
  return { delivery: deliveryE2, others: subtotalE2 };
}
