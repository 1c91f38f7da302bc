import DataLoader from "dataloader";
import {
  DomainError,
  type FieldError,
  invalidField,
  notFound,
  validationFailed,
} from "../../core/errors/domain-error.js";
import type { Connection } from "../../core/lists/connection.js";
import type { ListArguments } from "../../core/lists/list-definition.js";
import { listPage } from "../../core/lists/list-page.js";
import { scaledInteger } from "../../core/money.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { Prisma } from "../../generated/prisma/client.js";
import type { CartGood, Extra } from "./cart-good.js";
import type { CreateCartItemInput, UpdateCartItemInput } from "./cart-item.inputs.js";
import {
  type CartItem,
  cartItemList,
  type CartItemRow,
  type CartItemSnapshot,
  MOST_ITEMS,
} from "./cart-item.model.js";
import { isStillValid, price, quantityErrors, stockErrors, stockText } from "./cart-item.rules.js";
import {
  lockCart,
  type LockedCart,
  quantityBesides,
  readCartGood,
  readStandingRows,
  type StandingRow,
} from "./cart-item.sql.js";
import { limitErrors, limitSince } from "./cart-limit.rules.js";
import { applyPromo } from "./cart-promo.service.js";
import { snapshotOf } from "./cart-snapshot.rules.js";
import { cartService } from "./cart.service.js";

const STOCK_DECIMALS = 3;

/** The rows of a cart. @throws DomainError NOT_FOUND for a cart that the caller may not see. */
export async function listCartItems(
  scope: CompanyScope,
  cartId: number,
  args: ListArguments,
): Promise<Connection<CartItem>> {
  await cartService.get(scope, cartId);
  const { db, companyId, selected } = scope;
  const source = { delegate: db.cartItem, where: { companyId, cartId }, select: selected("CartItem") };
  return listPage(cartItemList, source, args);
}

/** One row of a cart that the caller may see. @throws DomainError NOT_FOUND. */
export async function getCartItem({ db, companyId, caller }: CompanyScope, id: number): Promise<CartItemRow> {
  const own = caller.kind === "client" ? { cart: { companyId, clientId: caller.id } } : {};
  const row = await db.cartItem.findFirst({ where: { companyId, id, ...own } });
  if (row === null) throw notFound("CartItem");
  return row;
}

/**
 * Puts a good into a cart. Changes of one cart, and of all carts of one client, come one after the other, so that no
 * limit is passed.
 *
 * @throws DomainError NOT_FOUND; VALIDATION_FAILED with all that is wrong; INVALID_STATE when the cart is full.
 */
export function createCartItem(
  scope: CompanyScope,
  cartId: number,
  input: CreateCartItemInput,
): Promise<CartItemRow> {
  return changeCart(scope, cartId, async (inside, cart) => {
    const { db, companyId } = inside;
    const good = await readCartGood(inside, input.goodId, cart.branchId);
    if (good === null || good.isDeleted || !good.isOfShop)
      throw invalidField("goodId", "exists", `${input.goodId} is no good that the cart's branch sells`);
    if (good.isDisabled)
      throw invalidField("goodId", "unavailable", "is not sold at the cart's branch at present");
    const count = await db.cartItem.count({ where: { companyId, cartId } });
    if (count >= MOST_ITEMS) throw new DomainError("INVALID_STATE", `A cart has at most ${MOST_ITEMS} rows.`);
    const values = await valuesOf(inside, { cart, good, stored: null, input });
    const { id } = await db.cartItem.create({ data: { ...values, companyId, cartId, goodId: good.goodId } });
    await applyPromo(inside, cart);
    return getCartItem(inside, id);
  });
}

/**
 * Changes a row of a cart and prices it anew, by what its good costs now.
 *
 * @throws DomainError NOT_FOUND; VALIDATION_FAILED; INVALID_STATE when the good is not sold any more.
 */
export async function updateCartItem(
  scope: CompanyScope,
  id: number,
  input: UpdateCartItemInput,
): Promise<CartItemRow> {
  const { cartId } = await getCartItem(scope, id);
  return changeCart(scope, cartId, async (inside, cart) => {
    const { db, companyId } = inside;
    const stored = await getCartItem(inside, id);
    const good = await readCartGood(inside, stored.goodId, cart.branchId);
    if (good === null || good.isDeleted || good.isDisabled || !good.isOfShop)
      throw new DomainError("INVALID_STATE", "The good is not sold any more; the row can only be deleted.");
    const data = await valuesOf(inside, { cart, good, stored, input });
    await db.cartItem.updateMany({ where: { companyId, id }, data });
    await applyPromo(inside, cart);
    return getCartItem(inside, id);
  });
}

/** Takes a row out of its cart. @returns the row as it was. @throws DomainError NOT_FOUND. */
export async function deleteCartItem(scope: CompanyScope, id: number): Promise<CartItemRow> {
  const { cartId } = await getCartItem(scope, id);
  return changeCart(scope, cartId, async (inside, cart) => {
    const { db, companyId } = inside;
    const row = await getCartItem(inside, id);
    await db.cartItem.deleteMany({ where: { companyId, id } });
    await applyPromo(inside, cart);
    return row;
  });
}

/** Whether a row can still be bought as it was written; rows that are asked for together are read by one statement. */
export function isValidNow(scope: CompanyScope, id: number): Promise<boolean> {
  let loader = validity.get(scope);
  if (loader === undefined) {
    loader = new DataLoader<number, boolean>(async (ids) => {
      const rows = await readStandingRows(scope, ids);
      const valid = new Set(rows.filter(stands).map(({ itemId }) => itemId));
      return ids.map((one) => valid.has(one));
    });
    validity.set(scope, loader);
  }
  // What was valid before a change within the same request may not be any more.
  return loader.clear(id).load(id);
}

const validity = new WeakMap<CompanyScope, DataLoader<number, boolean>>();

function stands(row: StandingRow): boolean {
  const snapshot = row.snapshot as CartItemSnapshot;
  return isStillValid({
    good: row,
    wish: { quantity: row.quantity, extras: extrasOf(row.extras) },
    branchGoodId: row.itemBranchGoodId,
    basePriceE2: BigInt(snapshot.basePriceE2),
    choicePrices: snapshot.properties,
    taken: scaledInteger(row.taken, STOCK_DECIMALS),
  });
}

/** Changes a cart that nobody else changes meanwhile. @throws DomainError NOT_FOUND. */
function changeCart<T>(
  scope: CompanyScope,
  cartId: number,
  change: (inside: CompanyScope, cart: LockedCart) => Promise<T>,
): Promise<T> {
  return scope.transaction(async (inside) => {
    const cart = await lockCart(inside, cartId);
    if (cart === null) throw notFound("Cart");
    return change(inside, cart);
  });
}

interface Writing {
  readonly cart: LockedCart;
  readonly good: CartGood;
  /** The row that changes; null for a new one. */
  readonly stored: CartItemRow | null;
  readonly input: UpdateCartItemInput;
}

/** The columns of a row that is written. @throws DomainError VALIDATION_FAILED with all that is wrong. */
async function valuesOf(scope: CompanyScope, writing: Writing) {
  const { cart, good, stored, input } = writing;
  const quantity = input.quantity ?? stored?.quantity ?? 1;
  const notes = input.notes === undefined ? (stored?.notes ?? null) : input.notes;
  const extras = input.extras === undefined ? extrasOf(stored?.extras) : (input.extras ?? []);
  const stock = input.stock === undefined ? (stored?.stock?.toFixed(STOCK_DECIMALS) ?? null) : input.stock;
  const { priced, errors } = price(good, { quantity, extras });
  const taken = largest(priced.stock, stock === null ? 0n : scaledInteger(String(stock), STOCK_DECIMALS));
  const others = await othersOf(scope, writing);
  const wrong = [
    ...errors,
    ...quantityErrors(good, quantity),
    // What is there already may stay, and become less, when orders have used the limit up meanwhile.
    ...(stored !== null && quantity <= stored.quantity ? [] : limitErrors(good, quantity, others.quantity)),
    ...stockErrors(good, taken, others.taken),
    ...noteErrors(scope, good, input),
  ];
  if (wrong.length > 0) throw validationFailed(wrong);
  return {
    branchGoodId: good.branchGoodId,
    ...(input.providerId !== undefined && { providerId: input.providerId }),
    quantity,
    stock,
    stockTaken: stockText(taken),
    extras:
      extras.length === 0 ? Prisma.DbNull : extras.map(({ propertyId, value }) => ({ propertyId, value })),
    notes,
    snapshot: { ...snapshotOf(cart, good, { quantity, notes, priced }) } as object,
  };
}

/** How much of the good counts besides: in the other rows of the cart and, for limits of a time, in the client's orders and other carts. */
async function othersOf(
  scope: CompanyScope,
  { cart, good, stored }: Writing,
): Promise<{ quantity: bigint; taken: bigint }> {
  const { db, companyId, company, at } = scope;
  const { goodId } = good;
  const where = { companyId, cartId: cart.id, goodId, ...(stored !== null && { id: { not: stored.id } }) };
  const rows = await db.cartItem.findMany({ where, select: { quantity: true, stockTaken: true } });
  const quantity = rows.reduce((sum, row) => sum + BigInt(row.quantity), 0n);
  const taken = rows.reduce((sum, { stockTaken }) => sum + thousandths(stockTaken), 0n);
  const since = limitSince(good.limitType, at, company.timeZoneOffset);
  if (good.maxQuantity === null || since === null || cart.clientId === null) return { quantity, taken };
  const place = { clientId: cart.clientId, cartId: cart.id, goodId, since };
  return { quantity: quantity + (await quantityBesides(scope, place)), taken };
}

function noteErrors(
  { caller }: CompanyScope,
  { notesEnabled }: CartGood,
  { notes }: UpdateCartItemInput,
): FieldError[] {
  if (caller.kind !== "client" || notesEnabled || notes == null || notes === "") return [];
  return [{ field: "notes", rule: "forbidden", message: "the good takes no notes" }];
}

function extrasOf(stored: unknown): Extra[] {
  return (stored ?? []) as Extra[];
}

function thousandths(stock: Prisma.Decimal): bigint {
  return scaledInteger(stock.toFixed(STOCK_DECIMALS), STOCK_DECIMALS);
}

function largest(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
