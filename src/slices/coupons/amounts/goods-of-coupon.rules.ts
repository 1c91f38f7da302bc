import { smallest } from "../../../core/money.js";
import type { Purchase } from "./coupon-discount.rules.js";
import type { PricedItem } from "./priced-item.js";

/** Lists of goods as they are stored; one that was not sent is absent. */
export interface StoredGoodsList {
  readonly goodIds?: readonly number[] | null;
  readonly categoryIds?: readonly number[] | null;
  readonly goodTagIds?: readonly number[] | null;
  readonly goodTypeIds?: readonly number[] | null;
  readonly branchGroupIds?: readonly number[] | null;
}

export interface StoredGoods {
  readonly include?: StoredGoodsList | null;
  readonly exclude?: StoredGoodsList | null;
}

export interface StoredBundle {
  readonly buy: number;
  readonly get: number;
  readonly pricePrc: number;
  readonly cheapest?: boolean | null;
}

/** What says on which things of a purchase a coupon is given. */
export interface GivenOn {
  readonly appliesTo: string;
  readonly config?: GoodsConfig | undefined;
}

/** The keys of a config that say for which goods a coupon is. */
export interface GoodsConfig {
  readonly goods?: StoredGoods | null;
  readonly bundle?: StoredBundle | null;
}

/** Returns whether a coupon is for certain goods, or for sets of their units. */
export function isForGoods({ config }: Pick<GivenOn, "config">): boolean {
  return config?.goods != null || config?.bundle != null;
}

/**
 * Which items belong to what a coupon applies to: those with its goods, where it is for certain ones; one of services is for
 * these alone, where there are any.
 */
export function baseItems(coupon: GivenOn, items: readonly PricedItem[]): readonly boolean[] {
  const { appliesTo, config } = coupon;
  if (appliesTo === "delivery") return items.map(() => false);
  const isOwn = items.map((item) => isAmong(config?.goods ?? null, item));
  const isForServices =
    appliesTo === "service" && (isForGoods(coupon) || items.some(({ isService }) => isService));
  return items.map(({ isService }, place) => isOwn[place] === true && (!isForServices || isService));
}

function isAmong(goods: StoredGoods | null, item: PricedItem): boolean {
  if (goods === null) return true;
  const { include, exclude } = goods;
  if (exclude != null && isOn(exclude, item)) return false;
  return include == null || isEmpty(include) || isOn(include, item);
}

function isOn(list: StoredGoodsList, { goodId, kinds }: PricedItem): boolean {
  const has = (ids: readonly number[] | null | undefined, id: number | null | undefined): boolean =>
    id != null && ids?.includes(id) === true;
  return (
    has(list.goodIds, goodId) ||
    has(list.goodTypeIds, kinds?.goodTypeId) ||
    has(list.branchGroupIds, kinds?.branchGroupId) ||
    kinds?.categoryIds.some((id) => has(list.categoryIds, id)) === true ||
    kinds?.goodTagIds.some((id) => has(list.goodTagIds, id)) === true
  );
}

function isEmpty(list: StoredGoodsList): boolean {
  return Object.values(list).every((ids: readonly number[] | null | undefined) => (ids ?? []).length === 0);
}

/**
 * The purchase as a coupon sees it: of one for certain goods the items with these alone, which cost at most the subtotal;
 * the delivery is left to those that are given on it. One of services takes from the services among them, and its units are
 * theirs, as without goods.
 */
export function purchaseOf(
  coupon: GivenOn,
  { purchase, items }: { readonly purchase: Purchase; readonly items: readonly PricedItem[] },
): Purchase {
  if (!isForGoods(coupon)) return purchase;
  const { appliesTo, config } = coupon;
  const isDelivery = appliesTo === "delivery";
  const isOwn = baseItems({ config, appliesTo: isDelivery ? "subtotal" : appliesTo }, items);
  const own = items.filter((_, place) => isOwn[place] === true);
  const costE2 = own.reduce((sum, { priceE2 }) => sum + priceE2, 0n);
  const reducedE2 = config?.bundle == null ? 0n : reducedUnits(config.bundle, own);
  return {
    subtotalE2: smallest(costE2, purchase.subtotalE2),
    subtotalFullE2: null,
    basePriceE2: null,
    deliveryE2: isDelivery ? purchase.deliveryE2 : null,
    items: { ...sumsOf(own), reducedE2 },
  };
}

/** How many units items have, how many of them are services, and what these cost. */
export function sumsOf(items: readonly PricedItem[]): NonNullable<Purchase["items"]> {
  const services = items.filter(({ isService }) => isService);
  return {
    units: unitsOf(items),
    serviceUnits: unitsOf(services),
    serviceE2: services.reduce((sum, { priceE2 }) => sum + priceE2, 0n),
  };
}

function unitsOf(items: readonly PricedItem[]): bigint {
  return items.reduce((sum, { units }) => sum + BigInt(units), 0n);
}

/**
 * What the units cost that are reduced in all sets together, in hundredths. The units of an item cost what it costs, in
 * whole hundredths that differ by one at most.
 */
function reducedUnits({ buy, get, cheapest }: StoredBundle, items: readonly PricedItem[]): bigint {
  let left = (unitsOf(items) / BigInt(buy + get)) * BigInt(get);
  const alike = items.flatMap(({ units, priceE2 }) => {
    const count = BigInt(units);
    const dearer = priceE2 % count;
    const eachE2 = priceE2 / count;
    return [
      { count: count - dearer, eachE2 },
      { count: dearer, eachE2: eachE2 + 1n },
    ];
  });
  const order = cheapest === false ? -1 : 1;
  alike.sort((one, other) => (one.eachE2 === other.eachE2 ? 0 : one.eachE2 < other.eachE2 ? -order : order));
  let sum = 0n;
  for (const { count, eachE2 } of alike) {
    const units = smallest(count, left);
    sum += units * eachE2;
    left -= units;
  }
  return sum;
}
