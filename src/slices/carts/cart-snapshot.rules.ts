import { isDeepStrictEqual } from "node:util";
import type { CartGood } from "./cart-good.js";
import type { CartItemSnapshot } from "./cart-item.model.js";
import { type Priced, stockText } from "./cart-item.rules.js";

/** What is kept of a good in a cart, with the moment at which it was priced. */
export type StoredSnapshot = CartItemSnapshot & { readonly pricedAt?: string };

/**
 * What a good was and cost when a row was written; no promo is taken from it yet.
 *
 * @param pricedAt the moment by which promos are judged; absent: they are judged whenever it is read.
 */
export function snapshotOf(
  { clientId, branchId }: { readonly clientId: number | null; readonly branchId: number | null },
  good: CartGood,
  { quantity, notes, priced }: { quantity: number; notes: string | null; priced: Priced },
  pricedAt?: Date,
): StoredSnapshot {
  const originalTotalE2 = Number(priced.originalTotalE2);
  return {
    ...(pricedAt !== undefined && { pricedAt: pricedAt.toISOString() }),
    goodId: good.goodId,
    quantity,
    notes,
    clientId,
    branchId,
    units: priced.units,
    name: good.name,
    shortDetails: good.shortDetails,
    details: good.details,
    pictureUrls: [...good.pictureUrls],
    basePriceE2: Number(priced.basePriceE2),
    totalPriceE2: originalTotalE2,
    originalTotalE2,
    goodStock: good.branchStock === null ? null : Number(good.branchStock),
    sku: good.sku,
    promoId: null,
    providerFeeE2: Number(priced.providerFeeE2),
    quantityReal: Number(stockText(priced.quantityReal)),
    weight: priced.weight,
    properties: priced.choices.map(({ uses: _, priceE2, ...choice }) => ({
      ...choice,
      priceE2: Number(priceE2),
    })),
  };
}

/** Whether two snapshots say the same, whenever they were priced. */
export function isPricedAlike(one: StoredSnapshot, other: StoredSnapshot): boolean {
  return isDeepStrictEqual({ ...one, pricedAt: null }, { ...other, pricedAt: null });
}
