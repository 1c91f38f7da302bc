import { roundedShare, scaledInteger } from "../../core/money.js";

const PERCENT_DECIMALS = 4;
const WHOLE = 10n ** BigInt(PERCENT_DECIMALS);

/** What a form charges: a flat amount in hundredths, and a fraction with at most four decimals as a decimal number. */
export interface FormFees {
  readonly taxFlatE2: bigint;
  readonly taxPercent: string;
}

/** The tax of an amount in hundredths: flat + percent × amount, rounded half up (contract §23.3). */
export function taxOf({ taxFlatE2, taxPercent }: FormFees, amountE2: bigint): bigint {
  return taxFlatE2 + roundedShare(amountE2, scaledInteger(taxPercent, PERCENT_DECIMALS), WHOLE);
}
