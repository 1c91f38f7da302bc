import DataLoader from "dataloader";
import { DomainError, invalidField, notFound, validationFailed } from "../../core/errors/domain-error.js";
import type { Connection } from "../../core/lists/connection.js";
import type { ListArguments } from "../../core/lists/list-definition.js";
import { listPage } from "../../core/lists/list-page.js";
import { scaledInteger } from "../../core/money.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { NO_JSON } from "../../core/db/db.js";
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
  type AskedSnapshot,
  type FilledCart,
  lockCart,
  readCartAndGood,
  readStandingRows,
  type StandingRow,
  type StoredItem,
} from "./cart-item.sql.js";
import { limitErrors } from "./cart-limit.rules.js";
import { takenBesides } from "./cart-limits.service.js";
import {
  applyPromos,
  keepShares,
  pricedItem,
  type Shared,
  shareNow,
  sharePromos,
} from "./cart-promo.service.js";
import { isPricedAlike, snapshotOf, type StoredSnapshot } from "./cart-snapshot.rules.js";
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
  return scope.transaction(async (inside) => {
    const { db, companyId } = inside;
    const { goodId } = input;
    if ((await lockCart(inside, { cartId })) === null) throw notFound("Cart");
    const found = await readCartAndGood(inside, cartId, { goodId });
    if (found === null || found.isDeleted || !found.isOfShop)
      throw invalidField("goodId", "exists", `${goodId} is no good that the cart's branch sells`);
    if (found.isDisabled)
      throw invalidField("goodId", "unavailable", "is not sold at the cart's branch at present");
    if (found.items.length >= MOST_ITEMS)
      throw new DomainError("INVALID_STATE", `A cart has at most ${MOST_ITEMS} rows.`);
    const values = await pricedValues(inside, { cart: found, good: found, stored: null, input });
    return db.cartItem.create({ data: { ...values, companyId, cartId, goodId } });
  });
}

/**
 * Changes a row of a cart and prices it anew, by what its good costs now.
 *
 * @throws DomainError NOT_FOUND; VALIDATION_FAILED; INVALID_STATE when the good is not sold any more.
 */
export function updateCartItem(
  scope: CompanyScope,
  id: number,
  input: UpdateCartItemInput,
): Promise<CartItemRow> {
  return scope.transaction(async (inside) => {
    const { db, companyId } = inside;
    const cartId = await lockCart(inside, { itemId: id });
    const found = cartId === null ? null : await readCartAndGood(inside, cartId, { itemId: id });
    const stored = found?.items.find((item) => item.id === id);
    if (found === null || stored === undefined) throw notFound("CartItem");
    if (found.isDeleted || found.isDisabled || !found.isOfShop)
      throw new DomainError("INVALID_STATE", "The good is not sold any more; the row can only be deleted.");
    const data = await pricedValues(inside, { cart: found, good: found, stored, input });
    const [row] = await db.cartItem.updateManyAndReturn({ where: { companyId, id }, data });
    if (row === undefined) throw notFound("CartItem");
    return row;
  });
}

/** Takes a row out of its cart. @returns the row as it was. @throws DomainError NOT_FOUND. */
export function deleteCartItem(scope: CompanyScope, id: number): Promise<CartItemRow> {
  return scope.transaction(async (inside) => {
    const { db, companyId } = inside;
    const cartId = await lockCart(inside, { itemId: id });
    if (cartId === null) throw notFound("CartItem");
    const row = await getCartItem(inside, id);
    await db.cartItem.deleteMany({ where: { companyId, id } });
    await applyPromos(inside, cartId);
    return row;
  });
}

/** What a row was and cost when it was written, with what promos leave of its price by now. */
export async function snapshotNow(
  scope: CompanyScope,
  { id, snapshot: stored }: Pick<CartItemRow, "id" | "snapshot">,
): Promise<CartItemSnapshot> {
  const snapshot = stored as unknown as StoredSnapshot;
  // What this request wrote holds.
  if (snapshot.pricedAt === scope.at.toISOString()) return snapshot;
  return { ...snapshot, ...(await shareNow(scope, id)) };
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
  return isStillValid({
    good: row,
    wish: { quantity: row.quantity, extras: extrasOf(row.extras) },
    branchGoodId: row.itemBranchGoodId,
    snapshot: row.snapshot as CartItemSnapshot,
    taken: thousandths(row.taken),
  });
}

interface Writing {
  readonly cart: FilledCart & AskedSnapshot;
  readonly good: CartGood;
  /** The row that changes; null for a new one. */
  readonly stored: StoredItem | null;
  readonly input: UpdateCartItemInput;
}

/**
 * The columns of a row that is written, with its shares of promos; the other rows of the cart get theirs.
 *
 * @throws DomainError VALIDATION_FAILED.
 */
async function pricedValues(scope: CompanyScope, writing: Writing) {
  const { cart, good, stored } = writing;
  const { snapshot, ...values } = await valuesOf(scope, writing);
  const { quantity, originalTotalE2 } = snapshot;
  const place = stored === null ? cart.items.length : cart.items.indexOf(stored);
  const { goodId } = good;
  const items = cart.items
    .map(pricedItem)
    .toSpliced(place, 1, { goodId, quantity, originalTotalE2: BigInt(originalTotalE2) });
  const shared = await sharePromos(scope, cart, items);
  await keepShares(
    scope,
    cart.items.map((item) => (item === stored ? null : item)),
    shared,
  );
  const { promoId, totalPriceE2 } = shared[place] as Shared;
  const priced = { ...snapshot, promoId, totalPriceE2: Number(totalPriceE2) };
  // The moment of pricing alone is no change, which would move the version of the row.
  const kept = cart.snapshot;
  return { ...values, snapshot: (kept !== null && isPricedAlike(priced, kept) ? kept : priced) as object };
}

/** The columns of a row that is written, before promos. @throws DomainError VALIDATION_FAILED with all that is wrong. */
async function valuesOf(scope: CompanyScope, writing: Writing) {
  const { cart, good, stored, input } = writing;
  const quantity = input.quantity ?? stored?.quantity ?? 1;
  const notes = input.notes === undefined ? (stored?.notes ?? null) : input.notes;
  const extras = input.extras === undefined ? (stored?.extras ?? null) : input.extras;
  const stock = stockAfter(stored, input.stock);
  const { priced, errors } = price(good, { quantity, extras: extras ?? [] });
  const taken = largest(priced.stock, stock === null ? 0n : thousandths(String(stock)));
  const others = await othersOf(scope, writing);
  const wrong = [
    ...errors,
    ...quantityErrors(good, quantity),
    // What is there already may stay, and become less, when orders have used the limit up meanwhile.
    ...(stored !== null && quantity <= stored.quantity ? [] : limitErrors(good, quantity, others.quantity)),
    ...stockErrors(good, taken, others.taken),
  ];
  if (wrong.length > 0) throw validationFailed(wrong);
  return {
    branchGoodId: good.branchGoodId,
    ...(input.providerId !== undefined && { providerId: input.providerId }),
    quantity,
    stock,
    stockTaken: stockText(taken),
    extras: extras?.map(({ propertyId, value }) => ({ propertyId, value })) ?? NO_JSON,
    notes,
    snapshot: snapshotOf(
      { clientId: cart.ownerId, branchId: cart.branchId },
      good,
      { quantity, notes, priced },
      scope.at,
    ),
  };
}

/** The stock that the caller says the row takes. One that is sent as it is shown, of a row that takes what its quantity takes, says nothing. */
function stockAfter(
  stored: StoredItem | null,
  sent: number | null | undefined,
): StoredItem["stock"] | number {
  const isShown =
    stored !== null && stored.stock === null && sent != null && Number(stored.stockTaken) === sent;
  if (sent === undefined || isShown) return stored?.stock ?? null;
  return sent;
}

/**
 * How much of the good counts besides: in the other rows of the cart and, for limits of a time, in the client's orders and
 * other carts, to which nobody adds until the transaction ends.
 */
async function othersOf(
  scope: CompanyScope,
  { cart, good, stored }: Writing,
): Promise<{ quantity: bigint; taken: bigint }> {
  const rows = cart.items.filter((item) => item.goodId === good.goodId && item !== stored);
  const quantity = rows.reduce((sum, row) => sum + BigInt(row.quantity), 0n);
  const taken = rows.reduce((sum, { stockTaken }) => sum + thousandths(stockTaken), 0n);
  return { quantity: quantity + (await takenBesides(scope, cart, good)), taken };
}

function extrasOf(stored: unknown): Extra[] {
  return (stored ?? []) as Extra[];
}

function thousandths(stock: string): bigint {
  return scaledInteger(stock, STOCK_DECIMALS);
}

function largest(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
