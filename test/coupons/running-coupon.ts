import type { CouponConfig } from "../../src/slices/coupons/coupon-config.model.js";
import type { Prisma } from "../../src/generated/prisma/client.js";
import { unique } from "../support/factories.js";
import type { Gateway } from "../support/gateway.js";

/** The part of a gateway that these functions need. */
type Database = Pick<Gateway, "db">;

export interface RunningCoupon {
  readonly id: number;
  /** The codes as they are stored, in capitals; a promo has none. */
  readonly codes: readonly string[];
  /** The promo code as it was entered. */
  readonly promoCode: string | null;
}

type Overrides = Partial<Omit<Prisma.CouponUncheckedCreateInput, "config" | "companyId">> & {
  config?: CouponConfig;
};

/** Creates a running coupon with its codes; by default a batch coupon for 100 uses of 10.00. */
export async function runningCoupon(
  { db }: Database,
  companyId: number,
  { config = {}, ...overrides }: Overrides = {},
): Promise<RunningCoupon> {
  const { type = "batch", totalCount = 100 } = overrides;
  const promoCode = type === "batch" ? (overrides.promoCode ?? freshCode()) : null;
  const { id } = await db.coupon.create({
    data: {
      companyId,
      type,
      totalCount,
      promoCode,
      priceE2: 1000,
      status: "running",
      startsAt: new Date(Date.now() - 60_000),
      config: config as Prisma.InputJsonObject,
      ...overrides,
    },
  });
  const codes =
    promoCode !== null
      ? [promoCode.toUpperCase()]
      : type === "promo"
        ? []
        : Array.from({ length: totalCount }, () => freshCode().toUpperCase());
  await db.couponCode.createMany({ data: codes.map((code) => ({ companyId, couponId: id, code })) });
  return { id, codes, promoCode };
}

let sequence = 0;
function freshCode(): string {
  sequence += 1;
  return `c${unique()}${sequence.toString(36).padStart(5, "0")}`.slice(-20);
}

export async function createOrder(
  { db }: Database,
  companyId: number,
  overrides: Partial<Prisma.OrderUncheckedCreateInput> = {},
): Promise<{ id: number }> {
  return db.order.create({
    data: {
      companyId,
      currencyIso: "USD",
      subtotalE2: 10_000,
      deliveryE2: 500,
      totalE2: 10_500,
      ...overrides,
    },
  });
}

/** Creates that many orders and returns their ids. */
export async function createOrders(
  { db }: Database,
  companyId: number,
  count: number,
  clientId?: number,
): Promise<number[]> {
  const rows = await db.order.createManyAndReturn({
    data: Array.from({ length: count }, () => ({
      companyId,
      currencyIso: "USD",
      subtotalE2: 10_000,
      totalE2: 10_000,
      ...(clientId !== undefined && { clientId }),
    })),
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}

/** Adds a use of a gift card's code that a client made at a moment, since the moment of a use never changes. */
export async function redeemedAt(
  { db }: Database,
  companyId: number,
  { couponId, code, clientId, at }: { couponId: number; code: string; clientId: number; at: Date },
): Promise<void> {
  await db.couponCode.update({ where: { companyId_code: { companyId, code } }, data: { usedAt: at } });
  const { priceE2: amountE2 } = await db.coupon.findFirstOrThrow({ where: { companyId, id: couponId } });
  await db.couponRedemption.create({
    data: { companyId, couponId, code, clientId, amountE2, createdAt: at },
  });
  await db.coupon.update({
    where: { companyId_id: { companyId, id: couponId } },
    data: { spentCount: { increment: 1 }, spentAmountE2: { increment: amountE2 } },
  });
}

/** Returns the coupon's counters, and the sums of the rows that they count: uses that were given back are none. */
export async function tally({ db }: Database, companyId: number, couponId: number) {
  const coupon = await db.coupon.findFirstOrThrow({ where: { companyId, id: couponId } });
  const redemptions = await db.couponRedemption.aggregate({
    where: { companyId, couponId, returnedAt: null },
    _count: true,
    _sum: { amountE2: true },
  });
  const holds = await db.couponHold.aggregate({
    where: { companyId, couponId },
    _count: true,
    _sum: { amountE2: true },
  });
  return {
    counters: {
      spent: coupon.spentCount,
      given: Number(coupon.spentAmountE2),
      held: coupon.heldCount,
      reserved: Number(coupon.heldAmountE2),
    },
    rows: {
      spent: redemptions._count,
      given: Number(redemptions._sum.amountE2 ?? 0),
      held: holds._count,
      reserved: Number(holds._sum.amountE2 ?? 0),
    },
  };
}
