import type { Coupon, Prisma } from "../../src/generated/prisma/client.js";
import { couponCodes } from "../../src/slices/coupons/codes/coupon-codes.jobs.js";
import { unique } from "./factories.js";
import type { Gateway } from "./gateway.js";

type CouponRow = Partial<Omit<Prisma.CouponUncheckedCreateInput, "companyId">>;

/** Creates a pending personal coupon for 10 uses by default, without any job. */
export async function createCouponRow(
  gateway: Pick<Gateway, "db">,
  companyId: number,
  overrides: CouponRow = {},
): Promise<Coupon> {
  return gateway.db.coupon.create({
    data: { companyId, name: `Coupon ${unique()}`, type: "personal", totalCount: 10, ...overrides },
  });
}

/** Creates a coupon whose codes are to be made, with the job that makes them, as setting it ready does. */
export async function createGeneratingCoupon(
  gateway: Pick<Gateway, "db">,
  companyId: number,
  overrides: CouponRow = {},
): Promise<Coupon> {
  const coupon = await createCouponRow(gateway, companyId, {
    status: "generating",
    codeLength: 8,
    ...overrides,
  });
  await couponCodes.schedule({ db: gateway.db, companyId }, coupon.id);
  return coupon;
}
