import type { FieldError } from "../../../core/errors/domain-error.js";
import { MAX_AMOUNT } from "../../../core/money.js";

/** How prices change: by hundredths of a percent or by an amount, and to a multiple of which amount they are rounded. */
export interface PriceChange {
  readonly percentE2: number | null;
  readonly amountE2: bigint | null;
  readonly roundToE2: bigint;
}

const WHOLE_E2 = 10_000n;

/**
 * Returns a price in hundredths after a change: exact, and then rounded to the nearest multiple, a half up.
 *
 * @returns `null` for a price that would be below 0, or more than an amount may be.
 */
export function changedPrice(
  priceE2: bigint,
  { percentE2, amountE2, roundToE2 }: PriceChange,
): bigint | null {
  const parts = priceE2 * (WHOLE_E2 + BigInt(percentE2 ?? 0)) + (amountE2 ?? 0n) * WHOLE_E2;
  if (parts < 0n) return null;
  const unit = WHOLE_E2 * roundToE2;
  const changed = ((2n * parts + unit) / (2n * unit)) * roundToE2;
  return changed > MAX_AMOUNT ? null : changed;
}

/** Finds a change that says neither percents nor an amount, or both. */
export function changeErrors(input: {
  readonly percent?: number | null;
  readonly amountE2?: number | null;
}): FieldError[] {
  const { percent, amountE2 } = input;
  if (percent == null && amountE2 == null)
    return [{ field: "percent", rule: "required", message: "is required without amountE2" }];
  if (percent != null && amountE2 != null)
    return [{ field: "amountE2", rule: "forbidden", message: "is not allowed beside percent" }];
  return [];
}
