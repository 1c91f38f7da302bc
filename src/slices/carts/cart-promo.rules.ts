import { type CartGood } from "./cart-good.js";
import { readMask } from "../../core/masks/masks.js";
import { GOOD_TYPE } from "../goods/good.masks.js";

/** A row of a cart, as far as a promo is shared among rows. */
export interface PromoRow {
  readonly originalTotalE2: bigint;
  readonly isService: boolean;
}

/**
 * Shares a discount of the whole cart among its rows, by their prices: the shares add up to it exactly, and none passes
 * the price of its row. A discount on services goes to these alone, as far as it fits.
 *
 * @returns the shares in the order of the rows, in hundredths.
 */
export function shareDiscount(
  discountE2: bigint,
  rows: readonly PromoRow[],
  isOnServices: boolean,
): readonly bigint[] {
  const services = rows.map(({ originalTotalE2, isService }) => (isService ? originalTotalE2 : 0n));
  const isForServices = isOnServices && sumOf(services) >= discountE2;
  const weights = isForServices ? services : rows.map(({ originalTotalE2 }) => originalTotalE2);
  const total = sumOf(weights);
  if (total === 0n) return weights;
  const shares = weights.map((weight) => (discountE2 * weight) / total);
  const rest = (index: number): bigint => (discountE2 * (weights[index] ?? 0n)) % total;
  const byRest = weights.map((_, index) => index).sort((a, b) => compare(rest(b), rest(a)) || a - b);
  const left = Number(discountE2 - sumOf(shares));
  for (const index of byRest.slice(0, left)) shares[index] = (shares[index] ?? 0n) + 1n;
  return shares;
}

/** Whether a good is a service. */
export function isService({ type }: Pick<CartGood, "type">): boolean {
  return readMask(type, GOOD_TYPE.isTypeService) === true;
}

function sumOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}

function compare(one: bigint, other: bigint): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
