import { scheduleCouponDue } from "../slices/coupons/coupon-due.jobs.js";
import { hasLinkedTargets } from "../slices/coupons/coupon-actions.rules.js";
import { CODE_ALPHABET } from "../slices/coupons/codes/random-code.js";
import type { Prisma } from "../generated/prisma/client.js";
import type { CouponData } from "./demo-company.js";
import type { DemoTarget } from "./demo-target.js";
import { insertRows } from "./insert-rows.js";
import type { LoadedShops } from "./load-shops.js";
import { daysBefore, minutesBefore } from "./moment.js";

const CODE_LENGTH = 8;
const DAY = 24 * 60;

/** What a coupon gave to an order. */
interface Use {
  readonly order: Sale;
  readonly amountE2: number;
  readonly companyAmountE2: number;
}

interface Sale {
  readonly id: number;
  readonly clientId: number | null;
  readonly subtotalE2: bigint;
  readonly deliveryE2: bigint;
  readonly createdAt: Date;
}

/** A coupon with everything that hangs on it. */
interface PlannedCoupon {
  readonly data: CouponData;
  readonly codes: readonly string[];
  readonly uses: readonly Use[];
}

/** Coupons of all types in every status, with their codes, targets and uses. */
export async function loadCoupons(
  target: DemoTarget,
  { shops, clients }: { shops: LoadedShops; clients: readonly number[] },
): Promise<void> {
  const { db, companyId, data } = target;
  const orders = await db.order.findMany({
    where: { companyId, status: "delivered", clientId: { not: null } },
    orderBy: { id: "asc" },
  });
  const planned = data.coupons.map((coupon): PlannedCoupon => ({
    data: coupon,
    codes: codesOf(target, coupon),
    uses: usesOf(target, coupon, orders),
  }));
  const rows = await insertRows(
    db,
    "Coupon",
    planned.map((coupon) => couponRow(target, coupon, { shops, clients })),
    ["id", "status", "startsAt", "endsAt", "createdAt", "deletedAt"],
  );
  const coupons = planned.map((coupon, index) => ({ ...coupon, row: rows[index] as (typeof rows)[number] }));

  await insertRows(
    db,
    "CouponBranchGroup",
    coupons.flatMap(({ data: { targetType = "company", shops: names = [] }, row }) =>
      hasLinkedTargets(targetType)
        ? names.map((name) => ({ companyId, couponId: row.id, branchGroupId: shops.shops.get(name) }))
        : [],
    ),
  );
  await insertRows(
    db,
    "CouponCode",
    coupons.flatMap(({ codes, uses, data: { type }, row }) =>
      codes.map((code, index) => ({
        companyId,
        couponId: row.id,
        code,
        usedAt: type === "batch" ? null : (uses[index]?.order.createdAt ?? null),
        createdAt: row.createdAt,
      })),
    ),
  );
  await insertRows(
    db,
    "CouponRedemption",
    coupons.flatMap(({ codes, uses, data: { type }, row }) =>
      uses.map(({ order, amountE2, companyAmountE2 }, index) => ({
        companyId,
        couponId: row.id,
        code: (type === "batch" ? codes[0] : codes[index]) ?? null,
        clientId: order.clientId,
        orderId: order.id,
        amountE2,
        companyAmountE2,
        createdAt: order.createdAt,
      })),
    ),
  );
  for (const { row } of coupons) {
    if (row.status === "ready") await scheduleCouponDue({ db, companyId }, row);
  }
}

/** The codes that are named, and others to fill up; a deleted coupon keeps no promo code from others. */
function codesOf({ random }: DemoTarget, coupon: CouponData): string[] {
  const { type, status, promoCode, totalCount, codes = [], isDeleted } = coupon;
  if (promoCode !== undefined) return isDeleted === true ? [] : [promoCode.toUpperCase()];
  if (type === "promo" || status === "pending") return [];
  const more = Array.from({ length: totalCount - codes.length }, () =>
    Array.from({ length: CODE_LENGTH }, () => random.pick([...CODE_ALPHABET])).join(""),
  );
  return [...codes, ...more];
}

/** Orders from the time in which the coupon ran, each with its discount. */
function usesOf({ random }: DemoTarget, coupon: CouponData, orders: readonly Sale[]): Use[] {
  const { uses = 0, startsDaysAgo = 0, endsDaysAgo = 0, appliesTo, minPurchaseE2 = 0 } = coupon;
  const [since, until] = [minutesBefore(startsDaysAgo * DAY), minutesBefore(endsDaysAgo * DAY)];
  const suitable = orders.filter(
    ({ createdAt, subtotalE2, deliveryE2 }) =>
      createdAt >= since &&
      createdAt < until &&
      subtotalE2 >= minPurchaseE2 &&
      (appliesTo !== "delivery" || deliveryE2 > 0),
  );
  return random
    .sample(suitable, uses)
    .sort((one, other) => one.id - other.id)
    .map((order) => useOf(coupon, order));
}

/** Percentages have whole steps of a ten-thousandth here, so everything is counted in integers. */
function useOf({ priceE2 = 0, pricePrc = 0, appliesTo, config = {} }: CouponData, order: Sale): Use {
  const base = Number(appliesTo === "delivery" ? order.deliveryE2 : order.subtotalE2);
  const steps = Math.round(pricePrc * 10_000);
  const discount = priceE2 + Math.floor((base * steps + 5_000) / 10_000);
  const amountE2 = Math.min(discount, base, config.maxDiscountE2 ?? base);
  return {
    order,
    amountE2,
    companyAmountE2: Math.floor((amountE2 * (config.companyAssumptionPrc ?? 0) + 50) / 100),
  };
}

function couponRow(
  { companyId, random, data: { profile } }: DemoTarget,
  { data, codes, uses }: PlannedCoupon,
  { shops, clients }: { shops: LoadedShops; clients: readonly number[] },
) {
  const { name, type, status, promoCode, priceE2, pricePrc, minPurchaseE2, totalCount } = data;
  const at = (daysAgo: number | undefined): Date | null =>
    daysAgo === undefined ? null : daysBefore(daysAgo);
  const createdAt = daysBefore(Math.max(data.startsDaysAgo ?? 0, 0) + 2);
  const madeCodes = type === "personal" || type === "gift_card" ? codes.length : 0;
  return {
    companyId,
    name,
    type,
    status,
    promoCode: promoCode ?? null,
    priceE2: priceE2 ?? 0,
    pricePrc: pricePrc ?? 0,
    minPurchaseE2: minPurchaseE2 ?? 0,
    totalCount,
    spentCount: uses.length,
    spentAmountE2: uses.reduce((sum, { amountE2 }) => sum + amountE2, 0),
    generatedCount: madeCodes,
    codeLength: madeCodes > 0 ? CODE_LENGTH : null,
    startsAt: at(data.startsDaysAgo),
    endsAt: at(data.endsDaysAgo),
    branchGroupId: data.shop === undefined ? null : shops.shops.get(data.shop),
    appliesTo: data.appliesTo ?? "subtotal",
    targetType: data.targetType ?? "company",
    config: (data.config ?? {}) as Prisma.InputJsonObject,
    currencyIso: status === "pending" ? null : profile.settings.currencyIso,
    readyAt: status === "pending" ? null : createdAt,
    whitelist: whitelistOf(random.sample(clients, data.whitelisted ?? 0), uses),
    createdAt,
    updatedAt: createdAt,
    deletedAt: data.isDeleted === true ? daysBefore(1) : null,
  };
}

/** Whoever used a coupon that is for some alone is one of them. */
function whitelistOf(invited: readonly number[], uses: readonly Use[]): number[] {
  if (invited.length === 0) return [];
  const users = uses.flatMap(({ order: { clientId } }) => clientId ?? []);
  return [...new Set([...invited, ...users])].sort((one, other) => one - other);
}
