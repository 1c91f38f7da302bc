import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { scheduleCouponDue } from "../coupon-due.jobs.js";
import type { CouponRow } from "../coupon.model.js";
import { randomCodes } from "./random-code.js";

/** A coupon that a client has won. */
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

/** Codes are hardly ever taken; a space that is nearly full is another matter. */
const MOST_TRIES = 20;

/**
 * Gives a client a personal coupon that runs at once, for one use by that client alone, with its one code. Inside
 * the caller's transaction: there is no win without its coupon, nor the other way round.
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

/** Takes a prize back that was given in the same transaction: it has never been anybody's. */
export async function takeBackPrizeCoupon(scope: CompanyScope, coupon: CouponRow): Promise<void> {
  const { db, companyId, at } = scope;
  await scheduleCouponDue(scope, { ...coupon, deletedAt: at });
  await db.coupon.deleteMany({ where: { companyId, id: coupon.id } });
}

/** Two prizes at once never get the same code: whoever comes second draws another one. */
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
