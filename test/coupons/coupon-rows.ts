import type { Coupon, Prisma } from "../../src/generated/prisma/client.js";
import type { CouponState } from "../../src/slices/coupons/coupon-actions.rules.js";
import { unique } from "../support/factories.js";
import type { Gateway } from "../support/gateway.js";

const DAY_MS = 86_400_000;

/** Returns the moment that many days from now. */
export const inDays = (days: number): Date => new Date(Date.now() + days * DAY_MS);

/** Writes a moment as answers have it (contract §2.5). */
export const spell = (moment: Date): string => moment.toISOString().slice(0, 19).replace("T", " ");

/** Creates a coupon without checking any rule; batch coupons keep their promo code. */
export async function createCoupon(
  gateway: Gateway,
  companyId: number,
  overrides: Partial<Prisma.CouponUncheckedCreateInput> = {},
): Promise<Coupon> {
  const { db } = gateway;
  const type = overrides.type ?? "personal";
  const promoCode = type === "batch" ? (overrides.promoCode ?? `Promo${unique()}`) : null;
  const coupon = await db.coupon.create({
    data: {
      companyId,
      name: `Coupon ${unique()}`,
      totalCount: 5,
      priceE2: 100,
      ...overrides,
      type,
      promoCode,
    },
  });
  if (promoCode !== null && coupon.deletedAt === null) {
    await db.couponCode.create({
      data: { companyId, couponId: coupon.id, code: promoCode.toUpperCase() },
    });
  }
  return coupon;
}

/** The stored form of a coupon in each state. */
export function inState(state: CouponState): Partial<Prisma.CouponUncheckedCreateInput> {
  if (state === "ready") return { status: "ready", startsAt: inDays(1) };
  if (state === "running") return { status: "running", startsAt: inDays(-1) };
  if (state === "finished") return { status: "finished", startsAt: inDays(-2), endsAt: inDays(-1) };
  return state === "deleted" ? { deletedAt: inDays(-1) } : { status: state };
}

/** Creates codes for a coupon, as its generation does. */
export async function addCodes(
  gateway: Gateway,
  { companyId, id }: { companyId: number; id: number },
  ...codes: string[]
): Promise<void> {
  await gateway.db.couponCode.createMany({ data: codes.map((code) => ({ companyId, couponId: id, code })) });
  await gateway.db.coupon.update({
    where: { companyId_id: { companyId, id } },
    data: { generatedCount: codes.length, totalCount: codes.length },
  });
}
