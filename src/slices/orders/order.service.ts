import { DomainError, invalidField, validationFailed } from "../../core/errors/domain-error.js";
import { formatAmount } from "../../core/money.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { NO_JSON } from "../../core/db/db.js";
import { hasValues } from "../../core/db/has-values.js";
import { type ChosenItem, priceChoices } from "../carts/choice-prices.service.js";
import { type Order, orderList } from "./order.model.js";
import { subtotalOf } from "./order-price.rules.js";
import { discountsOfOrder, fitCouponsToOrder, lockOrder, type PurchaseOfOrder } from "./order.sql.js";
import { resourceService, type ResourceService, type Values } from "../../core/resources/resource-service.js";

const orders = resourceService<Order>("Order", orderList, { prepare, refuseRemoval: assertNoMovements });

/** Orders with their goods, which are written along. */
export const orderService: ResourceService<Order> = {
  ...orders,
  create: (scope, input) => writeWithItems(scope, input, (inside, values) => orders.create(inside, values)),
  update: (scope, id, input) => {
    const write = (within: CompanyScope): Promise<Order> =>
      writeWithItems(
        within,
        input,
        (inside, values) => orders.update(inside, id, values),
        (inside) => orders.get(inside, id),
      );
    const sent = input as Sent & { readonly items?: unknown };
    const cost = [...PRICES, "items" as const].find((field) => sent[field] !== undefined);
    if (cost === undefined || sent.status === "canceled") return write(scope);
    return scope.transaction(async (inside) => {
      const order = await write(inside);
      await fitCoupons(inside, id, cost);
      return order;
    });
  },
  remove: async (scope, id) => {
    await assertNoUses(scope, id);
    return orders.remove(scope, id);
  },
};

/**
 * Asserts that no movement of a balance is about an order: movements stay, and so does their order.
 *
 * @throws DomainError INVALID_STATE.
 */
async function assertNoMovements({ whole, companyId }: CompanyScope, id: number): Promise<void> {
  const about = { companyId, relatedType: "order", relatedId: BigInt(id) };
  if ((await whole.db.balanceMovement.count({ where: about })) === 0) return;
  throw new DomainError(
    "INVALID_STATE",
    "Movements of balances are about the order, so it is kept: cancel it instead.",
  );
}

/**
 * Asserts that an order has never used a coupon, also none that it gave back: uses stay on record, and so does their order.
 *
 * @throws DomainError CONFLICT, which says what to do instead.
 */
async function assertNoUses(scope: CompanyScope, id: number): Promise<void> {
  const { whole, companyId } = scope;
  const uses = await whole.db.couponRedemption.count({ where: { companyId, orderId: id } });
  if (uses === 0) return;
  const { status } = await orders.get(scope, id);
  const kept = `The order has ${uses === 1 ? "a use" : `${uses} uses`} of coupons on record, so it is kept`;
  const way = status === "canceled" ? "it is canceled already" : "cancel it instead, which gives them back";
  throw new DomainError("CONFLICT", `${kept}: ${way}.`);
}

/**
 * Asserts that an order keeps its currency after money or a use of a coupon is on it.
 *
 * @throws DomainError INVALID_STATE.
 */
async function assertCurrencyMayBe(scope: CompanyScope, id: number, currencyIso: string): Promise<void> {
  const { db, whole, companyId } = scope;
  await lockOrder(scope, id);
  const order = await db.order.findFirst({ where: { companyId, id }, select: { currencyIso: true } });
  if (order === null || order.currencyIso === currencyIso) return;
  const [movements, uses, holds] = [
    await whole.db.balanceMovement.count({
      where: { companyId, relatedType: "order", relatedId: BigInt(id) },
    }),
    await whole.db.couponRedemption.count({ where: { companyId, orderId: id, returnedAt: null } }),
    await whole.db.couponHold.count({ where: { companyId, orderId: id } }),
  ];
  if (movements + uses + holds > 0)
    throw new DomainError(
      "INVALID_STATE",
      `Money or coupons are on the order in ${order.currencyIso}: its currency stays.`,
    );
}

/**
 * The lines of an order as they are stored: what was chosen without a price costs what it costs in a cart.
 *
 * @throws DomainError VALIDATION_FAILED for choices that the good does not offer at the branch.
 */
async function storedItems(scope: CompanyScope, branchId: number | null, items: readonly ChosenItem[]) {
  const { totals, errors } = await priceChoices(scope, branchId, items);
  if (errors.length > 0) throw validationFailed(errors);
  return items.map(({ goodId, quantity, totalPriceE2, properties }, place) => ({
    ...{ goodId, quantity, totalPriceE2: totals.get(place) ?? totalPriceE2 ?? null },
    properties: properties?.map(({ propertyId, value }) => ({ propertyId, value })) ?? NO_JSON,
  }));
}

/**
 * Writes an order with its goods.
 *
 * @param readAgain reads an order that was there: goods that are replaced move its version.
 */
function writeWithItems(
  scope: CompanyScope,
  input: object,
  write: (inside: CompanyScope, values: object) => Promise<Order>,
  readAgain?: (inside: CompanyScope) => Promise<Order>,
): Promise<Order> {
  const { items, ...values } = input as { items?: readonly ChosenItem[] };
  if (items === undefined) return write(scope, values);
  return scope.transaction(async (inside) => {
    const { db, companyId } = inside;
    const order = await write(inside, values);
    const orderId = order.id;
    const lines = await storedItems(inside, order.branchId, items);
    if (readAgain !== undefined) {
      if (await hasLines(inside, orderId, lines)) return order;
      await db.orderItem.deleteMany({ where: { companyId, orderId } });
    }
    await db.orderItem.createMany({ data: lines.map((line) => ({ companyId, orderId, ...line })) });
    return readAgain?.(inside) ?? order;
  });
}

/** Whether these are the lines of an order already, in this order. Nobody else changes them until the transaction ends. */
async function hasLines(scope: CompanyScope, orderId: number, lines: readonly object[]): Promise<boolean> {
  const { db, companyId } = scope;
  await lockOrder(scope, orderId);
  const stored = await db.orderItem.findMany({ where: { companyId, orderId }, orderBy: [{ id: "asc" }] });
  return (
    stored.length === lines.length && stored.every((line, place) => hasValues(line, lines[place] as object))
  );
}

/** What an input says of the purchase. */
type Sent = Partial<Record<"subtotalE2" | "deliveryE2" | "totalE2", number>> &
  Partial<Pick<PurchaseOfOrder, "clientId" | "branchId" | "source">> & { readonly status?: string };

/** What the uses of coupons were judged by. */
const JUDGED = ["clientId", "branchId", "source"] as const;
const PRICES = ["subtotalE2", "deliveryE2", "totalE2"] as const;

/**
 * Gives back what the coupons of an order give beyond its lines and its delivery, which may cost less by now. It stays as
 * large as what they give together.
 *
 * @param cost names what was changed of its costs.
 * @throws DomainError VALIDATION_FAILED with rule `coupons`.
 */
async function fitCoupons(scope: CompanyScope, id: number, cost: string): Promise<void> {
  const prices = await lockOrder(scope, id);
  await fitCouponsToOrder(scope, id);
  const givenE2 = await discountsOfOrder(scope, id);
  if (prices === undefined || givenE2 === null || givenE2 <= subtotalOf(prices) + prices.deliveryE2) return;
  throw invalidField(cost, "coupons", `makes the order smaller than its coupons' ${formatAmount(givenE2)}`);
}

/**
 * Asserts that an order stays what its coupons were judged by: its client, branch and source. An order that is canceled gives
 * them back.
 *
 * @throws DomainError VALIDATION_FAILED with rule `coupons`.
 */
async function assertFitsCoupons(
  scope: CompanyScope,
  id: number,
  { sent, stored }: { sent: Sent; stored: PurchaseOfOrder },
): Promise<void> {
  const changed = JUDGED.find((field) => sent[field] !== undefined && sent[field] !== stored[field]);
  if (sent.status === "canceled" || changed === undefined) return;
  if ((await discountsOfOrder(scope, id)) === null) return;
  throw invalidField(changed, "coupons", "stays while the order has coupons; return them first");
}

/**
 * Adds total and currency to the values of a new order.
 *
 * @throws DomainError VALIDATION_FAILED with rule `max` when subtotal and delivery together exceed the largest amount, with
 *   rule `coupons` when the coupons of an order do not fit it any more.
 */
async function prepare(scope: CompanyScope, input: Values, id: number | null): Promise<Values> {
  const sent = input as Sent;
  if (id !== null && typeof input["currencyIso"] === "string")
    await assertCurrencyMayBe(scope, id, input["currencyIso"]);
  if (id !== null && [...JUDGED, ...PRICES].every((field) => sent[field] === undefined)) return input;
  const stored = id === null ? undefined : await lockOrder(scope, id);
  const valueOf = (field: (typeof PRICES)[number]): bigint => BigInt(sent[field] ?? stored?.[field] ?? 0);
  const prices = {
    subtotalE2: valueOf("subtotalE2"),
    deliveryE2: valueOf("deliveryE2"),
    totalE2: valueOf("totalE2"),
  };
  if (stored !== undefined) await assertFitsCoupons(scope, id as number, { sent, stored });
  const totalE2 = prices.subtotalE2 + prices.deliveryE2;
  if (totalE2 > Number.MAX_SAFE_INTEGER) {
    const field = sent.deliveryE2 === undefined ? "subtotalE2" : "deliveryE2";
    throw invalidField(field, "max", `subtotal and delivery must be <= ${Number.MAX_SAFE_INTEGER} together`);
  }
  // An update leaves the total as it is unless it is sent: a total may hold more than these two.
  return id === null ? { currencyIso: scope.company.currencyIso, totalE2, ...input } : input;
}
