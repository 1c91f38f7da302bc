import { sql } from "../../../core/db/sql.js";
import type { CompanyFacts, CompanyScope } from "../../../core/scope/company-scope.js";
import { clientsIn } from "../../clients/segments/segment.service.js";
import type { StoredCoupon } from "../amounts/left-of-purchase.rules.js";
import { hasOrdered } from "../checks/coupon-conditions.sql.js";
import type { Candidate, NamedOrder, NamedRows } from "../checks/coupon-facts.js";
import {
  clientOfUses,
  goodsOf,
  namedRows,
  SHOP_IDS,
  withKinds,
  type NamedColumns,
} from "../checks/coupon-facts.sql.js";
import { readTakenOfOrders } from "../checks/taken-coupons.sql.js";

/** What simulations read with. */
export interface SimulationScope extends Pick<CompanyScope, "companyId" | "db" | "rows" | "at" | "caller"> {
  readonly company: SimulatedCompany;
}

/** What simulations need to know of the company. */
export type SimulatedCompany = Pick<CompanyFacts, "id" | "timeZoneOffset" | "currencyIso">;

/** An order of the time that is simulated, with what the rules want to know. */
export interface SimulatedOrder {
  readonly rows: NamedRows & { readonly order: NamedOrder };
  readonly createdAt: Date;
  /** The shop of its branch; null without a branch, and of one of no shop. */
  readonly branchGroupId: number | null;
  /** The coupons that it has used and not given back, or holds. */
  readonly taken: readonly StoredCoupon[];
  /** Says whether its client had used any coupon before it. */
  readonly hadUsed: boolean;
  /** Whether its client ordered before; `null` where it does not matter. */
  readonly hasOrdered: boolean | null;
  readonly inSegments: boolean;
  readonly inExcludedSegments: boolean;
}

/** The time whose orders are simulated. */
export interface SimulatedTime {
  readonly from: Date;
  readonly until: Date;
}

type Row = NamedColumns & Pick<SimulatedOrder, "createdAt" | "branchGroupId" | "hadUsed" | "hasOrdered">;

/** So many orders are read and judged at once: others have their turn in between. */
const PAGE = 250;

/** Counts the orders of a time, at most so many. */
export async function countOrders(
  { companyId, rows }: SimulationScope,
  { from, until }: SimulatedTime,
  most: number,
): Promise<number> {
  const [found] = await rows<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM (
      SELECT FROM orders
       WHERE company_id = ${companyId} AND created_at >= ${from}::timestamptz AND created_at < ${until}::timestamptz
       LIMIT ${most}
    ) o`);
  return found?.count ?? 0;
}

/** The next orders of a time behind one of them, in the order in which they were made; none at its end. */
export async function readOrders(
  scope: SimulationScope,
  draft: Candidate,
  { from, until }: SimulatedTime,
  after: { readonly createdAt: Date; readonly id: number } | null,
): Promise<readonly SimulatedOrder[]> {
  const { companyId } = scope;
  const goods = goodsOf(companyId, { orderId: 0, items: [], goodIds: [] });
  const { firstPurchaseMode, onlyFirstPurchase, excludeFirstPurchase } = draft.config;
  const asksForFirst = onlyFirstPurchase === true || excludeFirstPurchase === true;
  const ordered = hasOrdered(companyId, {
    clientId: sql`w."clientId"`,
    orderId: sql`w."orderId"`,
    branchId: sql`w."atBranchId"`,
    shopIds: SHOP_IDS,
    mode: sql`${firstPurchaseMode ?? "company"}::text`,
  });
  const found = await scope.rows<Row>(
    sql`
    SELECT w.*,
           EXISTS (SELECT FROM coupon_redemptions r
                    WHERE r.company_id = ${companyId} AND r.client_id = w."clientId" AND r.created_at < w."createdAt") AS "hadUsed",
           CASE WHEN ${asksForFirst} AND w."clientId" IS NOT NULL THEN ${ordered} END AS "hasOrdered"
      FROM (
        SELECT ${goods.columns}, o.created_at AS "createdAt", b.branch_group_id AS "branchGroupId"
          FROM (
            SELECT *, xmin FROM orders
             WHERE company_id = ${companyId} AND created_at >= ${after?.createdAt ?? from}::timestamptz
               AND created_at < ${until}::timestamptz
               AND (created_at, id) > (${after?.createdAt ?? from}::timestamptz, ${after?.id ?? 0}::int)
             ORDER BY created_at, id LIMIT ${PAGE}
          ) o
          LEFT JOIN LATERAL (${clientOfUses(companyId)}) f ON o.client_id IS NULL AND o.coupon_version > 0
          LEFT JOIN clients p ON p.company_id = ${companyId} AND p.id = coalesce(o.client_id, f.client_id) AND p.deleted_at IS NULL
          LEFT JOIN branches b ON b.company_id = ${companyId} AND b.id = o.branch_id
          ${goods.joins}
      ) w
     ORDER BY w."createdAt", w."orderId"`,
    { plan: "each" },
  );
  return withFacts(scope, draft, found);
}

/** Orders with the coupons that they have, the kinds of their goods and the segments of their clients. */
async function withFacts(
  scope: SimulationScope,
  draft: Candidate,
  found: readonly Row[],
): Promise<readonly SimulatedOrder[]> {
  const named = found.map(namedRows);
  const orders = named.flatMap(({ order }) => order ?? []);
  const clientIds = [...new Set(named.flatMap(({ clientId }) => clientId ?? []))];
  const { segmentIds, excludedSegmentIds } = draft.config;
  const taken = await readTakenOfOrders(scope, orders);
  const coupons = [draft, ...[...taken.values()].flatMap((all) => all.map(({ coupon }) => coupon))];
  const purchases = await withKinds(scope, named, coupons);
  const inSegments = await clientsIn(scope, segmentIds ?? [], clientIds);
  const inExcluded = await clientsIn(scope, excludedSegmentIds ?? [], clientIds);
  return found.map(({ createdAt, branchGroupId, hadUsed, hasOrdered }, place) => {
    const rows = purchases[place] as SimulatedOrder["rows"];
    const { clientId, order } = rows;
    return {
      ...{ rows, createdAt, branchGroupId, hadUsed, hasOrdered },
      taken: taken.get(order.id) ?? [],
      inSegments: clientId !== null && inSegments.has(clientId),
      inExcludedSegments: clientId !== null && inExcluded.has(clientId),
    };
  });
}
