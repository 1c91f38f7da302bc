import { Prisma } from "../../../generated/prisma/client.js";
import { DomainError } from "../../../core/errors/domain-error.js";
import { isId } from "../../../core/integers.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { storedCode } from "../codes/stored-code.js";
import { candidateOf, COUPON_COLUMNS, type CouponColumns } from "./coupon-columns.sql.js";
import { readConditions, UNCONDITIONAL } from "./coupon-conditions.sql.js";
import { SEVERAL_SHOPS, type Candidate } from "./coupon-facts.js";

/** Names the coupons to read: by a code, a promo by its id, or all promos that run. */
export type Wanted =
  | { readonly by: "code"; readonly code: string }
  | { readonly by: "promoId"; readonly couponId: number }
  | { readonly by: "promos" };

/** Ids of the rows that a request names; null or empty where it names none. */
export interface Named {
  readonly orderId: number | null;
  /** The client in place of the order's. */
  readonly clientId: number | null;
  readonly branchId: number | null;
  readonly items: readonly { readonly goodId: number; readonly quantity: number }[];
  /** Further goods, from which only the shop is taken. */
  readonly goodIds: readonly number[];
}

/** The rows that were named, as far as they exist. */
export interface NamedRows {
  readonly orderId: number | null;
  readonly subtotalE2: bigint | null;
  readonly deliveryE2: bigint | null;
  readonly source: string | null;
  readonly clientId: number | null;
  readonly registeredAt: Date | null;
  readonly branchId: number | null;
  /** Shop of the branch, else of the goods; goods of the whole company belong to no shop. */
  readonly branchGroupId: number | null;
  readonly timeZoneOffset: string | null;
  /** The price of the services among the items, in hundredths. */
  readonly serviceE2: bigint;
  /** Ids of the named goods that exist. */
  readonly goodIds: readonly number[];
}

/** The named rows as columns; those of the place are renamed, since the coupon has columns of the same names. */
type NamedColumns = Omit<NamedRows, "branchId" | "branchGroupId"> & {
  readonly atBranchId: number | null;
  readonly atBranchGroupId: number | null;
};

type FoundRow = NamedColumns & CouponColumns;
type Row = NamedColumns & (CouponColumns | { readonly id: null });

/** How often coupons are read anew because one was changed between two statements. */
const MAX_ATTEMPTS = 5;

/**
 * Reads coupons with everything that the rules need, and the rows that the request names. It takes one statement, and a
 * second one when rules of some coupon need other tables. Whatever of a coupon is judged together is of one snapshot. A
 * code that no coupon has counts as a guess.
 *
 * @throws DomainError RATE_LIMITED after too many guesses; CONFLICT when a coupon keeps changing.
 */
export async function readCandidates(
  scope: CompanyScope,
  wanted: Wanted,
  named: Named,
): Promise<{ rows: NamedRows; candidates: readonly Candidate[] }> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const found = await scope.rows<Row>(candidatesWanted(scope, wanted, named));
    const [first] = found;
    if (first === undefined) throw new Error("the rows named are always answered");
    if (wanted.by === "code")
      await scope.judgeCode(found.some((row) => row.id !== null && row.deletedAt === null));
    const rows = namedRows(first);
    const coupons = found.filter((row): row is FoundRow => row.id !== null);
    const read = await readConditions(scope, coupons, rows);
    if (read === null) continue;
    const candidates = coupons.map((row) => {
      const conditions = read.get(row.id);
      return candidateOf(row, conditions ?? UNCONDITIONAL, conditions ?? row);
    });
    return { rows, candidates };
  }
  throw new DomainError("CONFLICT", "The coupon keeps changing; try again.", { retryAfterSeconds: 1 });
}

function namedRows(row: NamedColumns): NamedRows {
  const {
    orderId,
    subtotalE2,
    deliveryE2,
    source,
    clientId,
    registeredAt,
    timeZoneOffset,
    serviceE2,
    goodIds,
  } = row;
  return {
    orderId,
    subtotalE2,
    deliveryE2,
    source,
    clientId,
    registeredAt,
    branchId: row.atBranchId,
    branchGroupId: row.atBranchGroupId,
    timeZoneOffset,
    serviceE2,
    goodIds,
  };
}

function candidatesWanted({ companyId, at }: CompanyScope, wanted: Wanted, named: Named): Prisma.Sql {
  const goods = goodsOf(companyId, named);
  return Prisma.sql`
    SELECT o.id AS "orderId", o.subtotal_e2 AS "subtotalE2", o.delivery_e2 AS "deliveryE2", o.source AS "source",
           p.id AS "clientId", p.registered_at AS "registeredAt", b.id AS "atBranchId",
           CASE WHEN b.id IS NULL THEN ${goods.branchGroupId} ELSE b.branch_group_id END AS "atBranchGroupId",
           b.time_zone_offset AS "timeZoneOffset", ${goods.serviceE2} AS "serviceE2",
           ${goods.ids} AS "goodIds", ${COUPON_COLUMNS}
      FROM (VALUES (${companyId}::int, ${named.orderId}::int, ${named.clientId}::int, ${named.branchId}::int))
           AS a (company_id, order_id, client_id, branch_id)
      LEFT JOIN orders o ON o.company_id = a.company_id AND o.id = a.order_id
      LEFT JOIN clients p ON p.company_id = a.company_id AND p.id = coalesce(a.client_id, o.client_id) AND p.deleted_at IS NULL
      LEFT JOIN branches b ON b.company_id = a.company_id AND b.id = coalesce(a.branch_id, o.branch_id)
      ${goods.joins}
      LEFT JOIN (${couponsWanted(companyId, wanted, at)}) ON true
      LEFT JOIN coupon_redemptions r ON r.company_id = ${companyId} AND r.coupon_id = c.id AND r.order_id = a.order_id
           AND r.returned_at IS NULL`;
}

/**
 * The parts of the statement that tell the price of the services and the shop of all goods; no goods are read when
 * none are named.
 */
function goodsOf(companyId: number, { items, goodIds }: Named): Goods {
  if (items.length === 0 && goodIds.length === 0) return NO_GOODS;
  const all = [...new Set([...items.map(({ goodId }) => goodId), ...goodIds])].filter(isId);
  const joins = Prisma.sql`
    CROSS JOIN LATERAL (
      SELECT CASE WHEN count(DISTINCT w.branch_group_id) > 1 THEN ${SEVERAL_SHOPS}::int ELSE min(w.branch_group_id) END AS branch_group_id,
             coalesce(array_agg(w.id) FILTER (WHERE w.deleted_at IS NULL), '{}') AS ids
        FROM goods w WHERE w.company_id = ${companyId} AND w.id = ANY (${all}::int[])
    ) g
    CROSS JOIN LATERAL (
      SELECT least(coalesce(sum(i.quantity::numeric * coalesce(x.price_e2, w.price_e2)), 0), 9223372036854775807)::bigint AS service_e2
        FROM unnest(${items.map(({ goodId }) => goodId)}::int[], ${items.map(({ quantity }) => quantity)}::int[]) AS i (good_id, quantity)
        JOIN goods w ON w.company_id = ${companyId} AND w.id = i.good_id AND w.type & 1 = 1
        LEFT JOIN branch_goods x ON x.company_id = w.company_id AND x.branch_id = b.id AND x.good_id = w.id
    ) s`;
  return {
    joins,
    branchGroupId: Prisma.sql`g.branch_group_id`,
    serviceE2: Prisma.sql`s.service_e2`,
    ids: Prisma.sql`g.ids`,
  };
}

/** Parts of the statement about goods: the joins, and expressions for the columns. */
interface Goods {
  readonly joins: Prisma.Sql;
  readonly branchGroupId: Prisma.Sql;
  readonly serviceE2: Prisma.Sql;
  readonly ids: Prisma.Sql;
}

const NO_GOODS: Goods = {
  joins: Prisma.empty,
  branchGroupId: Prisma.sql`NULL::int`,
  serviceE2: Prisma.sql`0::bigint`,
  ids: Prisma.sql`'{}'::int[]`,
};
/** Stands for the code of a promo, which has none. */
const NO_CODE = Prisma.sql`CROSS JOIN (VALUES (NULL::bigint, NULL::text, NULL::timestamptz, NULL::timestamptz)) AS k (id, code, used_at, voided_at)`;

function couponsWanted(companyId: number, wanted: Wanted, at: Date): Prisma.Sql {
  switch (wanted.by) {
    case "code":
      return Prisma.sql`
        coupon_codes k JOIN coupons c ON k.company_id = ${companyId} AND k.code = ${storedCode(wanted.code)}
           AND c.company_id = k.company_id AND c.id = k.coupon_id`;
    case "promoId":
      return Prisma.sql`
        (SELECT * FROM coupons WHERE company_id = ${companyId} AND id = ${wanted.couponId} AND type = 'promo') c
        ${NO_CODE}`;
    case "promos":
      return Prisma.sql`
        (SELECT * FROM coupons WHERE company_id = ${companyId} AND type = 'promo' AND status IN ('ready', 'running')
            AND coupon_runs(coupons, ${at}::timestamptz)) c
        ${NO_CODE}`;
  }
}
