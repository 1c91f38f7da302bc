import { sql } from "../../../core/db/sql.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { beginOf } from "../../../core/time/zones.js";
import type { CouponReason } from "../conditions/conditions.js";
import type { Candidate, NamedOrder } from "../checks/coupon-facts.js";
import type { ItemShare } from "../amounts/discount-shares.rules.js";
import { storedCode } from "../codes/stored-code.js";
import type { CouponUseRow } from "./coupon-use.model.js";

/** A use that the rules allowed; the database has the last word on it. */
export interface WantedUse {
  readonly coupon: Candidate;
  readonly order: Pick<NamedOrder, "id" | "version">;
  readonly clientId: number | null;
  readonly amountE2: bigint;
  readonly companyAmountE2: bigint;
  /** What each item of the purchase gets of it. */
  readonly items: readonly ItemShare[];
  /** What the delivery gets of it, in hundredths. */
  readonly deliveryE2: bigint;
  /** The use is held until this moment; `null` when it is made. */
  readonly holdUntil: Date | null;
  /** Whether the rules were judged for an order that holds the use already. */
  readonly isHeld: boolean;
  /** The moment at which the coupon has to have run; `null`: now. */
  readonly occurredAt: Date | null;
}

/** What became of a use: `changed` when the coupon or the order is not any more what was judged. */
export interface DecidedUse {
  readonly outcome: "used" | "held" | "changed" | CouponReason;
  readonly id: bigint;
  readonly amountE2: bigint;
  readonly companyAmountE2: bigint;
}

/** Makes or holds a use under the lock of the coupon's row, in one statement. */
export async function useCoupon(scope: CompanyScope, use: WantedUse): Promise<DecidedUse> {
  const { companyId, at } = scope;
  const {
    coupon,
    order,
    clientId,
    amountE2,
    companyAmountE2,
    items,
    deliveryE2,
    holdUntil,
    isHeld,
    occurredAt,
  } = use;
  const rows = await scope.whole.rows<DecidedUse>(
    sql`
    SELECT outcome, use_id AS "id", given_e2 AS "amountE2", given_by_company_e2 AS "companyAmountE2"
      FROM use_coupon(${companyId}::int, ${coupon.id}::int, ${order.id}::int, ${clientId}::int, ${coupon.codeId}::bigint,
        ${coupon.code}, ${amountE2}::bigint, ${companyAmountE2}::bigint, ${at}::timestamptz, ${holdUntil}::timestamptz,
        ${coupon.updatedAt}::timestamptz, ${isHeld}, ${order.version}::text::xid, ${stored(items)}::jsonb,
        ${deliveryE2}::bigint, ${limitSince(scope, coupon)}::timestamptz, ${occurredAt}::timestamptz)`,
    { plan: "kept" },
  );
  return rows[0] as DecidedUse;
}

/** What became of a use among others: `place` is that of its coupon. */
export interface DecidedUses {
  readonly place: number;
  readonly outcome: "used" | "changed" | CouponReason;
  readonly id: bigint;
  readonly amountE2: bigint;
  readonly companyAmountE2: bigint;
}

/**
 * Uses several coupons for an order, all or none, in one statement.
 *
 * @param wish is what the order asked for, as a hash: a repeat of it gets the same answer.
 * @param leftOut are coupons that have too little left for the order: where one has more by now, all has changed.
 */
export async function useCoupons(
  scope: CompanyScope,
  uses: readonly WantedUse[],
  { wish, leftOut }: { wish: string; leftOut: readonly Candidate[] },
): Promise<DecidedUses[]> {
  const { companyId, at } = scope;
  const [first] = uses;
  if (first === undefined) return [];
  const { order, clientId, occurredAt } = first;
  return scope.whole.rows<DecidedUses>(
    sql`
    SELECT place, outcome, use_id AS "id", given_e2 AS "amountE2", given_by_company_e2 AS "companyAmountE2"
      FROM use_coupons(${companyId}::int, ${order.id}::int, ${order.version}::text::xid, ${clientId}::int, ${at}::timestamptz,
        ${uses.map(({ coupon }) => coupon.id)}::int[], ${uses.map(({ coupon }) => coupon.codeId)}::bigint[],
        ${uses.map(({ coupon }) => coupon.code)}::text[], ${uses.map(({ amountE2 }) => amountE2)}::bigint[],
        ${uses.map(({ companyAmountE2 }) => companyAmountE2)}::bigint[],
        ${uses.map(({ coupon }) => coupon.updatedAt.toISOString())}::timestamptz[], ${uses.map(({ isHeld }) => isHeld)}::bool[],
        ${uses.map(({ items }) => stored(items))}::jsonb[], ${uses.map(({ deliveryE2 }) => deliveryE2)}::bigint[],
        ${wish}, ${uses.map(({ coupon }) => limitSince(scope, coupon)?.toISOString() ?? null)}::timestamptz[],
        ${occurredAt}::timestamptz, ${occurredAt === null && uses.every(isFree)},
        ${leftOut.length === 0 ? null : JSON.stringify(leftOut.map((coupon) => takenOf(scope, coupon)))}::jsonb)
     ORDER BY place`,
    { plan: "kept" },
  );
}

/** What was taken of a coupon when it was judged, as `have_more_room` takes it; amounts are text, since JSON numbers are inexact. */
function takenOf(scope: CompanyScope, coupon: Candidate): object {
  const { id, updatedAt, spentCount, heldCount, expiredCount, spentAmountE2, heldAmountE2, expiredE2 } =
    coupon;
  return {
    coupon: id,
    seen: updatedAt,
    uses: spentCount + heldCount - expiredCount,
    amount: String(spentAmountE2 + heldAmountE2 - expiredE2),
    room: coupon.campaignRoomE2 === null ? null : String(coupon.campaignRoomE2),
    client_uses: coupon.clientUses,
    client_amount: String(coupon.clientGivenE2),
    since: limitSince(scope, coupon),
  };
}

/** Whether a use can only be refused because the coupon is over or used up: it limits nothing else, and nothing of it is held. */
function isFree({ coupon, isHeld }: WantedUse): boolean {
  const { type, heldCount, campaignId, config } = coupon;
  const isLimited =
    config.limit != null || config.amountLimitE2 != null || config.clientAmountLimitE2 != null;
  return (
    (type === "batch" || type === "promo") && heldCount === 0 && campaignId === null && !isLimited && !isHeld
  );
}

/** The moment since which uses of a client count in the limit of a coupon; `null`: all do. */
function limitSince({ at, company }: CompanyScope, { config }: Candidate): Date | null {
  const { limit, limitPeriod } = config;
  if (limit == null || limitPeriod == null || limitPeriod === "life") return null;
  return beginOf(limitPeriod, company.timeZoneOffset, at);
}

/** Shares as they are stored: none where no items were named. */
function stored(items: readonly ItemShare[]): string | null {
  return items.length === 0 ? null : JSON.stringify(items);
}

/** A use as it is stored, with its code as it is shown. */
export type StoredUse = Required<CouponUseRow>;

/** Gives back the use that an order made of a coupon. @returns `null` when it made none. */
export async function returnUse(
  scope: CompanyScope,
  { couponId, orderId, code }: { couponId: number; orderId: number; code: string | null },
): Promise<StoredUse | null> {
  const { companyId, at } = scope;
  const rows = await scope.whole.rows<StoredUse>(sql`
    SELECT u.company_id AS "companyId", u.coupon_id AS "couponId", u.id, c.promo_code AS "promoCode", u.code,
           u.client_id AS "clientId", u.order_id AS "orderId", u.amount_e2 AS "amountE2",
           u.movement_id AS "movementId", u.company_amount_e2 AS "companyAmountE2", u.items, u.returned_amount_e2 AS "returnedAmountE2", u.created_at AS "createdAt", u.returned_at AS "returnedAt"
      FROM return_coupon(${companyId}::int, ${couponId}::int, ${orderId}::int, ${code}, ${at}::timestamptz) u
      JOIN coupons c ON c.company_id = u.company_id AND c.id = u.coupon_id`);
  return rows[0] ?? null;
}

/** A hold as it was before it was released. */
export interface ReleasedHold {
  readonly companyId: number;
  readonly couponId: number;
  readonly id: bigint;
  readonly code: string | null;
  readonly clientId: number | null;
  readonly orderId: number;
  readonly amountE2: bigint;
  readonly companyAmountE2: bigint;
  readonly expiresAt: Date;
  readonly createdAt: Date;
}

/** Releases the hold that an order has of a coupon. @returns `null` when it has none. */
export async function releaseHold(
  scope: CompanyScope,
  { couponId, orderId, code }: { couponId: number; orderId: number; code: string | null },
): Promise<ReleasedHold | null> {
  const { companyId, at } = scope;
  const rows = await scope.whole.rows<ReleasedHold>(sql`
    SELECT h.company_id AS "companyId", h.coupon_id AS "couponId", h.id, coalesce(c.promo_code, h.code) AS code,
           h.client_id AS "clientId", h.order_id AS "orderId", h.amount_e2 AS "amountE2",
           h.company_amount_e2 AS "companyAmountE2", h.expires_at AS "expiresAt", h.created_at AS "createdAt"
      FROM release_coupon(${companyId}::int, ${couponId}::int, ${orderId}::int, ${code}, ${at}::timestamptz) h
      JOIN coupons c ON c.company_id = h.company_id AND c.id = h.coupon_id`);
  return rows[0] ?? null;
}

/** A gift card that the rules allow to be redeemed. */
export interface WantedGiftCard {
  readonly coupon: Candidate;
  readonly clientId: number | null;
  readonly holderType: "client" | "account";
  readonly holderKey: number;
  readonly authorId: number | null;
  /** What makes the same request known when it comes again; `null` without an Idempotency-Key. */
  readonly identity: Buffer | null;
}

/**
 * What became of a gift card: `changed` when it is not any more what was judged, `full` when the balance cannot
 * hold it.
 */
export interface DecidedGiftCard {
  readonly outcome: "redeemed" | "changed" | "deleted" | "full" | "reused" | CouponReason;
  readonly amountE2: bigint;
  /** The holder's balance after that. */
  readonly balanceE2: bigint;
}

/** Uses the code and posts the balance, both or neither, in one statement. */
export async function redeemCode(
  scope: CompanyScope,
  { coupon, clientId, holderType, holderKey, authorId, identity }: WantedGiftCard,
): Promise<DecidedGiftCard> {
  const { companyId, company, at, requestId, caller } = scope;
  const rows = await scope.whole.rows<DecidedGiftCard>(
    sql`
    SELECT outcome, given_e2 AS "amountE2", balance_e2 AS "balanceE2"
      FROM redeem_gift_card(${companyId}::int, ${coupon.id}::int, ${coupon.codeId}::bigint, ${coupon.code}, ${clientId}::int,
        ${holderType}, ${holderKey}::int, ${coupon.currencyIso ?? company.currencyIso}, ${authorId}::int, ${at}::timestamptz,
        ${coupon.updatedAt}::timestamptz, ${identity}::bytea, ${requestId}, ${caller.kind},
        ${limitSince(scope, coupon)}::timestamptz)`,
    { plan: "kept" },
  );
  return rows[0] as DecidedGiftCard;
}

/** The balance that could not hold what a gift card adds, in hundredths. */
export async function balanceBeside(
  { companyId, company, whole }: CompanyScope,
  { coupon, holderType, holderKey }: WantedGiftCard,
): Promise<bigint> {
  const [holder] = await whole.rows<{ balanceE2: bigint }>(
    sql`
    SELECT balance_e2 AS "balanceE2" FROM balance_holders
     WHERE company_id = ${companyId} AND type = ${holderType} AND key = ${holderKey}
       AND currency_iso = ${coupon.currencyIso ?? company.currencyIso}`,
    { plan: "kept" },
  );
  return holder?.balanceE2 ?? 0n;
}

/** Id of the coupon that a code belongs to, whatever the coupon's state. */
export async function findCouponIdOfCode(
  { db, companyId }: CompanyScope,
  code: string,
): Promise<number | null> {
  const stored = storedCode(code);
  if (stored === null) return null;
  const row = await db.couponCode.findFirst({
    where: { companyId, code: stored },
    select: { couponId: true },
  });
  return row?.couponId ?? null;
}
