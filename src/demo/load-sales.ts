import type { DemoTarget } from "./demo-target.js";
import { insertRows } from "./insert-rows.js";
import type { LoadedGood } from "./load-goods.js";
import type { LoadedBranch, LoadedShops } from "./load-shops.js";
import type { LoadedAdmins } from "./load-admins.js";
import { minutesBefore } from "./moment.js";
import type { Random } from "./random.js";

const ORDERS = 160;
const CARTS = 24;
const DAY = 24 * 60;

interface SalesContext {
  readonly shops: LoadedShops;
  readonly clients: readonly number[];
  readonly admins: LoadedAdmins;
  readonly goods: readonly LoadedGood[];
}

/** Favourites, main admins, carts and orders of the clients. */
export async function loadSales(target: DemoTarget, context: SalesContext): Promise<void> {
  const { db, companyId, random } = target;
  const { shops, clients, admins, goods } = context;
  await insertRows(
    db,
    "ClientFavorite",
    clients.flatMap((clientId) =>
      random
        .sample(goods, random.int(0, 6))
        .map((good, index) => ({ companyId, clientId, goodId: good.id, inOrder: index + 1 })),
    ),
  );
  await insertRows(
    db,
    "ClientAdmin",
    clients.flatMap((clientId) =>
      random
        .sample(admins, random.int(1, 2))
        .map((adminId, index) => ({ companyId, clientId, adminId, isMain: index === 0 })),
    ),
  );
  await insertRows(
    db,
    "Cart",
    random.sample(clients, CARTS).map((clientId) => {
      const createdAt = minutesBefore(random.int(5, 3 * DAY));
      return {
        companyId,
        clientId,
        branchId: random.pick(shops.branches).id,
        createdAt,
        updatedAt: createdAt,
      };
    }),
  );
  await loadOrders(target, context);
}

/** Orders with their goods, oldest first, so that ids and times agree. */
async function loadOrders(target: DemoTarget, context: SalesContext): Promise<void> {
  const { db, companyId, random } = target;
  const orders = Array.from({ length: ORDERS }, (_, index) =>
    orderOf(target, context, Math.ceil(((ORDERS - index) * 90 * DAY) / ORDERS) - random.int(0, DAY / 2)),
  );
  const rows = await insertRows(
    db,
    "Order",
    orders.map(({ order }) => order),
    ["id"],
  );
  const ids = rows.map(({ id }) => id).sort((one, other) => one - other);
  await insertRows(
    db,
    "OrderItem",
    orders.flatMap(({ items, order: { createdAt } }, index) =>
      items.map(({ good, quantity }) => ({
        companyId,
        orderId: ids[index] as number,
        goodId: good.id,
        quantity,
        createdAt,
      })),
    ),
  );
}

function orderOf(target: DemoTarget, { shops, clients, goods }: SalesContext, minutesAgo: number) {
  const { companyId, data, random } = target;
  const branch = random.pick(shops.branches);
  const status = statusOf(minutesAgo, random);
  const items = basket(branch, goods, random);
  const subtotalE2 = items.reduce((total, { good, quantity }) => total + good.priceE2 * quantity, 0);
  const deliveryE2 = random.chance(0.8) ? random.int(4, 14) * 50 : 0;
  const isServed = status === "paid" || status === "delivered";
  const providers = isServed ? random.sample(shops.providersOf.get(branch.shopId) ?? [], 2) : [];
  const [delivererId = null, shopperId = null] = providers;
  const order = {
    companyId,
    clientId: random.pick(clients),
    branchId: branch.id,
    shopperId,
    delivererId,
    shopperFeeE2: shopperId === null ? 0 : Math.round(subtotalE2 / 20),
    delivererFeeE2: delivererId === null ? 0 : Math.round((deliveryE2 * 4) / 5),
    subtotalE2,
    deliveryE2,
    totalE2: subtotalE2 + deliveryE2,
    currencyIso: data.profile.settings.currencyIso,
    source: random.pick(data.people.orderSources),
    status,
    createdAt: minutesBefore(minutesAgo),
    updatedAt: minutesBefore(minutesAgo - Math.min(minutesAgo, random.int(1, 90))),
  };
  return { order, items };
}

/** Orders of the last days are still open, nearly all others were delivered. */
function statusOf(minutesAgo: number, random: Random): string {
  if (minutesAgo < 4 * DAY) return random.pick(["created", "paid"]);
  return random.chance(0.88) ? "delivered" : "canceled";
}

/** One to five goods of the branch's shop. */
function basket(
  branch: LoadedBranch,
  goods: readonly LoadedGood[],
  random: Random,
): { readonly good: LoadedGood; readonly quantity: number }[] {
  const offered = goods.filter(({ shopId }) => shopId === branch.shopId);
  return random.sample(offered, random.int(1, 5)).map((good) => ({ good, quantity: random.int(1, 3) }));
}
