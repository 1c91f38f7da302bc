import { DomainError, invalidField } from "../../core/errors/domain-error.js";
import { MAX_AMOUNT } from "../../core/money.js";
import { batched } from "../../core/relations/batched.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { discounts } from "../coupons/checks/discounts.service.js";
import { findStaleCarts, readCart, type StoredItem, writeShares } from "./cart-item.sql.js";

/** A row of a cart with its price before promos. */
export interface PricedItem {
  readonly goodId: number;
  readonly quantity: number;
  readonly originalTotalE2: bigint;
}

/** What promos leave of the prices of rows, in their order. */
export interface Shared {
  /** The promo that gives most; null when none applies. */
  readonly promoId: number | null;
  readonly totals: readonly bigint[];
}

interface Place {
  readonly clientId: number | null;
  readonly branchId: number | null;
}

/**
 * Takes from each row what the promos give on it that apply to all that is in a cart together: the cart costs what `discounts`
 * says of the same goods.
 *
 * @throws DomainError VALIDATION_FAILED when the cart costs more than the largest amount.
 */
export async function sharePromos(
  scope: CompanyScope,
  { clientId, branchId }: Place,
  items: readonly PricedItem[],
): Promise<Shared> {
  const totals = items.map(({ originalTotalE2 }) => originalTotalE2);
  const subtotalE2 = totals.reduce((sum, total) => sum + total, 0n);
  if (subtotalE2 > MAX_AMOUNT)
    throw invalidField("quantity", "max", "makes the cart cost more than the largest amount");
  if (subtotalE2 === 0n) return { promoId: null, totals };
  const input = {
    ...{ clientId, branchId, withPromos: true, subtotalE2: Number(subtotalE2) },
    items: items.map(({ goodId, quantity, originalTotalE2 }) => ({
      ...{ goodId, quantity, totalPriceE2: Number(originalTotalE2) },
    })),
  };
  const found = await discounts(scope, input).catch((error: unknown) => soldElsewhere(error));
  if (found instanceof Set) return shareAmongOthers(scope, { clientId, branchId }, { items, without: found });
  const { applied } = found;
  for (const discount of applied)
    for (const [place, { amountE2 }] of discount.items.entries())
      totals[place] = (totals[place] as bigint) - BigInt(amountE2);
  return { promoId: applied.find(({ discountE2 }) => discountE2 > 0n)?.coupon.id ?? null, totals };
}

const PLACE_OF_GOOD = /^items\[(?<place>\d+)\]\.goodId$/u;

/**
 * Returns the places of the goods that another shop sells than that of the cart's branch: no promo is given on them.
 *
 * @throws the error when it is of anything else.
 */
function soldElsewhere(error: unknown): Set<number> {
  const errors = error instanceof DomainError ? (error.errors ?? []) : [];
  const places = errors.map(({ field, rule }) => {
    const place = PLACE_OF_GOOD.exec(field)?.groups?.["place"];
    return rule === "mismatch" && place !== undefined ? Number(place) : null;
  });
  if (places.length === 0 || places.includes(null)) throw error;
  return new Set(places as number[]);
}

async function shareAmongOthers(
  scope: CompanyScope,
  place: Place,
  { items, without }: { readonly items: readonly PricedItem[]; readonly without: ReadonlySet<number> },
): Promise<Shared> {
  const others = items.filter((_, at) => !without.has(at));
  const { promoId, totals } = await sharePromos(scope, place, others);
  const left = totals[Symbol.iterator]();
  return {
    promoId,
    totals: items.map(({ originalTotalE2 }, at) =>
      without.has(at) ? originalTotalE2 : (left.next().value as bigint),
    ),
  };
}

/** Gives each stored row of a cart, which is locked, what promos leave of its price. */
export async function applyPromos(scope: CompanyScope, cartId: number): Promise<void> {
  const cart = await readCart(scope, cartId);
  await keepShares(scope, cart.items, await sharePromos(scope, cart, cart.items.map(pricedItem)));
}

/**
 * Writes what promos leave of the prices of stored rows; rows that cost that already stay as they are.
 *
 * @param items are rows that share them, each at its place; `null` for one that is written otherwise.
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

/** A stored row as promos see it. */
export function pricedItem({ goodId, quantity, originalTotalE2 }: StoredItem): PricedItem {
  return { goodId, quantity, originalTotalE2: BigInt(originalTotalE2) };
}

/** What promos make of a row of a cart by now. */
export interface ShareNow {
  readonly promoId: number | null;
  readonly totalPriceE2: number;
}

/**
 * What promos leave by now of the price of a stored row; `null` while its price still holds. Rows that are asked for
 * together are read together: only carts that promos may have changed since are priced anew. Nothing is written.
 */
export const shareNow = batched<ShareNow>(async (scope, ids) => {
  const shares = new Map<number, ShareNow>();
  for (const cartId of await findStaleCarts(scope, ids)) {
    const cart = await readCart(scope, cartId);
    const { promoId, totals } = await sharePromos(scope, cart, cart.items.map(pricedItem));
    for (const [place, { id }] of cart.items.entries())
      shares.set(id, { promoId, totalPriceE2: Number(totals[place]) });
  }
  return shares;
});
