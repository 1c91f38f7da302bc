import { type CartGood } from "../slices/carts/cart-good.js";
import { price, quantityErrors, stockErrors, stockText } from "../slices/carts/cart-item.rules.js";
import { readCartGoods } from "../slices/carts/cart-item.sql.js";
import { snapshotOf } from "../slices/carts/cart-snapshot.rules.js";
import { Prisma } from "../generated/prisma/client.js";
import type { DemoTarget } from "./demo-target.js";
import { insertRows } from "./insert-rows.js";
import type { LoadedGood } from "./load-goods.js";
import type { LoadedShops } from "./load-shops.js";

const GOODS = 3;

/** Goods in the carts, as far as the branches have them, priced by the rules of the service. */
export async function loadCartItems(
  { db, companyId, random }: DemoTarget,
  { shops, goods }: { shops: LoadedShops; goods: readonly LoadedGood[] },
): Promise<void> {
  const shopOf = new Map(shops.branches.map(({ id, shopId }) => [id, shopId]));
  const carts = await db.cart.findMany({ where: { companyId }, orderBy: [{ id: "asc" }] });
  const wanted = carts.flatMap((cart) => {
    const offered = goods.filter(({ shopId }) => shopId === shopOf.get(cart.branchId ?? 0));
    return random.sample(offered, GOODS).map(({ id }) => ({ goodId: id, branchId: cart.branchId, cart }));
  });
  const rows = <Row>(statement: Prisma.Sql) => db.$queryRaw<Row[]>(statement);
  const found = await readCartGoods({ companyId, rows }, wanted);
  await insertRows(
    db,
    "CartItem",
    found.flatMap((good) => {
      const cart = wanted[good.place - 1]?.cart;
      const item = cart === undefined ? null : itemOf(cart, good);
      return cart === undefined || item === null
        ? []
        : [{ ...item, companyId, cartId: cart.id, createdAt: cart.createdAt, updatedAt: cart.updatedAt }];
    }),
  );
}

/** The row of a good with the first choice of each property; `null` when the branch has none left. */
function itemOf(cart: { clientId: number | null; branchId: number | null }, good: CartGood) {
  const { goodId, branchGoodId, unitConfig, properties } = good;
  const extras = properties.flatMap(({ propertyId, choices: [first] }) =>
    first === undefined ? [] : [{ propertyId, value: first.name }],
  );
  const quantity = unitConfig?.enabled === true ? unitConfig.minQuantity : 1;
  const { priced, errors } = price(good, { quantity, extras });
  const wrong = [...errors, ...quantityErrors(good, quantity), ...stockErrors(good, priced.stock, 0n)];
  if (good.isDisabled || wrong.length > 0) return null;
  return {
    goodId,
    branchGoodId,
    quantity,
    stockTaken: stockText(priced.stock),
    extras: extras.length === 0 ? Prisma.DbNull : extras,
    snapshot: { ...snapshotOf(cart, good, { quantity, notes: null, priced }) } as object,
  };
}
