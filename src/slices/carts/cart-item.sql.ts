import { sql, type Sql } from "../../core/db/sql.js";
import { callerIsGone } from "../../core/errors/domain-error.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import type { CartGood, Extra } from "./cart-good.js";
import type { StoredSnapshot } from "./cart-snapshot.rules.js";

/**
 * Locks a cart that the caller may write, by its id or that of one of its rows: nobody else changes it until the
 * transaction ends. A client that calls is locked with it: it is not deleted meanwhile.
 *
 * @returns its id; `null` when there is no such cart.
 * @throws DomainError UNAUTHENTICATED for a client that is deleted, whose token still counts for some seconds.
 */
export async function lockCart(
  scope: CompanyScope,
  by: { readonly cartId: number } | { readonly itemId: number },
): Promise<number | null> {
  const { companyId, caller } = scope;
  const id =
    "cartId" in by
      ? sql`${by.cartId}`
      : sql`(SELECT cart_id FROM cart_items WHERE company_id = ${companyId} AND id = ${by.itemId})`;
  if (caller.kind === "client") return lockOwnCart(scope, id, caller.id);
  const [cart] = await scope.rows<{ id: number }>(
    sql`
    SELECT id FROM carts WHERE company_id = ${companyId} AND id = ${id} FOR NO KEY UPDATE`,
    { plan: "kept" },
  );
  return cart?.id ?? null;
}

/** Locks a cart of the calling client, and the client behind it. */
async function lockOwnCart(
  { companyId, rows }: CompanyScope,
  id: Sql,
  clientId: number,
): Promise<number | null> {
  const [cart] = await rows<{ id: number; isDeleted: boolean }>(
    sql`
    SELECT c.id, n.deleted_at IS NOT NULL AS "isDeleted"
      FROM carts c JOIN clients n ON n.company_id = ${companyId} AND n.id = c.client_id
     WHERE c.company_id = ${companyId} AND c.id = ${id} AND c.client_id = ${clientId} FOR NO KEY UPDATE`,
    { plan: "kept" },
  );
  if (cart?.isDeleted === true) throw callerIsGone();
  return cart?.id ?? null;
}

/** A cart with all that is in it. */
export interface FilledCart {
  readonly cartId: number;
  /** The client; null also when it is deleted. */
  readonly clientId: number | null;
  /** Whose cart it is, also when the client is deleted. */
  readonly ownerId: number | null;
  readonly branchId: number | null;
  /** The oldest first. */
  readonly items: readonly StoredItem[];
}

/** A stored row of a cart, as far as the others and promos depend on it. Decimal numbers and amounts are texts. */
export interface StoredItem {
  readonly id: number;
  readonly goodId: number;
  readonly quantity: number;
  readonly stock: string | null;
  readonly stockTaken: string;
  readonly extras: readonly Extra[] | null;
  readonly notes: string | null;
  readonly originalTotalE2: string;
  readonly totalPriceE2: string;
  readonly promoId: number | null;
}

/** What the row that was asked for was and cost when it was written; null where a good was asked for. */
export interface AskedSnapshot {
  readonly snapshot: StoredSnapshot | null;
}

/** Reads a cart that is there. */
export async function readCart(scope: CompanyScope, cartId: number): Promise<FilledCart> {
  const [cart] = await readCarts(scope, [cartId]);
  if (cart === undefined) throw new Error(`there is no cart ${cartId}`);
  return cart;
}

/** Reads carts in the order of their ids, in one statement. */
export function readCarts(scope: CompanyScope, cartIds: readonly number[]): Promise<FilledCart[]> {
  const { companyId } = scope;
  return scope.rows<FilledCart>(
    sql`
    SELECT ${cartColumns(companyId)}
      FROM ${wantedCarts(companyId, sql`= ANY (${[...cartIds]}::int[])`, sql`NULL::int`)} ORDER BY w.cart_id`,
    { plan: "kept" },
  );
}

/**
 * Reads a cart, and a good as the cart's branch sells it, by the good's id or that of a row of the cart, all in one
 * statement.
 *
 * @returns `null` when there is no such good or row.
 */
export async function readCartAndGood(
  scope: CompanyScope,
  cartId: number,
  by: { readonly goodId: number } | { readonly itemId: number },
): Promise<(FilledCart & CartGood & AskedSnapshot) | null> {
  const { companyId } = scope;
  const ofItem = (column: Sql) =>
    "itemId" in by
      ? sql`
        (SELECT ${column} FROM cart_items WHERE company_id = ${companyId} AND id = ${by.itemId} AND cart_id = ${cartId})`
      : sql`NULL::jsonb`;
  const goodId = "goodId" in by ? sql`${by.goodId}::int` : ofItem(sql`good_id`);
  const [found] = await scope.rows<FilledCart & CartGood & AskedSnapshot>(
    sql`
    SELECT ${cartColumns(companyId)}, ${ofItem(sql`snapshot`)} AS "snapshot", ${GOOD_COLUMNS}
      FROM ${wantedCarts(companyId, sql`= ${cartId}`, goodId)} ${goodJoins(companyId)}`,
    { plan: "kept" },
  );
  return found ?? null;
}

/** The wanted carts, with the id of a good, as `w`. @param isWanted is the condition on the id of a cart. */
function wantedCarts(companyId: number, isWanted: Sql, goodId: Sql): Sql {
  return sql`(
        SELECT c.id AS cart_id, n.id AS client_id, c.client_id AS owner_id, c.branch_id, ${goodId} AS good_id
          FROM carts c
          LEFT JOIN clients n ON n.company_id = ${companyId} AND n.id = c.client_id AND n.deleted_at IS NULL
         WHERE c.company_id = ${companyId} AND c.id ${isWanted}
      ) w`;
}

/** The columns of a `FilledCart`, which is the wanted cart `w`. */
function cartColumns(companyId: number): Sql {
  return sql`
    w.cart_id AS "cartId", w.client_id AS "clientId", w.owner_id AS "ownerId", w.branch_id AS "branchId",
    (SELECT coalesce(jsonb_agg(jsonb_build_object(
              'id', i.id, 'goodId', i.good_id, 'quantity', i.quantity, 'stock', i.stock::text,
              'stockTaken', i.stock_taken::text, 'extras', i.extras, 'notes', i.notes,
              'originalTotalE2', i.snapshot->>'originalTotalE2', 'totalPriceE2', i.snapshot->>'totalPriceE2',
              'promoId', i.snapshot->'promoId') ORDER BY i.id), '[]')
       FROM cart_items i
      WHERE i.company_id = ${companyId} AND i.cart_id = w.cart_id) AS "items"`;
}

/**
 * Locks a client, whose limits count the rows of all its carts. Lock the cart first.
 *
 * @returns whether it is there.
 */
export async function lockClient({ companyId, rows }: CompanyScope, clientId: number): Promise<boolean> {
  const found = await rows(sql`
    SELECT id FROM clients
     WHERE company_id = ${companyId} AND id = ${clientId} AND deleted_at IS NULL FOR NO KEY UPDATE`);
  return found.length > 0;
}

/** A good at a branch. */
export interface GoodAt {
  readonly goodId: number;
  readonly branchId: number | null;
}

/** Reads goods as branches sell them, all in one statement; goods that do not exist are left out. */
export function readCartGoods(
  { companyId, rows }: Pick<CompanyScope, "companyId" | "rows">,
  wanted: readonly GoodAt[],
): Promise<(CartGood & { readonly place: number })[]> {
  const goodIds = wanted.map(({ goodId }) => goodId);
  const branchIds = wanted.map(({ branchId }) => branchId);
  return rows(
    sql`
    SELECT w.place::int AS "place", ${GOOD_COLUMNS}
      FROM unnest(${goodIds}::int[], ${branchIds}::int[]) WITH ORDINALITY AS w (good_id, branch_id, place)
      ${goodJoins(companyId)} ORDER BY w.place`,
    { plan: "kept" },
  );
}

/** A stored row of a cart with its good as it is now. */
export interface StandingRow extends CartGood {
  readonly itemId: number;
  readonly itemBranchGoodId: number | null;
  readonly quantity: number;
  readonly extras: unknown;
  readonly snapshot: unknown;
  /** What all rows of the cart with this good take of the stock, a decimal number. */
  readonly taken: string;
}

/** Reads rows of carts with their goods as they are now, all in one statement. */
export function readStandingRows(scope: CompanyScope, ids: readonly number[]): Promise<StandingRow[]> {
  const { companyId } = scope;
  return scope.rows<StandingRow>(
    sql`
    SELECT w.item_id AS "itemId", w.item_branch_good_id AS "itemBranchGoodId", w.quantity AS "quantity",
           w.extras AS "extras", w.snapshot AS "snapshot", w.taken::text AS "taken", ${GOOD_COLUMNS}
      FROM (
        SELECT i.id AS item_id, i.good_id, c.branch_id, i.branch_good_id AS item_branch_good_id, i.quantity,
               i.extras, i.snapshot,
               (SELECT sum(s.stock_taken) FROM cart_items s
                 WHERE s.company_id = ${companyId} AND s.cart_id = i.cart_id AND s.good_id = i.good_id) AS taken
          FROM cart_items i JOIN carts c ON c.company_id = ${companyId} AND c.id = i.cart_id
         WHERE i.company_id = ${companyId} AND i.id = ANY (${[...ids]}::int[])
      ) w ${goodJoins(companyId)}`,
    { plan: "kept" },
  );
}

/**
 * Counts how much of a good the client has ordered since a moment, and how much its other carts have taken since. Under
 * the lock of the client, no other cart takes more meanwhile.
 */
export async function quantityBesides(
  scope: CompanyScope,
  { clientId, cartId, goodId, since }: { clientId: number; cartId: number; goodId: number; since: Date },
): Promise<bigint> {
  const { companyId } = scope;
  const [row] = await scope.rows<{ quantity: bigint }>(sql`
    SELECT (
        SELECT coalesce(sum(i.quantity), 0)
          FROM carts c JOIN cart_items i ON i.company_id = ${companyId} AND i.cart_id = c.id
         WHERE c.company_id = ${companyId} AND c.client_id = ${clientId} AND c.id <> ${cartId}
           AND i.good_id = ${goodId} AND i.created_at >= ${since}::timestamptz
      )::bigint + (
        SELECT coalesce(sum(i.quantity), 0)
          FROM orders o JOIN order_items i ON i.company_id = ${companyId} AND i.order_id = o.id
         WHERE o.company_id = ${companyId} AND o.client_id = ${clientId} AND o.status <> 'canceled'
           AND o.created_at >= ${since}::timestamptz AND i.good_id = ${goodId}
      )::bigint AS quantity`);
  return row?.quantity ?? 0n;
}

/** A row of a cart with the price that its shares of promos leave. */
export interface Share {
  readonly id: number;
  /** The promo that gives most on it; null: none. */
  readonly promoId: number | null;
  readonly totalPriceE2: bigint;
}

/** A price with promos is found anew after so many seconds: hours and limits may have ended since. */
const PRICED_SECONDS = 60;

/**
 * The carts of some rows whose prices may not hold any more: a promo has begun, ended, been paused or changed since they
 * were priced; or promos run, and it was a while ago.
 */
export async function findStaleCarts(
  { companyId, rows, at }: CompanyScope,
  itemIds: readonly number[],
): Promise<number[]> {
  const found = await rows<{ cartId: number }>(sql`
    SELECT w.cart_id AS "cartId"
      FROM (
        SELECT s.cart_id, coalesce(max((s.snapshot ->> 'pricedAt')::timestamptz), '-infinity') AS priced_at
          FROM cart_items s
         WHERE s.company_id = ${companyId} AND s.cart_id IN (
           SELECT i.cart_id FROM cart_items i WHERE i.company_id = ${companyId} AND i.id = ANY (${[...itemIds]}::int[]))
         GROUP BY s.cart_id
      ) w
      CROSS JOIN (
        SELECT max(greatest(
                 p.updated_at,
                 CASE WHEN p.starts_at <= ${at}::timestamptz THEN p.starts_at END,
                 CASE WHEN p.ends_at <= ${at}::timestamptz THEN p.ends_at END
               )) AS changed_at,
               bool_or(p.deleted_at IS NULL AND p.status IN ('ready', 'running')) AS any_run
          FROM coupons p
         WHERE p.company_id = ${companyId} AND p.type = 'promo' AND p.status <> 'pending'
      ) p
     WHERE p.changed_at >= w.priced_at
        OR p.any_run AND w.priced_at < ${at}::timestamptz - ${PRICED_SECONDS} * interval '1 second'
     ORDER BY w.cart_id`);
  return found.map(({ cartId }) => cartId);
}

/** Writes what promos leave of the prices of rows, all in one statement. */
export async function writeShares(
  { db, companyId, at }: CompanyScope,
  shares: readonly Share[],
): Promise<void> {
  const pricedAt = at.toISOString();
  const priced = shares.map(({ promoId, totalPriceE2 }) =>
    JSON.stringify({ promoId, totalPriceE2: Number(totalPriceE2), pricedAt }),
  );
  await db.$executeRaw`
    UPDATE cart_items i
       SET snapshot = i.snapshot || w.priced, updated_at = now()
      FROM unnest(${shares.map(({ id }) => id)}::int[], ${priced}::jsonb[]) AS w (id, priced)
     WHERE i.company_id = ${companyId} AND i.id = w.id`;
}

const GOOD_COLUMNS = sql`
  g.id AS "goodId", g.name AS "name", g.short_details AS "shortDetails", g.details AS "details",
  g.picture_urls AS "pictureUrls", g.sku AS "sku", g.price_e2 AS "priceE2", g.type AS "type",
  g.provider_fee_e2 AS "providerFeeE2", g.provider_fee_prc::text AS "providerFeePrc",
  g.max_quantity AS "maxQuantity", g.limit_type AS "limitType",
  g.unit_config AS "unitConfig", g.deleted_at IS NOT NULL AS "isDeleted",
  g.branch_group_id IS NULL OR w.branch_id IS NULL OR x.id IS NOT NULL
    OR g.branch_group_id IS NOT DISTINCT FROM b.branch_group_id AS "isOfShop",
  x.id AS "branchGoodId", x.price_e2 AS "branchPriceE2", x.stock::text AS "branchStock",
  coalesce(x.disabled, false) AS "isDisabled", coalesce(o.properties, '[]') AS "properties"`;

/** Joins the goods, and what a branch has of them, to the wanted rows `w` (good, branch). */
function goodJoins(companyId: number): Sql {
  return sql`
    JOIN goods g ON g.company_id = ${companyId} AND g.id = w.good_id
    LEFT JOIN branches b ON b.company_id = ${companyId} AND b.id = w.branch_id
    LEFT JOIN branch_goods x ON x.company_id = ${companyId} AND x.branch_id = w.branch_id AND x.good_id = g.id
    LEFT JOIN LATERAL (
      SELECT jsonb_agg(jsonb_build_object(
               'goodPropertyId', p.id, 'propertyId', p.property_id, 'name', p.display_name, 'options', p.options,
               'type', q.type, 'branchPriceE2', y.price_e2::text, 'regex', t.regex,
               'range', CASE WHEN r.property_id IS NULL THEN NULL ELSE jsonb_build_object(
                 'min', r.min, 'max', r.max, 'decimates', r.decimates, 'step', r.step, 'default', r.default_value,
                 'basePriceE2', r.base_price_e2::text, 'stepPriceE2', r.step_price_e2::text) END,
               'choices', coalesce((
                 SELECT jsonb_agg(jsonb_build_object('id', h.id, 'name', h.name, 'priceE2', h.price_e2::text, 'isDefault', h.is_default)
                                  ORDER BY h.in_order, h.id)
                   FROM property_options h WHERE h.company_id = ${companyId} AND h.property_id = q.id), '[]')
             ) ORDER BY p.in_order, p.id) AS properties
        FROM good_properties p
        JOIN properties q ON q.company_id = ${companyId} AND q.id = p.property_id
        LEFT JOIN branch_good_properties y
          ON y.company_id = ${companyId} AND y.branch_good_id = x.id AND y.good_property_id = p.id
        LEFT JOIN property_ranges r ON r.company_id = ${companyId} AND r.property_id = q.id
        LEFT JOIN property_texts t ON t.company_id = ${companyId} AND t.property_id = q.id
       WHERE p.company_id = ${companyId} AND p.good_id = g.id
         AND NOT p.disabled AND NOT q.disabled AND NOT coalesce(y.disabled, false)
    ) o ON true`;
}
