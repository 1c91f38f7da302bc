import { largest, smallest } from "../../../core/money.js";
import type { Purchase } from "./coupon-discount.rules.js";
import { baseItems, isForGoods, type GivenOn, type GoodsConfig } from "./goods-of-coupon.rules.js";
import { partsOf, type Amounts, type ItemShare, type StoredShares } from "./discount-shares.rules.js";
import { TakenCoupons, type Combinable, type Offer } from "./taken-coupons.js";
import type { PricedItem } from "./priced-item.js";

/** A purchase with the items that are named of it. */
export interface NamedPurchase {
  readonly purchase: Purchase;
  readonly items: readonly PricedItem[];
}

/** A coupon that an order has, as it is stored. */
export interface StoredCoupon extends Offer, StoredShares {
  readonly coupon: Combinable & { readonly appliesTo: string; readonly config: GoodsConfig };
  readonly isHeld: boolean;
}

/**
 * What discounts leave of a purchase: of its goods, its delivery and each of its items. Where the goods cost less by now than
 * what was given on them, that much less is left of the delivery, and the other way round.
 */
export function leftOf({ purchase, items }: NamedPurchase, given: Amounts): Amounts {
  return {
    goodsE2: leftOfGoods(purchase, given),
    deliveryE2: leftOfDelivery(purchase, given),
    lines: items.map(({ priceE2 }, place) => leftOfLine(priceE2, given, place)),
  };
}

type Given = Pick<Amounts, "goodsE2" | "deliveryE2">;

function leftOfGoods({ subtotalE2, deliveryE2 }: Purchase, given: Given): bigint {
  const beyondDeliveryE2 = smallest((deliveryE2 ?? 0n) - given.deliveryE2, 0n);
  return largest(subtotalE2 - given.goodsE2 + beyondDeliveryE2, 0n);
}

function leftOfDelivery({ subtotalE2, deliveryE2 }: Purchase, given: Given): bigint {
  const beyondGoodsE2 = smallest(subtotalE2 - given.goodsE2, 0n);
  return largest((deliveryE2 ?? 0n) - given.deliveryE2 + beyondGoodsE2, 0n);
}

function leftOfLine(priceE2: bigint, { lines }: Amounts, place: number): bigint {
  return largest(priceE2 - (lines[place] ?? 0n), 0n);
}

/** What discounts leave of that to which a coupon applies, in hundredths. */
export function leftOfBase(coupon: GivenOn, { purchase, items }: NamedPurchase, given: Amounts): bigint {
  const { appliesTo } = coupon;
  if (appliesTo === "delivery") return leftOfDelivery(purchase, given);
  const goodsE2 = leftOfGoods(purchase, given);
  const isForLines = appliesTo === "service" || isForGoods(coupon);
  if (appliesTo === "total" && !isForLines) return goodsE2 + leftOfDelivery(purchase, given);
  if (!isForLines || items.length === 0) return goodsE2;
  const isInBase = baseItems(coupon, items);
  const ofLine = (sum: bigint, { priceE2 }: PricedItem, place: number): bigint =>
    isInBase[place] === true ? sum + leftOfLine(priceE2, given, place) : sum;
  return smallest(goodsE2, items.reduce(ofLine, 0n));
}

/** The coupons that an order has, with what each gives on the things of a purchase. */
export function takenOf(stored: readonly StoredCoupon[], named: NamedPurchase): TakenCoupons {
  const taken = new TakenCoupons();
  for (const one of stored) taken.add({ ...one, parts: storedParts(one, named, leftOf(named, taken.given)) });
  return taken;
}

/**
 * The parts of a discount that is kept, on the things of a purchase: as it was split, or by what is left where that is not
 * kept. No item gets more than is left of it.
 */
export function storedParts(
  {
    coupon,
    discountE2,
    items: shares,
    deliveryE2,
  }: StoredShares & { readonly coupon: GivenOn; readonly discountE2: bigint },
  { items }: Pick<NamedPurchase, "items">,
  left: Amounts,
): Amounts {
  const { appliesTo, config } = coupon;
  if (deliveryE2 === null && shares === null) return partsOf(discountE2, { appliesTo, config, items, left });
  const ofItems = (shares ?? []).reduce((sum, { amountE2 }) => sum + BigInt(amountE2), 0n);
  const ofDelivery = deliveryE2 ?? (appliesTo === "total" ? discountE2 - ofItems : 0n);
  const goodsE2 = discountE2 - ofDelivery;
  if (shares === null) {
    const { lines } = partsOf(goodsE2, { appliesTo, config, items, left: { ...left, deliveryE2: 0n } });
    return { goodsE2, deliveryE2: ofDelivery, lines };
  }
  return { goodsE2, deliveryE2: ofDelivery, lines: onLines(shares, items, left.lines) };
}

/**
 * Shares on the items of a purchase: on that in the same place when it is the same good, else on the first of the good. What an
 * item cannot bear goes to the others of its good, as far as these can.
 */
function onLines(
  shares: readonly ItemShare[],
  items: readonly PricedItem[],
  left: readonly bigint[],
): bigint[] {
  const lines = items.map(() => 0n);
  for (const [place, { goodId, amountE2 }] of shares.entries()) {
    let restE2 = BigInt(amountE2);
    const put = (line: number): void => {
      if (items[line]?.goodId !== goodId) return;
      const there = lines[line] as bigint;
      const partE2 = smallest(restE2, (left[line] as bigint) - there);
      lines[line] = there + partE2;
      restE2 -= partE2;
    };
    put(place);
    for (let line = 0; restE2 > 0n && line < items.length; line += 1) put(line);
  }
  return lines;
}
