import { invalidField } from "../../core/errors/domain-error.js";
import { MAX_AMOUNT } from "../../core/money.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { applicablePromos } from "../coupons/checks/discounts.service.js";
import { readCart, type StoredItem, writeShares } from "./cart-item.sql.js";
import { isService, shareDiscount } from "./cart-promo.rules.js";

/** A row of a cart with its price before promos. */
export interface PricedItem {
  readonly goodId: number;
  /** Bit mask of the kinds of the good. */
  readonly type: number;
  readonly units: number;
  readonly originalTotalE2: bigint;
}

/** What the best promo leaves of the prices of rows, in their order. */
export interface Shared {
  readonly promoId: number | null;
  readonly totals: readonly bigint[];
}

interface Place {
  readonly clientId: number | null;
  readonly branchId: number | null;
}

/**
 * Finds the best promo that applies to all that is in a cart, and shares its discount among the rows: the cart costs what
 * the promos say of the same goods.
 *
 * @throws DomainError VALIDATION_FAILED when the cart costs more than the largest amount.
 */
export async function sharePromo(
  scope: CompanyScope,
  place: Place,
  items: readonly PricedItem[],
): Promise<Shared> {
  const best = await bestPromo(scope, place, items);
  const rows = items.map(({ originalTotalE2, type }) => ({
    originalTotalE2,
    isService: isService({ type }),
  }));
  const shares = shareDiscount(best?.discountE2 ?? 0n, rows, best?.coupon.appliesTo === "service");
  return {
    promoId: best?.coupon.id ?? null,
    totals: items.map(({ originalTotalE2 }, index) => originalTotalE2 - (shares[index] ?? 0n)),
  };
}

/** Gives each stored row of a cart, which is locked, its share of the best promo. */
export async function applyPromo(scope: CompanyScope, cartId: number): Promise<void> {
  const cart = await readCart(scope, cartId);
  await keepShares(scope, cart.items, await sharePromo(scope, cart, cart.items.map(pricedItem)));
}

/**
 * Writes what a promo leaves of the prices of stored rows; rows that cost that already stay as they are.
 *
 * @param items are rows that share it, each at its place; `null` for one that is written otherwise.
 */
export async function keepShares(
  scope: CompanyScope,
  items: readonly (StoredItem | null)[],
  { promoId, totals }: Shared,
): Promise<void> {
  const shares = items.flatMap((item, place) => {
    const totalPriceE2 = totals[place] as bigint;
    if (item === null || (item.promoId === promoId && BigInt(item.totalPriceE2) === totalPriceE2)) return [];
    return [{ id: item.id, totalPriceE2 }];
  });
  if (shares.length > 0) await writeShares(scope, promoId, shares);
}

/** A stored row as a promo sees it. */
export function pricedItem({ goodId, type, units, originalTotalE2 }: StoredItem): PricedItem {
  return { goodId, type, units, originalTotalE2: BigInt(originalTotalE2) };
}

async function bestPromo(scope: CompanyScope, { clientId, branchId }: Place, rows: readonly PricedItem[]) {
  const subtotalE2 = rows.reduce((sum, { originalTotalE2 }) => sum + originalTotalE2, 0n);
  if (subtotalE2 > MAX_AMOUNT)
    throw invalidField("quantity", "max", "makes the cart cost more than the largest amount");
  if (subtotalE2 === 0n) return undefined;
  const items = rows.map(({ goodId, units }) => ({ goodId, quantity: units }));
  const promos = await applicablePromos(scope, {
    clientId,
    branchId,
    items,
    subtotalE2: Number(subtotalE2),
  });
  return promos.find(({ discountE2 }) => discountE2 > 0n);
}
