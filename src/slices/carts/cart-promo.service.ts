import { DomainError, invalidField } from "../../core/errors/domain-error.js";
import { MAX_AMOUNT } from "../../core/money.js";
import { batched } from "../../core/relations/batched.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import type { Discounts } from "../coupons/checks/basket.rules.js";
import type { DiscountsInput } from "../coupons/checks/coupon-check.inputs.js";
import { discounts, promosOfMany } from "../coupons/checks/discounts.service.js";
import {
  type FilledCart,
  findStaleCarts,
  readCart,
  readCarts,
  type StoredItem,
  writeShares,
} from "./cart-item.sql.js";

/** A row of a cart with its price before promos. */
export interface PricedItem {
  readonly goodId: number;
  readonly quantity: number;
  readonly originalTotalE2: bigint;
}

/** What promos leave of the price of a row. */
export interface Shared {
  /** The promo that gives most on the row, of equals the first that applies; null where none gives anything on it. */
  readonly promoId: number | null;
  readonly totalPriceE2: bigint;
}

interface Place {
  readonly clientId: number | null;
  readonly branchId: number | null;
}

/** Rows that are in one cart. */
interface Filling extends Place {
  readonly items: readonly PricedItem[];
}

/**
 * Takes from each row what the promos give on it that apply to all that is in a cart together: the cart costs what `discounts`
 * says of the same goods.
 *
 * @returns what is left of each row, in their order.
 * @throws DomainError VALIDATION_FAILED when the cart costs more than the largest amount.
 */
export async function sharePromos(
  scope: CompanyScope,
  { clientId, branchId }: Place,
  items: readonly PricedItem[],
): Promise<readonly Shared[]> {
  const filling = { clientId, branchId, items };
  const [shared] = (await shareAll(scope, [filling], async ([input]) => [
    await discounts(scope, input as DiscountsInput).catch(refusalOf),
  ])) as [readonly Shared[]];
  return shared;
}

/**
 * The same for each of several carts, for which all is read together.
 *
 * @param judge says what the promos give on each of some purchases, or why it refuses.
 */
async function shareAll(
  scope: CompanyScope,
  carts: readonly Filling[],
  judge: (inputs: readonly DiscountsInput[]) => Promise<readonly (Discounts | DomainError)[]>,
): Promise<(readonly Shared[])[]> {
  const inputs = carts.map(purchaseOf);
  const asked = inputs.filter((input) => input !== null);
  const found = (asked.length === 0 ? [] : await judge(asked))[Symbol.iterator]();
  const judged = inputs.map((input) =>
    input === null ? null : (found.next().value as Discounts | DomainError),
  );
  const strays = judged.map((one) => (one instanceof DomainError ? soldElsewhere(one) : null));
  const others = carts.flatMap(({ items, ...place }, at) => {
    const without = strays[at];
    return without == null ? [] : [{ ...place, items: items.filter((_, row) => !without.has(row)) }];
  });
  const left = (others.length === 0 ? [] : await shareAll(scope, others, judge))[Symbol.iterator]();
  return carts.map(({ items }, at) => {
    const without = strays[at];
    const one = judged[at] as Discounts | null;
    return without == null
      ? sharedOf(items, one)
      : mergedOf(items, without, left.next().value as readonly Shared[]);
  });
}

/** A cart as a purchase; `null` where nothing in it costs anything. @throws DomainError VALIDATION_FAILED. */
function purchaseOf({ clientId, branchId, items }: Filling): DiscountsInput | null {
  const subtotalE2 = items.reduce((sum, { originalTotalE2 }) => sum + originalTotalE2, 0n);
  if (subtotalE2 > MAX_AMOUNT)
    throw invalidField("quantity", "max", "makes the cart cost more than the largest amount");
  if (subtotalE2 === 0n) return null;
  return {
    ...{ clientId, branchId, withPromos: true, subtotalE2: Number(subtotalE2) },
    items: items.map(({ goodId, quantity, originalTotalE2 }) => ({
      ...{ goodId, quantity, totalPriceE2: Number(originalTotalE2) },
    })),
  };
}

/** What is left of the price of each row of what promos give on it. */
function sharedOf(items: readonly PricedItem[], found: Discounts | null): Shared[] {
  const applied = found?.applied ?? [];
  return items.map(({ originalTotalE2 }, place) => {
    let promoId: number | null = null;
    let totalPriceE2 = originalTotalE2;
    let mostE2 = 0;
    for (const { coupon, items: shares } of applied) {
      const givenE2 = shares[place]?.amountE2 ?? 0;
      totalPriceE2 -= BigInt(givenE2);
      if (givenE2 <= mostE2) continue;
      mostE2 = givenE2;
      promoId = coupon.id;
    }
    return { promoId, totalPriceE2 };
  });
}

/** The shares of rows of which some had none to get, at the places `without`. */
function mergedOf(
  items: readonly PricedItem[],
  without: ReadonlySet<number>,
  shared: readonly Shared[],
): Shared[] {
  const left = shared[Symbol.iterator]();
  return items.map(({ originalTotalE2 }, at) =>
    without.has(at) ? { promoId: null, totalPriceE2: originalTotalE2 } : (left.next().value as Shared),
  );
}

function refusalOf(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  throw error;
}

const PLACE_OF_GOOD = /^items\[(?<place>\d+)\]\.goodId$/u;

/**
 * Returns the places of the goods that another shop sells than that of the cart's branch: no promo is given on them.
 *
 * @throws the error when it is of anything else.
 */
function soldElsewhere(error: DomainError): Set<number> {
  const places = (error.errors ?? []).map(({ field, rule }) => {
    const place = PLACE_OF_GOOD.exec(field)?.groups?.["place"];
    return rule === "mismatch" && place !== undefined ? Number(place) : null;
  });
  if (places.length === 0 || places.includes(null)) throw error;
  return new Set(places as number[]);
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
  shared: readonly Shared[],
): Promise<void> {
  const shares = items.flatMap((item, place) => {
    const { promoId, totalPriceE2 } = shared[place] as Shared;
    if (item === null || (item.promoId === promoId && BigInt(item.totalPriceE2) === totalPriceE2)) return [];
    return [{ id: item.id, promoId, totalPriceE2 }];
  });
  if (shares.length > 0) await writeShares(scope, shares);
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
 * together are read together: only carts that promos may have changed since are priced anew, all by the same statements. Nothing
 * is written.
 */
export const shareNow = batched<ShareNow>(async (scope, ids) => {
  const shares = new Map<number, ShareNow>();
  const carts = await readCarts(scope, await findStaleCarts(scope, ids));
  const fillings = carts.map((cart) => ({ ...cart, items: cart.items.map(pricedItem) }));
  const shared = await shareAll(scope, fillings, (inputs) => promosOfMany(scope, inputs));
  for (const [at, rows] of shared.entries())
    for (const [place, { promoId, totalPriceE2 }] of rows.entries())
      shares.set(((carts[at] as FilledCart).items[place] as StoredItem).id, {
        promoId,
        totalPriceE2: Number(totalPriceE2),
      });
  return shares;
});
