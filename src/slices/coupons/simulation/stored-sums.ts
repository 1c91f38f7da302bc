import type { CouponStats } from "../stats/coupon-stats.model.js";

/** The amounts of sums: JSON has no numbers for them that are always exact. */
type Amount = "discountE2" | "companyDiscountE2" | "subtotalE2";
type Stored = Omit<CouponStats, Amount> & Record<Amount, string>;

/** Sums as they are stored: their amounts are texts. */
export function storedSums(sums: readonly CouponStats[]): Stored[] {
  return sums.map(({ discountE2, companyDiscountE2, subtotalE2, ...rest }) => ({
    ...rest,
    discountE2: String(discountE2),
    companyDiscountE2: String(companyDiscountE2),
    subtotalE2: String(subtotalE2),
  }));
}

/** Sums as they were before they were stored. */
export function sumsOf(stored: unknown): CouponStats[] {
  return (stored as readonly Stored[]).map(({ discountE2, companyDiscountE2, subtotalE2, ...rest }) => ({
    ...rest,
    discountE2: BigInt(discountE2),
    companyDiscountE2: BigInt(companyDiscountE2),
    subtotalE2: BigInt(subtotalE2),
  }));
}
