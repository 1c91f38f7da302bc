import { invalidField } from "../../core/errors/domain-error.js";
import { formatAmount } from "../../core/money.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { type Order, orderList } from "./order.model.js";
import { discountsOfOrder, lockOrderAmounts } from "./order.sql.js";
import { resourceService, type ResourceService, type Values } from "../../core/resources/resource-service.js";

const orders = resourceService<Order>("Order", orderList, { prepare: withTotal });

/** Orders with their goods, which are written along. */
export const orderService: ResourceService<Order> = {
  ...orders,
  create: (scope, input) => writeWithItems(scope, input, (inside, values) => orders.create(inside, values)),
  update: (scope, id, input) =>
    writeWithItems(scope, input, (inside, values) => orders.update(inside, id, values)),
};

interface OrderItemValues {
  readonly goodId: number;
  readonly quantity: number;
}

function writeWithItems(
  scope: CompanyScope,
  input: object,
  write: (inside: CompanyScope, values: object) => Promise<Order>,
): Promise<Order> {
  const { items, ...values } = input as { items?: readonly OrderItemValues[] };
  if (items === undefined) return write(scope, values);
  return scope.transaction(async (inside) => {
    const { db, companyId } = inside;
    const order = await write(inside, values);
    const orderId = order.id;
    await db.orderItem.deleteMany({ where: { companyId, orderId } });
    await db.orderItem.createMany({ data: items.map((item) => ({ companyId, orderId, ...item })) });
    return order;
  });
}

interface SentAmounts {
  readonly subtotalE2?: number;
  readonly deliveryE2?: number;
  readonly totalE2?: number;
}

/**
 * Asserts that an order stays as large as what its coupons give; a coupon that gives too much is returned first.
 *
 * @throws DomainError VALIDATION_FAILED with rule `coupons`.
 */
async function assertCoversDiscounts(
  scope: CompanyScope,
  id: number,
  { sent, goodsE2 }: { sent: SentAmounts; goodsE2: bigint },
): Promise<void> {
  const takenE2 = await discountsOfOrder(scope, id);
  if (takenE2 <= goodsE2) return;
  const field =
    sent.subtotalE2 !== undefined ? "subtotalE2" : sent.deliveryE2 !== undefined ? "deliveryE2" : "totalE2";
  throw invalidField(field, "coupons", `makes the order smaller than its coupons' ${formatAmount(takenE2)}`);
}

/**
 * Adds total and currency to the values of a new order.
 *
 * @throws DomainError VALIDATION_FAILED with rule `max` when subtotal and delivery together exceed the largest amount, with
 *   rule `coupons` when they are less than what the order's coupons give.
 */
async function withTotal(scope: CompanyScope, input: Values, id: number | null): Promise<Values> {
  const sent = input as SentAmounts;
  const isPriced =
    sent.subtotalE2 !== undefined || sent.deliveryE2 !== undefined || sent.totalE2 !== undefined;
  if (id !== null && !isPriced) return input;
  const stored = id === null ? undefined : await lockOrderAmounts(scope, id);
  const totalE2 =
    BigInt(sent.subtotalE2 ?? stored?.subtotalE2 ?? 0) + BigInt(sent.deliveryE2 ?? stored?.deliveryE2 ?? 0);
  if (stored !== undefined) {
    const goodsE2 = totalE2 === 0n ? BigInt(sent.totalE2 ?? stored.totalE2) : totalE2;
    await assertCoversDiscounts(scope, id as number, { sent, goodsE2 });
  }
  if (totalE2 > Number.MAX_SAFE_INTEGER) {
    const field = sent.deliveryE2 === undefined ? "subtotalE2" : "deliveryE2";
    throw invalidField(field, "max", `subtotal and delivery must be <= ${Number.MAX_SAFE_INTEGER} together`);
  }
  // An update leaves the total as it is unless it is sent: a total may hold more than these two.
  return id === null ? { currencyIso: scope.company.currencyIso, totalE2, ...input } : input;
}
