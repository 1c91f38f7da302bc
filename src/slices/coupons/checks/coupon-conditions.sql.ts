import { sql, type Sql } from "../../../core/db/sql.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import type { Filter } from "../../../core/lists/list-definition.js";
import { clientsThatFit } from "../../clients/segments/segment.service.js";
import { beginOf } from "../../../core/time/zones.js";
import {
  candidateOf,
  CHANGING_COLUMNS,
  type ChangingColumns,
  type CouponColumns,
  segmentColumns,
} from "./coupon-columns.sql.js";
import type { CouponConfig } from "../coupon-config.model.js";
import type { OwnHold } from "../conditions/judged.js";
import type { Candidate, Conditions } from "./coupon-facts.js";

/** The conditions of a coupon that has no holds and no rule that needs other tables. */
export const UNCONDITIONAL: Conditions = {
  isCodeHeld: false,
  expiredCount: 0,
  expiredE2: 0n,
  clientUses: 0,
  clientGivenE2: 0n,
  hasOrdered: null,
  targetGroupIds: [],
  targetBranchIds: [],
  targetBranchGroupIds: [],
  hold: null,
};

/** Coupons as the rules judge them: their rows with their conditions, which are none where none were read. */
export function candidatesOf(
  coupons: readonly CouponColumns[],
  conditions: readonly ReadConditions[] | undefined,
): Candidate[] {
  return coupons.map((row, place) => {
    const read = conditions?.[place];
    return candidateOf(row, read ?? UNCONDITIONAL, read ?? row);
  });
}

interface Coupon {
  readonly id: number;
  readonly version: number;
  readonly heldCount: number;
  readonly targetType: string;
  readonly config: CouponConfig;
  readonly code: string | null;
  readonly inSegments: boolean | null;
  readonly inExcludedSegments: boolean | null;
  readonly campaignId: number | null;
  /** Absent where it was not read yet. */
  readonly campaignRoomE2?: bigint | null;
}

/** Who buys, and where. */
interface Place {
  readonly order: { readonly id: number; readonly version: string } | null;
  readonly clientId: number | null;
  readonly branchId: number | null;
  readonly shopIds: readonly number[];
}

/** The same as parts of the statement. */
interface PlaceInSql {
  readonly orderId: Sql;
  readonly clientId: Sql;
  readonly branchId: Sql;
  readonly shopIds: Sql;
  /** The place of the purchase among those that are asked for, from 1. */
  readonly purchase: Sql;
  /** Joins what the parts are columns of. */
  readonly join: Sql;
}

type Row = Omit<Conditions, "hold"> &
  ChangingColumns & {
    readonly purchase: number;
    /** The place of the coupon among those that are asked for. */
    readonly place: number;
    readonly hold: HoldInJson | null;
    /** The segments of the coupon that have a filter; `null` where the client is not named or there is none. */
    readonly segmentFilters: readonly { readonly id: number; readonly filter: Filter }[] | null;
    readonly orderVersion: string | null;
  };

/** Conditions, with the columns that were read in the same snapshot. */
export type ReadConditions = Conditions & ChangingColumns;

/**
 * A hold as JSON brings it: amounts are text, since JavaScript reads large JSON numbers inexactly. Moments are
 * milliseconds.
 */
interface HoldInJson {
  readonly id: string;
  readonly code: string | null;
  readonly clientId: number | null;
  readonly amountE2: string;
  readonly companyAmountE2: string;
  readonly expiresAt: number;
  readonly createdAt: number;
}

/**
 * Reads the conditions of coupons, in one statement for all of them; in none when no coupon has any. The columns that uses
 * change are read again with them: judged together, values of two snapshots would show a hold that has become a use as
 * neither, and of two coupons that an order uses at once only one as used.
 *
 * @returns what belongs to each coupon, nothing when none has conditions; `null` when the order or the terms of a coupon
 *   were changed since they were read.
 */
export async function readConditions(
  scope: CompanyScope,
  coupons: readonly Coupon[],
  place: Place,
): Promise<readonly ReadConditions[] | null> {
  if (!coupons.some(hasConditions)) return [];
  const { order, clientId, branchId, shopIds } = place;
  const statement = conditionsWanted(scope, coupons, {
    orderId: sql`${order?.id ?? null}::int`,
    clientId: sql`${clientId}::int`,
    branchId: sql`${branchId}::int`,
    shopIds: sql`${shopIds}::int[]`,
    purchase: sql`1`,
    join: sql.empty,
  });
  const read = await toldOf(scope, await scope.whole.rows<Row>(statement), { coupons, places: [place] });
  return read === null ? null : (read[0] ?? []);
}

/**
 * Reads the conditions of coupons for each of several purchases without an order, in one statement.
 *
 * @returns what `readConditions` returns for each; `null` when the terms of a coupon were changed since they were read.
 */
export async function readConditionsOfMany(
  scope: CompanyScope,
  coupons: readonly Coupon[],
  places: readonly Omit<Place, "order">[],
): Promise<readonly (readonly ReadConditions[])[] | null> {
  if (!coupons.some(hasConditions)) return places.map(() => []);
  const shops = places.map(({ shopIds }) => `{${shopIds.join()}}`);
  const statement = conditionsWanted(scope, coupons, {
    orderId: sql`NULL::int`,
    clientId: sql`y.client_id`,
    branchId: sql`y.branch_id`,
    shopIds: sql`y.shop_ids::int[]`,
    purchase: sql`y.purchase`,
    join: sql`
      CROSS JOIN unnest(${places.map(({ clientId }) => clientId)}::int[], ${places.map(({ branchId }) => branchId)}::int[],
                        ${shops}::text[]) WITH ORDINALITY AS y (client_id, branch_id, shop_ids, purchase)`,
  });
  const withoutOrder = places.map((place) => ({ ...place, order: null }));
  return toldOf(scope, await scope.whole.rows<Row>(statement), { coupons, places: withoutOrder });
}

function conditionsWanted(
  scope: CompanyScope,
  coupons: readonly Coupon[],
  { orderId, clientId, branchId, shopIds, purchase, join }: PlaceInSql,
): Sql {
  const { companyId, at } = scope;
  const zone = scope.company.timeZoneOffset;
  const begins = {
    day: beginOf("day", zone, at),
    week: beginOf("week", zone, at),
    month: beginOf("month", zone, at),
  };
  // No order has the id 0: with a condition that is never true Citus finds no worker for the statement.
  const named = sql`coalesce(${orderId}, 0)`;
  const campaigns = campaignsOf(companyId, coupons);
  return sql`${campaigns.read}
    SELECT ${purchase}::int AS "purchase", a.place::int,
           (SELECT o.xmin::text FROM orders o WHERE o.company_id = ${companyId} AND o.id = ${named}) AS "orderVersion",
           CASE WHEN c.held_count > 0 AND c.type IN ('personal', 'gift_card') THEN EXISTS (
             SELECT FROM coupon_holds h
              WHERE h.company_id = ${companyId} AND h.code = a.code AND h.coupon_id = c.id AND h.expires_at > ${at}::timestamptz
                AND h.order_id IS DISTINCT FROM ${orderId}) ELSE false END AS "isCodeHeld",
           coalesce(e.expired_count, 0) AS "expiredCount", coalesce(e.expired_e2, 0) AS "expiredE2",
           CASE WHEN jsonb_typeof(c.config -> 'limit') = 'number' AND ${clientId} IS NOT NULL THEN uses_of_client(
             ${companyId}, c.id, ${clientId}, ${orderId},
             CASE c.config ->> 'limitPeriod'
               WHEN 'day' THEN ${begins.day}::timestamptz WHEN 'week' THEN ${begins.week}::timestamptz
               WHEN 'month' THEN ${begins.month}::timestamptz END,
             ${at}::timestamptz)::int ELSE 0 END AS "clientUses",
           CASE WHEN jsonb_typeof(c.config -> 'clientAmountLimitE2') = 'number' AND ${clientId} IS NOT NULL THEN ((
             SELECT coalesce(sum(r.amount_e2), 0) FROM coupon_redemptions r
              WHERE r.company_id = ${companyId} AND r.coupon_id = c.id AND r.client_id = ${clientId}
                AND r.returned_at IS NULL AND r.order_id IS DISTINCT FROM ${orderId}
           ) + (
             SELECT coalesce(sum(h.amount_e2), 0) FROM coupon_holds h
              WHERE h.company_id = ${companyId} AND h.coupon_id = c.id AND h.client_id = ${clientId}
                AND h.expires_at > ${at}::timestamptz AND h.order_id IS DISTINCT FROM ${orderId}
           ))::bigint ELSE 0 END AS "clientGivenE2",
           ${segmentColumns(clientId)},
           CASE WHEN ${clientId} IS NOT NULL AND (
             jsonb_typeof(c.config -> 'segmentIds') = 'array' OR jsonb_typeof(c.config -> 'excludedSegmentIds') = 'array'
           ) THEN (
             SELECT json_agg(json_build_object('id', s.id, 'filter', s.filter)) FROM client_segments s
              WHERE s.company_id = ${companyId} AND s.filter IS NOT NULL AND s.id IN (
                SELECT e::int FROM jsonb_array_elements_text(
                  coalesce(c.config -> 'segmentIds', '[]') || coalesce(c.config -> 'excludedSegmentIds', '[]')) AS e)
           ) END AS "segmentFilters",
           CASE WHEN ${clientId} IS NOT NULL AND (
             c.config -> 'onlyFirstPurchase' = 'true'::jsonb OR c.config -> 'excludeFirstPurchase' = 'true'::jsonb
           ) THEN ${hasOrdered(companyId, {
             ...{ clientId, orderId, branchId, shopIds },
             mode: sql`c.config ->> 'firstPurchaseMode'`,
           })} END AS "hasOrdered",
           CASE WHEN c.target_type = 'branch_group' THEN ARRAY(
             SELECT t.branch_group_id FROM coupon_branch_groups t
              WHERE t.company_id = ${companyId} AND t.coupon_id = c.id ORDER BY 1
           ) ELSE '{}' END AS "targetGroupIds",
           coalesce(t.branch_ids, '{}') AS "targetBranchIds", coalesce(t.branch_group_ids, '{}') AS "targetBranchGroupIds",
           CASE WHEN c.held_count > 0 THEN (
             SELECT json_build_object('id', h.id::text, 'code', h.code, 'clientId', h.client_id, 'amountE2', h.amount_e2::text,
                      'companyAmountE2', h.company_amount_e2::text, 'expiresAt', extract(epoch FROM h.expires_at) * 1000,
                      'createdAt', extract(epoch FROM h.created_at) * 1000)
               FROM coupon_holds h
              WHERE h.company_id = ${companyId} AND h.coupon_id = c.id AND h.order_id = ${orderId}
                AND h.expires_at > ${at}::timestamptz) END AS "hold", ${CHANGING_COLUMNS}, ${campaigns.columns}
      FROM unnest(${coupons.map(({ id }) => id)}::int[], ${coupons.map(({ code }) => code)}::text[])
           WITH ORDINALITY AS a (coupon_id, code, place)${join}
      JOIN coupons c ON c.company_id = ${companyId} AND c.id = a.coupon_id
      LEFT JOIN coupon_codes k ON k.company_id = ${companyId} AND k.code = a.code AND k.coupon_id = c.id
      LEFT JOIN coupon_redemptions r ON r.company_id = ${companyId} AND r.coupon_id = c.id AND r.order_id = ${named}
           AND r.returned_at IS NULL
      ${campaigns.join}
      LEFT JOIN LATERAL (
        SELECT count(*)::int AS expired_count, sum(h.amount_e2)::bigint AS expired_e2 FROM coupon_holds h
         WHERE c.held_count > 0 AND h.company_id = ${companyId} AND h.coupon_id = c.id AND h.expires_at <= ${at}::timestamptz
      ) e ON true
      LEFT JOIN LATERAL (
        SELECT array_agg(l.branch_id ORDER BY l.branch_id) AS branch_ids,
               array_remove(array_agg(DISTINCT b.branch_group_id), NULL) AS branch_group_ids
          FROM coupon_branches l JOIN branches b ON b.company_id = ${companyId} AND b.id = l.branch_id
         WHERE c.target_type = 'branch' AND l.company_id = ${companyId} AND l.coupon_id = c.id
      ) t ON true
     ORDER BY 1, 2`;
}

/**
 * The parts of the statement that read what campaigns leave their coupons `c`: of each campaign once, since that sums up all
 * its coupons.
 */
function campaignsOf(
  companyId: number,
  coupons: readonly Coupon[],
): Record<"read" | "columns" | "join", Sql> {
  const ids = [...new Set(coupons.flatMap(({ campaignId }) => campaignId ?? []))];
  if (ids.length === 0) {
    const columns = sql`NULL::bigint AS "campaignRoomE2", NULL::text AS "campaignCurrencyIso"`;
    return { read: sql.empty, columns, join: sql.empty };
  }
  return {
    read: sql`
    WITH m AS MATERIALIZED (
      SELECT p.id, campaign_room(${companyId}::int, p.id, now()) AS room_e2, p.currency_iso
        FROM campaigns p WHERE p.company_id = ${companyId} AND p.id = ANY (${ids}::int[])
    )`,
    columns: sql`m.room_e2 AS "campaignRoomE2", m.currency_iso AS "campaignCurrencyIso"`,
    join: sql`LEFT JOIN m ON m.id = c.campaign_id`,
  };
}

/** The conditions of each coupon for each purchase; `null` where a coupon or an order was changed. */
async function toldOf(
  scope: CompanyScope,
  rows: readonly Row[],
  { coupons, places }: { readonly coupons: readonly Coupon[]; readonly places: readonly Place[] },
): Promise<readonly (readonly ReadConditions[])[] | null> {
  const isSame = ({ purchase, place, version, orderVersion }: Row): boolean =>
    version === coupons[place - 1]?.version &&
    orderVersion === (places[purchase - 1]?.order?.version ?? null);
  if (rows.length < coupons.length * places.length || !rows.every(isSame)) return null;
  const fitting = await segmentsThatFit(scope, rows, places);
  const told: ReadConditions[][] = places.map(() => []);
  for (const { purchase, place, orderVersion: _, segmentFilters: __, hold, ...rest } of rows) {
    const { segmentIds, excludedSegmentIds } = (coupons[place - 1] as Coupon).config;
    const clientId = places[purchase - 1]?.clientId ?? null;
    // What is new stands before the copy: behind it, V8 would give each object a hidden class of its own.
    told[purchase - 1]?.push({
      hold: hold === null ? null : holdOf(hold),
      ...rest,
      inSegments: rest.inSegments ?? fitsOne(fitting, segmentIds, clientId),
      inExcludedSegments: rest.inExcludedSegments ?? fitsOne(fitting, excludedSegmentIds, clientId),
    });
  }
  return told;
}

/**
 * Says whether a client ordered before an order, or at all where none is named, at the place that a mode asks for. The parts name
 * no `o`, `b`, `u`, `n` or `own`.
 */
export function hasOrdered(
  companyId: number,
  {
    clientId,
    orderId,
    branchId,
    shopIds,
    mode,
  }: Readonly<Record<"clientId" | "orderId" | "branchId" | "shopIds" | "mode", Sql>>,
): Sql {
  return sql`EXISTS (
             SELECT FROM (
               SELECT id FROM orders WHERE company_id = ${companyId} AND client_id = ${clientId}
                UNION ALL
               SELECT n.id FROM coupon_redemptions u JOIN orders n ON n.company_id = ${companyId} AND n.id = u.order_id
                WHERE u.company_id = ${companyId} AND u.client_id = ${clientId} AND u.returned_at IS NULL AND n.client_id IS NULL
             ) own
             JOIN orders o ON o.company_id = ${companyId} AND o.id = own.id
             LEFT JOIN branches b ON b.company_id = ${companyId} AND b.id = o.branch_id
              WHERE o.status <> 'canceled'
                AND (${orderId} IS NULL OR o.id < ${orderId})
                AND CASE ${mode}
                      WHEN 'branch' THEN ${branchId} IS NULL OR o.branch_id = ${branchId}
                      WHEN 'branch_group' THEN cardinality(${shopIds}) = 0 OR b.branch_group_id = ANY (${shopIds})
                      ELSE true END)`;
}

/** The clients that the filter of each segment fits; nothing is read where no coupon has a segment with a filter. */
async function segmentsThatFit(
  scope: CompanyScope,
  rows: readonly Row[],
  places: readonly Place[],
): Promise<ReadonlyMap<number, ReadonlySet<number>>> {
  const filters = new Map(
    rows.flatMap(({ segmentFilters }) => (segmentFilters ?? []).map(({ id, filter }) => [id, filter])),
  );
  const clientIds = [...new Set(places.flatMap(({ clientId }) => clientId ?? []))];
  if (clientIds.length === 0 || filters.size === 0) return new Map();
  const found = await Promise.all(
    [...filters].map(
      async ([id, filter]) => [id, await clientsThatFit(scope.whole, filter, clientIds)] as const,
    ),
  );
  return new Map(found);
}

function fitsOne(
  fitting: ReadonlyMap<number, ReadonlySet<number>>,
  ids: readonly number[] | null | undefined,
  clientId: number | null,
): boolean {
  return clientId !== null && (ids ?? []).some((id) => fitting.get(id)?.has(clientId) === true);
}

function hasConditions({
  heldCount,
  targetType,
  config,
  inSegments,
  inExcludedSegments,
  campaignId,
  campaignRoomE2,
}: Coupon): boolean {
  return (
    heldCount > 0 ||
    (campaignId !== null && campaignRoomE2 === undefined) ||
    targetType === "branch" ||
    targetType === "branch_group" ||
    config.limit != null ||
    config.clientAmountLimitE2 != null ||
    ((config.segmentIds ?? []).length > 0 && inSegments === null) ||
    ((config.excludedSegmentIds ?? []).length > 0 && inExcludedSegments === null) ||
    config.onlyFirstPurchase === true ||
    config.excludeFirstPurchase === true
  );
}

function holdOf({
  id,
  code,
  clientId,
  amountE2,
  companyAmountE2,
  expiresAt,
  createdAt,
}: HoldInJson): OwnHold {
  return {
    id: BigInt(id),
    code,
    clientId,
    amountE2: BigInt(amountE2),
    companyAmountE2: BigInt(companyAmountE2),
    expiresAt: new Date(expiresAt),
    createdAt: new Date(createdAt),
  };
}
