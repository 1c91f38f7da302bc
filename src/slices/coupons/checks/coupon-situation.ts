import {
  DomainError,
  invalidField,
  notFound,
  validationFailed,
  type FieldError,
} from "../../../core/errors/domain-error.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { readMoment } from "../../../core/time/moments.js";
import type { PurchaseInput } from "./coupon-check.inputs.js";
import type { Purchase } from "../amounts/coupon-discount.rules.js";
import { MAX_AMOUNT } from "../../../core/money.js";
import { localTime } from "../conditions/hours.rules.js";
import type { Situation } from "../conditions/judged.js";
import type { Named, NamedItem, NamedOrder, NamedRows } from "./coupon-facts.js";
import { sumsOf } from "../amounts/goods-of-coupon.rules.js";
import { takenOf, type StoredCoupon } from "../amounts/left-of-purchase.rules.js";
import type { PricedItem } from "../amounts/priced-item.js";

type Given = PurchaseInput & { readonly subtotalE2?: number | null; readonly branchId?: number | null };

/**
 * The ids that a purchase names. A client's own token stands for that client.
 *
 * @throws DomainError FORBIDDEN when a client names another client.
 */
export function namedBy(
  { caller }: CompanyScope,
  input: Given,
  place: { readonly orderId?: number | null; readonly branchId?: number | null } = {},
): Named {
  const clientId = input.clientId ?? null;
  if (caller.kind === "client" && clientId !== null && clientId !== caller.id) {
    throw new DomainError("FORBIDDEN", "The token is for another client.");
  }
  return {
    orderId: place.orderId ?? null,
    clientId: caller.kind === "client" ? caller.id : clientId,
    branchId: place.branchId ?? null,
    items: (input.items ?? []).map(({ goodId, quantity, totalPriceE2, properties }) => ({
      ...{ goodId, quantity, totalPriceE2: totalPriceE2 ?? null },
      properties: properties ?? [],
    })),
    goodIds: [...(input.goods ?? []), ...listedGoods(input)],
  };
}

/**
 * @throws DomainError NOT_FOUND for the branch; VALIDATION_FAILED with rule `exists` for order, client and listed
 * goods, with rule `mismatch` for goods of another shop than the branch's, and for choices that a good does not offer there. A client
 * knows only orders of its own.
 */
export function assertNamedExist(
  { caller }: CompanyScope,
  input: Given,
  { named, rows }: { named: Named; rows: NamedRows },
): void {
  if (named.branchId !== null && rows.branchId === null) throw notFound("Branch");
  const isHidden = caller.kind === "client" && rows.order?.clientId !== caller.id;
  const known = new Set(rows.goodIds);
  const good = listedGoods(input).find((id) => !known.has(id));
  const missing: [field: string, id: number][] = [];
  if (named.orderId !== null && (rows.order === null || isHidden)) missing.push(["orderId", named.orderId]);
  if (named.clientId !== null && rows.clientId === null) missing.push(["clientId", named.clientId]);
  if (good !== undefined) missing.push(["goodIds", good]);
  const wrong = [
    ...missing.map(([field, id]) => ({ field, rule: "exists", message: `${id} does not exist` })),
    ...goodsElsewhere(input, rows),
    ...(rows.wrongChoices ?? []),
  ];
  if (wrong.length > 0) throw validationFailed(wrong);
}

/** The goods of another shop than the branch's, each with the field that names it. */
function goodsElsewhere(input: Given, { branchId, strayGoodIds }: NamedRows): FieldError[] {
  if (strayGoodIds.length === 0) return [];
  const fields: [field: string, id: number][] = [
    ...(input.items ?? []).map(({ goodId }, at): [string, number] => [`items[${at}].goodId`, goodId]),
    ...(input.goods ?? []).map((id, at): [string, number] => [`goods[${at}]`, id]),
    ...listedGoods(input).map((id): [string, number] => ["goodIds", id]),
  ];
  return fields
    .filter(([, id]) => strayGoodIds.includes(id))
    .map(([field, id]) => ({
      field,
      rule: "mismatch",
      message: `${id} is no good of the shop of branch ${branchId}`,
    }));
}

/**
 * Asserts that the input says nothing else than the order, which is the truth about a purchase as soon as it has a price: about
 * its client and its lines in any case. What an order leaves open the input may say, within the order's total.
 *
 * @throws DomainError VALIDATION_FAILED with rule `order` for every such field.
 */
export function assertFitsOrder(input: Given, rows: NamedRows): void {
  const { order } = rows;
  if (order === null) return;
  const known: KnownField[] = [
    ["clientId", order.clientId],
    ...(order.isPriced ? pricesAndPlaceOf(order) : []),
  ];
  const wrong = known.flatMap(([field, value]) =>
    value === null || input[field] == null || input[field] === value
      ? []
      : [{ field, message: `must be absent or ${value}, as of the order` }],
  );
  if (order.isPriced) {
    for (const field of ["subtotalFullE2", "basePriceE2"] as const)
      if (BigInt(input[field] ?? 0) > order.totalE2)
        wrong.push({ field, message: `must be at most ${order.totalE2}, the total of the order` });
  }
  if (rows.hasLines && !areLines(input.items ?? null, rows.items))
    wrong.push({ field: "items", message: "must be absent, or the goods and quantities of the order" });
  if (wrong.length > 0) throw validationFailed(wrong.map((one) => ({ ...one, rule: "order" })));
}

type KnownField = [field: keyof Given, value: number | string | null];

function pricesAndPlaceOf(order: NamedOrder): KnownField[] {
  return [
    ["subtotalE2", Number(order.subtotalE2)],
    ["deliveryE2", Number(order.deliveryE2)],
    ["branchId", order.branchId],
    ["source", order.source],
  ];
}

/** Returns whether items name as much of each good as the lines of the order do. */
function areLines(items: Given["items"] | null, lines: NamedRows["items"]): boolean {
  if (items == null) return true;
  const tally = (all: readonly { readonly goodId: number; readonly quantity: number }[]): string => {
    const sums = new Map<number, number>();
    for (const { goodId, quantity } of all) sums.set(goodId, (sums.get(goodId) ?? 0) + quantity);
    return JSON.stringify([...sums].sort(([one], [other]) => one - other));
  };
  return tally(items) === tally(lines);
}

/** @throws DomainError INVALID_STATE for an order that is canceled. */
export function assertNotCanceled(order: NamedOrder | null): void {
  if (order?.status === "canceled") throw new DomainError("INVALID_STATE", "The order is canceled.");
}

/**
 * Asserts that the price of the goods is known: without it every discount would be nothing.
 *
 * @throws DomainError VALIDATION_FAILED with rule `required`.
 */
export function assertPriced({ isPriced }: Situation): void {
  if (!isPriced) throw invalidField("subtotalE2", "required", "is required unless an order has its price");
}

/** Ids of the goods that are listed as text; the validator has not checked that these exist, unlike all others. */
function listedGoods({ goodIds }: Given): number[] {
  return goodIds == null ? [] : goodIds.split(",").map(Number);
}

/** Who asks when, and what the company is. */
interface Asked extends Pick<CompanyScope, "at" | "caller"> {
  readonly company: Pick<CompanyScope["company"], "timeZoneOffset" | "currencyIso">;
}

/**
 * Who buys, where, when and for what: from the input, and from the order where the input says nothing.
 *
 * @throws DomainError VALIDATION_FAILED when the whole purchase costs more than the largest amount.
 */
export function situationOf(
  scope: Asked,
  input: Given,
  { rows, taken = [], isUse = false }: { rows: NamedRows; taken?: readonly StoredCoupon[]; isUse?: boolean },
): Situation {
  const { at, caller, company } = scope;
  const { clientId, registeredAt, branchId, shopIds } = rows;
  const moment = input.datetime == null ? at : readMoment(input.datetime, company.timeZoneOffset);
  const offset =
    input.useLocalTz === true ? (rows.timeZoneOffset ?? company.timeZoneOffset) : company.timeZoneOffset;
  const purchase = purchaseOf(input, rows);
  const items = rows.items.map(pricedItem);
  return {
    at,
    local: localTime(moment, offset, input.time ?? null),
    client: clientId === null || registeredAt === null ? null : { id: clientId, registeredAt },
    clientId: clientId ?? rows.order?.clientId ?? null,
    branchId,
    shopIds,
    source: input.source ?? rows.order?.source ?? null,
    purchase,
    currencyIso: (rows.order?.currencyIso ?? company.currencyIso).toUpperCase(),
    companyCurrencyIso: company.currencyIso,
    isPriced: input.subtotalE2 != null || rows.order?.isPriced === true,
    taken: takenOf(taken, { purchase, items }),
    items,
    isBounded: rows.order !== null,
    isUse,
    isForClient: caller.kind === "client",
  };
}

function purchaseOf(input: Given, rows: NamedRows): Purchase {
  const { items } = rows;
  const purchase = {
    subtotalE2: amountOf(input.subtotalE2) ?? rows.order?.subtotalE2 ?? 0n,
    subtotalFullE2: amountOf(input.subtotalFullE2),
    basePriceE2: amountOf(input.basePriceE2),
    deliveryE2: amountOf(input.deliveryE2) ?? rows.order?.deliveryE2 ?? null,
    items: items.length === 0 ? null : sumsOf(items.map(pricedItem)),
  };
  assertTotalFits(purchase);
  return purchase;
}

function assertTotalFits({ subtotalE2, subtotalFullE2, deliveryE2 }: Purchase): void {
  const subtotal = subtotalFullE2 !== null && subtotalFullE2 > subtotalE2 ? subtotalFullE2 : subtotalE2;
  const most = MAX_AMOUNT - subtotal;
  if ((deliveryE2 ?? 0n) > most) {
    throw invalidField("deliveryE2", "max", `must be at most ${most} with such a subtotal`);
  }
}

function amountOf(amount: number | null | undefined): bigint | null {
  return amount == null ? null : BigInt(amount);
}

/** The flag of goods that are services. */
const SERVICE = 1;

function pricedItem({ goodId, quantity, units, priceE2, type, kinds }: NamedItem): PricedItem {
  const item = { goodId, quantity, units, priceE2, isService: (type & SERVICE) !== 0 };
  return kinds === undefined ? item : { ...item, kinds };
}
