import { judgeCode } from "../codes/code-guesses.js";
import { sql, type Sql } from "../../../core/db/sql.js";
import { DomainError, notFound } from "../../../core/errors/domain-error.js";
import { largest } from "../../../core/money.js";
import { assertReached } from "../../../core/scope/row-reach.sql.js";
import { isPriced, subtotalOf } from "../../orders/order-price.rules.js";
import { isId } from "../../../core/integers.js";
import { priceChoices } from "../../carts/choice-prices.service.js";
import type { CompanyScope, WholeCompany } from "../../../core/scope/company-scope.js";
import { storedCode } from "../codes/stored-code.js";
import {
  CAMPAIGN_COLUMNS,
  COUPON_COLUMNS,
  type CouponColumns,
  segmentColumns,
} from "./coupon-columns.sql.js";
import { candidatesOf, readConditions } from "./coupon-conditions.sql.js";
import type { BasketWanted, Facts, Named, NamedItem, NamedOrder, NamedRows, Wanted } from "./coupon-facts.js";
import { readTakenCoupons } from "./taken-coupons.sql.js";
import type { GoodKinds } from "../amounts/priced-item.js";
import type { CouponConfig } from "../coupon-config.model.js";

/**
 * A good of a purchase as JSON: one list takes half the time of an array for each of these. The price is text, since that of many
 * units may be larger than any number; a further good is no item and has no quantity, units and price.
 */
type GoodInJson = readonly [
  isLine: boolean,
  goodId: number,
  quantity: number | null,
  units: number | null,
  priceE2: string | null,
  type: number,
  shopId: number | null,
  /** Whether there is such a good, deleted or not. */
  isKnown: boolean,
  isDeleted: boolean,
];

/** The named rows as columns; the branch and the columns of the order are renamed, since the coupon has columns of the same names. */
export type NamedColumns = Pick<NamedRows, "clientId" | "registeredAt" | "timeZoneOffset"> & {
  /** The items in their order, then further goods; `null` where there are none. */
  readonly goods: readonly GoodInJson[] | null;
  readonly orderId: number | null;
  readonly orderSubtotalE2: bigint;
  readonly orderDeliveryE2: bigint;
  readonly orderTotalE2: bigint;
  readonly orderClientId: number | null;
  readonly orderBranchId: number | null;
  readonly orderCurrencyIso: string;
  readonly orderSource: string | null;
  readonly orderStatus: string;
  readonly orderVersion: string;
  readonly orderCouponVersion: number;
  readonly orderCouponWishes: readonly string[];
  readonly atBranchId: number | null;
  /** The shop of that branch. */
  readonly atShopId: number | null;
};

type FoundRow = NamedColumns & CouponColumns;
type Row = NamedColumns & (CouponColumns | { readonly id: null });

/** How often all is read anew because a coupon or the order was changed between two statements. */
export const MAX_ATTEMPTS = 10;

/**
 * Reads coupons with everything that the rules need, the rows that the request names, and the coupons that its order has.
 * It takes one statement, a second one when rules of some coupon need other tables, and a third one when the order has
 * coupons. Whatever of a coupon is judged together is of one snapshot, and all of it of one version of the order: of two
 * versions, a use would show among the order's coupons, but not as the coupon's own use. A code that no coupon has counts as
 * a guess. The rules go by the uses of the whole company; a coupon that the caller does not reach is as one that is not there.
 *
 * @throws DomainError NOT_FOUND for an order or a good beyond the shops of the caller; RATE_LIMITED after too many guesses;
 *   CONFLICT when a coupon or the order keeps changing.
 */
export async function readFacts(scope: CompanyScope, wanted: Wanted, named: Named): Promise<Facts> {
  await assertNamedReached(scope, named);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const found = await scope.whole.rows<Row>(candidatesWanted(scope, wanted, named), { plan: "kept" });
    const [first] = found;
    if (first === undefined) throw new Error("the rows named are always answered");
    const rows = await withChoices(scope.whole, named, namedRows(first));
    const coupons = found.filter((row): row is FoundRow => row.id !== null);
    await judgeCodes(scope, wanted, coupons);
    const conditions = await readConditions(scope, coupons, rows);
    if (conditions === null) continue;
    const taken = await readTakenCoupons(scope, rows.order);
    if (taken === null) continue;
    const candidates = candidatesOf(coupons, conditions);
    const [known] = (await withKinds(
      scope.whole,
      [rows],
      [...candidates, ...taken.map(({ coupon }) => coupon)],
    )) as [NamedRows];
    return { rows: known, candidates, taken };
  }
  throw keepsChanging();
}

/**
 * The validator has not looked up all ids that a purchase names, and the facts are read of the whole company.
 *
 * @throws DomainError NOT_FOUND for an order, a branch or a good that a caller who is bound to shops does not reach.
 */
async function assertNamedReached(scope: CompanyScope, { orderId, branchId, goodIds }: Named): Promise<void> {
  if (!scope.isBound) return;
  const { db, companyId } = scope;
  if (orderId !== null) await assertReached(scope, "Order", orderId);
  if (branchId !== null) await assertReached(scope, "Branch", branchId);
  const ids = [...new Set(goodIds)].filter(isId);
  if (ids.length === 0) return;
  const goods = await db.good.findMany({ where: { companyId, id: { in: ids } }, select: { id: true } });
  if (goods.length < ids.length) throw notFound("Good");
}

/** The refusal of what was read too often because a coupon or the order was changed meanwhile. */
export function keepsChanging(): DomainError {
  return new DomainError("CONFLICT", "The coupon or the order keeps changing; try again.", {
    retryAfterSeconds: 1,
  });
}

/** Counts each code that no coupon has as a guess. */
async function judgeCodes(scope: CompanyScope, wanted: Wanted, found: readonly FoundRow[]): Promise<void> {
  const known = new Set(found.map(({ code, deletedAt }) => (deletedAt === null ? code : null)));
  await Promise.all(codesOf(wanted).map(async (code) => judgeCode(scope, known.has(storedCode(code) ?? ""))));
}

function codesOf(wanted: Wanted): readonly string[] {
  if (wanted.by === "basket") return wanted.codes;
  return wanted.by === "code" ? [wanted.code] : [];
}

/**
 * The rows with items priced by what was chosen of them, as carts do, and what is wrong with that. Items that have their price, or
 * no choice, cost what they cost without, and so do the lines of an order.
 */
async function withChoices(scope: WholeCompany, { items }: Named, rows: NamedRows): Promise<NamedRows> {
  if (rows.hasLines) return rows;
  const { totals, errors: wrongChoices } = await priceChoices(scope, rows.branchId, items);
  if (totals.size === 0) return rows;
  const priceOf = (item: NamedItem, place: number) => ({
    ...item,
    priceE2: totals.get(place) ?? item.priceE2,
  });
  return { ...rows, items: rows.items.map(priceOf), wrongChoices };
}

/** The rows of purchases with what the goods of the items are, where any of the coupons is for certain goods. */
export async function withKinds(
  { companyId, rows: read }: Pick<CompanyScope, "companyId" | "rows">,
  purchases: readonly NamedRows[],
  coupons: readonly { readonly config: CouponConfig }[],
): Promise<readonly NamedRows[]> {
  if (!coupons.some(({ config }) => config.goods != null)) return purchases;
  const ids = [...new Set(purchases.flatMap(({ items }) => items.map(({ goodId }) => goodId)))];
  const found = await read<GoodKinds & { readonly id: number }>(sql`
    SELECT g.id, g.good_type_id AS "goodTypeId", g.branch_group_id AS "branchGroupId",
           ARRAY(SELECT t.good_tag_id FROM good_tag_goods t WHERE t.company_id = ${companyId} AND t.good_id = g.id) AS "goodTagIds",
           ARRAY(
             WITH RECURSIVE above (id) AS (
               SELECT c.category_id FROM good_categories c WHERE c.company_id = ${companyId} AND c.good_id = g.id
                UNION
               SELECT k.parent_id FROM above a JOIN categories k ON k.company_id = ${companyId} AND k.id = a.id
                WHERE k.parent_id IS NOT NULL
             ) SELECT id FROM above
           ) AS "categoryIds"
      FROM goods g WHERE g.company_id = ${companyId} AND g.id = ANY (${ids}::int[])`);
  const kinds = new Map(found.map(({ id, ...rest }) => [id, rest]));
  const kindsOf = (item: NamedItem): NamedItem => {
    const own = kinds.get(item.goodId);
    return own === undefined ? item : { ...item, kinds: own };
  };
  return purchases.map((rows) => ({ ...rows, items: rows.items.map(kindsOf) }));
}

/** What is said of a purchase by the columns of `purchasesWanted`. */
export function namedRows(row: NamedColumns): NamedRows {
  const { clientId, registeredAt, timeZoneOffset, atBranchId, atShopId } = row;
  const goods = row.goods ?? [];
  const items: NamedItem[] = [];
  const goodIds: number[] = [];
  const strayGoodIds: number[] = [];
  const shopIds = new Set<number>();
  for (const [, goodId, quantity, units, price, type, shopId, isKnown, isDeleted] of goods) {
    if (quantity !== null && units !== null && price !== null)
      items.push({ goodId, quantity, units, priceE2: BigInt(price), type });
    if (isKnown && !isDeleted) goodIds.push(goodId);
    if (shopId === null) continue;
    shopIds.add(shopId);
    if (atBranchId !== null && shopId !== atShopId) strayGoodIds.push(goodId);
  }
  return {
    order: namedOrder(row),
    clientId,
    registeredAt,
    branchId: atBranchId,
    shopIds: atBranchId === null ? [...shopIds].sort((a, b) => a - b) : atShopId === null ? [] : [atShopId],
    timeZoneOffset,
    items,
    hasLines: goods.some(([isLine]) => isLine),
    goodIds,
    strayGoodIds,
  };
}

function namedOrder(row: NamedColumns): NamedOrder | null {
  if (row.orderId === null) return null;
  const prices = {
    subtotalE2: row.orderSubtotalE2,
    deliveryE2: row.orderDeliveryE2,
    totalE2: row.orderTotalE2,
  };
  return {
    id: row.orderId,
    subtotalE2: subtotalOf(prices),
    deliveryE2: prices.deliveryE2,
    totalE2: largest(prices.totalE2, subtotalOf(prices) + prices.deliveryE2),
    isPriced: isPriced(prices),
    clientId: row.orderClientId,
    branchId: row.orderBranchId,
    currencyIso: row.orderCurrencyIso,
    source: row.orderSource,
    status: row.orderStatus,
    version: row.orderVersion,
    couponVersion: row.orderCouponVersion,
    couponWishes: row.orderCouponWishes,
  };
}

function candidatesWanted({ companyId, reached }: CompanyScope, wanted: Wanted, named: Named): Sql {
  const purchase = sql`
           (VALUES (${companyId}::int, ${named.orderId}::int, ${named.clientId}::int, ${named.branchId}::int))
           AS a (company_id, order_id, client_id, branch_id)`;
  const columns = sql`${COUPON_COLUMNS}${isOfPromos(wanted) ? sql.empty : sql`, ${CAMPAIGN_COLUMNS}`}, ${segmentColumns(sql`p.id`)}`;
  return sql`${purchasesWanted(companyId, { purchase, goods: goodsOf(companyId, named), columns })}
      LEFT JOIN (${couponsWanted(companyId, wanted)}) ON ${reached("Coupon", "c")}
      LEFT JOIN coupon_redemptions r ON r.company_id = ${companyId} AND r.coupon_id = c.id AND r.order_id = a.order_id
           AND r.returned_at IS NULL`;
}

/** Whether all promos that run are wanted: there may be many of one campaign. */
function isOfPromos(wanted: Wanted): boolean {
  return wanted.by === "basket" && wanted.promos !== null;
}

/**
 * The statement about the rows that purchases name, up to further joins.
 *
 * @param parts.purchase the purchases `a`: company, order, client and branch of each.
 * @param parts.columns what else is read.
 */
export function purchasesWanted(
  companyId: number,
  { purchase, goods, columns }: { readonly purchase: Sql; readonly goods: Goods; readonly columns: Sql },
): Sql {
  return sql`
    SELECT ${goods.columns}, ${columns}
      FROM ${purchase}
      LEFT JOIN (SELECT *, xmin FROM orders WHERE company_id = ${companyId}) o ON o.company_id = ${companyId} AND o.id = a.order_id
      LEFT JOIN LATERAL (${clientOfUses(companyId)}) f ON o.client_id IS NULL AND o.coupon_version > 0
      LEFT JOIN clients p ON p.company_id = ${companyId} AND p.id = coalesce(a.client_id, o.client_id, f.client_id)
           AND p.deleted_at IS NULL
      LEFT JOIN branches b ON b.company_id = ${companyId} AND b.id = coalesce(a.branch_id, o.branch_id)
      ${goods.joins}`;
}

/** The client for whom the uses of an order `o` were made, where one is named. */
export function clientOfUses(companyId: number): Sql {
  return sql`
        SELECT client_id FROM coupon_redemptions
         WHERE company_id = ${companyId} AND order_id = o.id AND returned_at IS NULL AND client_id IS NOT NULL LIMIT 1`;
}

/**
 * The parts of the statement that select the items and the shops of all goods. The items are the lines of the order where it
 * has any, else those that are named; no goods are read where there can be none.
 */
export function goodsOf(
  companyId: number,
  { orderId, items, goodIds }: Pick<Named, "orderId" | "items" | "goodIds">,
): Goods {
  const named = sql`
                unnest(${items.map(({ goodId }) => goodId)}::int[], ${items.map(({ quantity }) => quantity)}::int[],
                       ${items.map(({ totalPriceE2 }) => totalPriceE2)}::bigint[])`;
  return goodsNamed(companyId, {
    mayHaveLines: orderId !== null,
    items: items.length === 0 ? null : named,
    others: goodIds.filter(isId),
  });
}

/** What names the goods of a purchase `a`. */
interface NamedGoods {
  /** Whether its order may have lines. */
  readonly mayHaveLines: boolean;
  /** Unnests goods, quantities and prices of the items; `null` where there are none. */
  readonly items: Sql | null;
  /** Further goods. */
  readonly others: readonly number[];
}

/** The parts of the statement about goods. What is not named is no part of it: each part takes its time even where it finds nothing. */
export function goodsNamed(companyId: number, { mayHaveLines, items, others }: NamedGoods): Goods {
  const lines = sql`FROM order_items n WHERE n.company_id = ${companyId} AND n.order_id = o.id`;
  const parts: Sql[] = [];
  if (mayHaveLines)
    parts.push(sql`
          SELECT true AS is_line, n.good_id, n.quantity, n.total_price_e2, n.id::bigint AS place ${lines}`);
  if (items !== null)
    parts.push(sql`
          SELECT false AS is_line, m.good_id, m.quantity, m.total_price_e2, m.place
            FROM ${items} WITH ORDINALITY AS m (good_id, quantity, total_price_e2, place)
           ${mayHaveLines ? sql`WHERE NOT EXISTS (SELECT ${lines})` : sql.empty}`);
  if (others.length > 0)
    parts.push(sql`
          SELECT false AS is_line, g.good_id, NULL::int AS quantity, NULL::bigint AS total_price_e2, NULL::bigint AS place
            FROM unnest(${[...others]}::int[]) AS g (good_id)`);
  if (parts.length === 0) return NO_GOODS;
  const joins = sql`
    CROSS JOIN LATERAL (
      SELECT ${TOLD_OF_GOODS}
        FROM (${parts.length === 1 ? parts[0] : sql.join(parts, " UNION ALL ")}
        ) i
        LEFT JOIN goods w ON w.company_id = ${companyId} AND w.id = i.good_id
        LEFT JOIN branch_goods x ON x.company_id = ${companyId} AND x.branch_id = b.id AND x.good_id = w.id
        CROSS JOIN LATERAL (
          SELECT CASE WHEN w.unit_config -> 'enabled' = 'true'::jsonb THEN (w.unit_config ->> 'fraction')::int ELSE 1 END AS parts
        ) u
    ) s`;
  return { joins, columns: COLUMNS_OF_GOODS };
}

/** What is told of the goods `i`: `w` is a good, `x` its price at the branch, `u` the parts of its unit. */
const TOLD_OF_GOODS = sql`
             json_agg(json_build_array(
               i.is_line, i.good_id, i.quantity, greatest(i.quantity / u.parts, 1),
               CASE WHEN i.quantity IS NOT NULL THEN coalesce(
                 i.total_price_e2, round(i.quantity::numeric * coalesce(x.price_e2, w.price_e2) / u.parts), 0)::text END,
               coalesce(w.type, 0)::int, w.branch_group_id, w.id IS NOT NULL, w.deleted_at IS NOT NULL
             ) ORDER BY i.place) AS goods`;

/** The shops of a purchase `w`, as `namedRows` has them. */
export const SHOP_IDS = sql`
      CASE WHEN w."atBranchId" IS NULL THEN ARRAY(
        SELECT DISTINCT (e ->> 6)::int FROM json_array_elements(w.goods) AS e WHERE e ->> 6 IS NOT NULL
      ) ELSE array_remove(ARRAY[w."atShopId"], NULL) END`;

/** Parts of the statement about goods: the joins, and the columns of all rows that are named. */
export interface Goods {
  readonly joins: Sql;
  readonly columns: Sql;
}

/** The columns of the rows that are named: an order `o`, its client `p`, its branch `b`. */
function columnsWith(goods: Sql): Sql {
  return sql`
           o.id AS "orderId", o.subtotal_e2 AS "orderSubtotalE2", o.delivery_e2 AS "orderDeliveryE2",
           o.total_e2 AS "orderTotalE2", coalesce(o.client_id, f.client_id) AS "orderClientId",
           o.currency_iso AS "orderCurrencyIso", o.branch_id AS "orderBranchId",
           o.source AS "orderSource", o.status AS "orderStatus", o.xmin::text AS "orderVersion",
           o.coupon_version AS "orderCouponVersion", o.coupon_wishes AS "orderCouponWishes",
           p.id AS "clientId", p.registered_at AS "registeredAt", b.id AS "atBranchId", b.branch_group_id AS "atShopId",
           coalesce(b.time_zone, b.time_zone_offset) AS "timeZoneOffset", ${goods} AS goods`;
}

const COLUMNS_OF_GOODS = columnsWith(sql`s.goods`);
const NO_GOODS: Goods = { joins: sql.empty, columns: columnsWith(sql`NULL::json`) };
/** Stands for the code of a promo, which has none. */
const NO_CODE = sql`CROSS JOIN (VALUES (NULL::bigint, NULL::text, NULL::timestamptz, NULL::timestamptz)) AS k (id, code, used_at, voided_at)`;

function couponsWanted(companyId: number, wanted: Wanted): Sql {
  switch (wanted.by) {
    case "code":
      return sql`
        coupon_codes k JOIN coupons c ON k.company_id = ${companyId} AND k.code = ${storedCode(wanted.code)}
           AND c.company_id = ${companyId} AND c.id = k.coupon_id`;
    case "promoId":
      return sql`
        (SELECT * FROM coupons WHERE company_id = ${companyId} AND id = ${wanted.couponId} AND type = 'promo') c
        ${NO_CODE}`;
    case "basket":
      return basketWanted(companyId, wanted);
  }
}

/** Stands for the code of a coupon that is named without one. */
const CODELESS = sql`
  NULL::bigint AS code_id, NULL::text AS code, NULL::timestamptz AS code_used_at, NULL::timestamptz AS code_voided_at`;

/** Reads all coupons of a basket by one statement, so that they are seen at one moment. */
export function basketWanted(companyId: number, { codes, couponIds, promos }: BasketWanted): Sql {
  const stored = codes.flatMap((code) => storedCode(code) ?? []);
  const parts: Sql[] = [];
  // One parameter for each code: PostgreSQL plans a statement with a list in one parameter anew for each list.
  if (stored.length > 0)
    parts.push(sql`
      SELECT c.*, k.id AS code_id, k.code, k.used_at AS code_used_at, k.voided_at AS code_voided_at
        FROM coupon_codes k JOIN coupons c ON c.company_id = ${companyId} AND c.id = k.coupon_id
       WHERE k.company_id = ${companyId} AND k.code IN (${sql.join(stored)})`);
  if (promos !== null) {
    const { at, withFinished } = promos;
    // What runs now has begun, whatever the clock of this machine says; at a past moment its times decide.
    const begun = withFinished
      ? sql`coalesce(starts_at <= ${at}::timestamptz, status = 'running')`
      : sql`(status = 'running' OR starts_at <= ${at}::timestamptz)`;
    const ranThen = sql`OR status = 'finished' AND starts_at <= ${at}::timestamptz AND ends_at > ${at}::timestamptz`;
    parts.push(sql`
      SELECT *, ${CODELESS}
        FROM coupons WHERE company_id = ${companyId} AND type = 'promo'
         AND deleted_at IS NULL
         AND (status IN ('ready', 'running') AND ${begun}
              AND coalesce(ends_at > ${at}::timestamptz, true)
              ${withFinished ? ranThen : sql.empty})`);
  }
  if (couponIds.length > 0 || parts.length === 0)
    parts.push(sql`
      SELECT *, ${CODELESS}
        FROM coupons WHERE company_id = ${companyId} AND id = ANY (${[...couponIds]}::int[])`);
  return sql`
    (${sql.join(parts, " UNION ALL ")}) c
    CROSS JOIN LATERAL (VALUES (c.code_id, c.code, c.code_used_at, c.code_voided_at)) AS k (id, code, used_at, voided_at)`;
}
