import { sql, type Sql } from "../../../core/db/sql.js";
import { randomCodes } from "./random-code.js";

/** The terms of a coupon that a client has won. */
export interface PrizeCoupon {
  readonly name: string;
  readonly priceE2: number;
  /** Fraction between 0 and 1. */
  readonly pricePrc: number;
  readonly minPurchaseE2: number;
  readonly appliesTo: string;
  readonly endsAt: Date | null;
  readonly codeLength: number;
}

/** How many codes are tried: a random code is hardly ever in use, unless nearly all codes of its length are. */
const MOST_TRIES = 20;

/**
 * The arguments `_terms` and `_codes` of `give_prize_coupon`: null without a coupon.
 *
 * @param currencyIso the company's currency, in which its amounts are.
 */
export function prizeArguments(coupon: PrizeCoupon | null, currencyIso: string): Sql {
  if (coupon === null) return sql`NULL::jsonb, NULL::text[]`;
  const { name, priceE2, pricePrc, minPurchaseE2, appliesTo, endsAt, codeLength } = coupon;
  const terms = JSON.stringify({
    name,
    price_e2: priceE2,
    price_prc: pricePrc,
    min_purchase_e2: minPurchaseE2,
    applies_to: appliesTo,
    ends_at: endsAt,
    code_length: codeLength,
    currency_iso: currencyIso,
  });
  return sql`${terms}::jsonb, ${randomCodes(MOST_TRIES, codeLength)}::text[]`;
}
