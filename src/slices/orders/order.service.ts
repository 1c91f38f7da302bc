import { DomainError, invalidField, validationFailed } from "../../core/errors/domain-error.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { NO_JSON } from "../../core/db/db.js";
import { hasValues } from "../../core/db/has-values.js";
import { type ChosenItem, priceChoices } from "../carts/choice-prices.service.js";
import { type Order, orderList } from "./order.model.js";
import { fitCoupons, JUDGED, judgedErrors, type SentPurchase } from "./order-coupons.service.js";
import { NO_PRICES, PRICES, tooLarge } from "./order-price.rules.js";
import { keepClient, lockOrder } from "./order.sql.js";
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
    const { currencyIso, ...sent } = input as SentPurchase & { readonly currencyIso?: string };
    const cost =
      sent.status === "canceled"
        ? undefined
        : [...PRICES, "items" as const].find((field) => sent[field] !== undefined);
    if (cost === undefined && currencyIso === undefined) return write(scope);
    return scope.transaction(async (inside) => {
      const refusal = currencyIso === undefined ? null : await refusalOfCurrency(inside, id, currencyIso);
      const order = await write(inside);
      if (cost !== undefined) await fitCoupons(inside, id, cost);
      // The state of the order refuses it only after all wrong fields have been told (contract §6.3).
      if (refusal !== null) throw refusal;
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

/** The refusal of another currency for an order that has money or a use of a coupon on it; `null` where it may have it. */
async function refusalOfCurrency(
  scope: CompanyScope,
  id: number,
  currencyIso: string,
): Promise<DomainError | null> {
  const { db, whole, companyId } = scope;
  await lockOrder(scope, id);
  const order = await db.order.findFirst({ where: { companyId, id }, select: { currencyIso: true } });
  if (order === null || order.currencyIso === currencyIso) return null;
  const [movements, uses, holds] = [
    await whole.db.balanceMovement.count({
      where: { companyId, relatedType: "order", relatedId: BigInt(id) },
    }),
    await whole.db.couponRedemption.count({ where: { companyId, orderId: id, returnedAt: null } }),
    await whole.db.couponHold.count({ where: { companyId, orderId: id } }),
  ];
  if (movements + uses + holds === 0) return null;
  return new DomainError(
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
  const { clientId } = values as { readonly clientId?: number | null };
  return scope.transaction(async (inside) => {
    const { db, companyId } = inside;
    // What a client has chosen in words is gone when the client is erased: nothing is added behind that.
    if (clientId != null && !(await keepClient(inside, clientId)))
      throw invalidField("clientId", "exists", `${clientId} does not exist`);
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

/**
 * Adds total and currency to the values of a new order.
 *
 * @throws DomainError VALIDATION_FAILED with rule `max` when subtotal and delivery together exceed the largest amount, with
 *   rule `coupons` when the coupons of an order do not fit it any more.
 */
async function prepare(scope: CompanyScope, input: Values, id: number | null): Promise<Values> {
  const sent = input as SentPurchase;
  if (id !== null && [...JUDGED, ...PRICES].every((field) => sent[field] === undefined)) return input;
  const stored = id === null ? undefined : await lockOrder(scope, id);
  const errors = [
    ...(stored === undefined ? [] : await judgedErrors(scope, id as number, { sent, stored })),
    ...tooLarge(sent, stored ?? NO_PRICES),
  ];
  if (errors.length > 0) throw validationFailed(errors);
  if (id !== null) return input;
  // An update leaves the total as it is unless it is sent: a total may hold more than these two.
  const totalE2 = BigInt(sent.subtotalE2 ?? 0) + BigInt(sent.deliveryE2 ?? 0);
  return { currencyIso: scope.company.currencyIso, totalE2, ...input };
}
