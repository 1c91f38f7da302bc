import { smallest } from "../../../core/money.js";
import { baseItems, isForGoods, type GivenOn } from "./goods-of-coupon.rules.js";
import type { PricedItem } from "./priced-item.js";

/** What an item gets of a discount. */
export interface ItemShare {
  readonly goodId: number;
  readonly quantity: number;
  /** In hundredths. */
  readonly amountE2: number;
}

/** How a discount that is kept was split. */
export interface StoredShares {
  /** What each item got; `null` where none were named. */
  readonly items: readonly ItemShare[] | null;
  /** What the delivery got, in hundredths; `null` of what is older than this being kept. */
  readonly deliveryE2: bigint | null;
}

/** Amounts of the things that discounts are given on, in hundredths. */
export interface Amounts {
  readonly goodsE2: bigint;
  readonly deliveryE2: bigint;
  /** Those of the items, in their order. */
  readonly lines: readonly bigint[];
}

/**
 * The parts of a discount, by what is left of the things of its base (contract §13.8): of a total the delivery is one more
 * beside the items. No part exceeds what is left of its item; what the items do not hold is for goods that were not named.
 */
export function partsOf(
  discountE2: bigint,
  coupon: GivenOn & { items: readonly PricedItem[]; left: Amounts },
): Amounts {
  const { appliesTo, items, left } = coupon;
  if (appliesTo === "delivery") {
    const deliveryE2 = smallest(discountE2, left.deliveryE2);
    return { goodsE2: discountE2 - deliveryE2, deliveryE2, lines: items.map(() => 0n) };
  }
  const isInBase = baseItems(coupon, items);
  const lines = left.lines.map((line, place) => (isInBase[place] === true ? line : 0n));
  const sum = lines.reduce((all, line) => all + line, 0n);
  const isShared = appliesTo === "total" && !isForGoods(coupon) && left.deliveryE2 > 0n;
  if (sum === 0n && !isShared) return { goodsE2: discountE2, deliveryE2: 0n, lines: lines.map(() => 0n) };
  const [goods, delivery] = isShared ? [left.goodsE2, left.deliveryE2] : [1n, 0n];
  const parts =
    sum === 0n
      ? split(discountE2, [goods, delivery])
      : split(discountE2, [...lines.map((line) => line * goods), sum * delivery]);
  const deliveryE2 = parts.at(-1) as bigint;
  return {
    goodsE2: discountE2 - deliveryE2,
    deliveryE2,
    lines: lines.map((line, place) => smallest(line, sum === 0n ? 0n : (parts[place] as bigint))),
  };
}

/** What each item gets of a discount. */
export function sharesOf({ lines }: Amounts, items: readonly PricedItem[]): ItemShare[] {
  return items.map(({ goodId, quantity }, place) => ({ goodId, quantity, amountE2: Number(lines[place]) }));
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
