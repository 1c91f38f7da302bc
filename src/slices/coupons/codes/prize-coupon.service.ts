import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { scheduleCouponDue } from "../coupon-due.jobs.js";
import type { CouponRow } from "../coupon.model.js";
import { randomCodes } from "./random-code.js";

/** The terms of a coupon that a client has won. */
export interface PrizeCoupon {
  readonly clientId: number;
  readonly companyEventId: number;
  readonly name: string;
  readonly priceE2: number;
  /** Fraction between 0 and 1. */
  readonly pricePrc: number;
  readonly minPurchaseE2: number;
  readonly appliesTo: string;
  readonly endsAt: Date | null;
  readonly codeLength: number;
}

/** How many codes are tried: a random code is hardly ever taken, unless nearly all codes of its length are. */
const MOST_TRIES = 20;

/**
 * Gives a client a personal coupon with one code, which runs at once and is for one use by that client alone. It works
 * inside the caller's transaction, so that there is no win without a coupon and no coupon without a win.
 *
 * @throws Error when no code of that length was free.
 */
export async function givePrizeCoupon(
  scope: CompanyScope,
  { clientId, ...terms }: PrizeCoupon,
): Promise<{ coupon: CouponRow; code: string }> {
  const { db, companyId, at } = scope;
  const coupon = await db.coupon.create({
    data: {
      companyId,
      ...terms,
      type: "personal",
      status: "running",
      totalCount: 1,
      generatedCount: 1,
      startsAt: at,
      whitelist: [clientId],
    },
  });
  const code = await addCode(scope, coupon.id, terms.codeLength);
  await scheduleCouponDue(scope, coupon);
  return { coupon, code };
}

/** Deletes a prize coupon that was given in this transaction, so that nobody ever sees it. */
export async function takeBackPrizeCoupon(scope: CompanyScope, coupon: CouponRow): Promise<void> {
  const { db, companyId, at } = scope;
  await scheduleCouponDue(scope, { ...coupon, deletedAt: at });
  await db.coupon.deleteMany({ where: { companyId, id: coupon.id } });
}

/** Adds a code to the coupon. Of two coupons that get the same code at once, the second one tries another. */
async function addCode({ db, companyId }: CompanyScope, couponId: number, length: number): Promise<string> {
  for (const code of randomCodes(MOST_TRIES, length)) {
    const added = await db.$executeRaw`
      INSERT INTO coupon_codes (company_id, coupon_id, code)
      VALUES (${companyId}::int, ${couponId}::int, ${code})
      ON CONFLICT (company_id, code) DO NOTHING`;
    if (added === 1) return code;
  }
  throw new Error(`no code of ${length} characters was free`);
}
