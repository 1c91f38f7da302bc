import type { CompanyEventConfig } from "./company-event.model.js";

/** A coupon seed as it is stored; keys that were not given are absent. Moments are ISO 8601 in UTC. */
export interface StoredCouponSeed {
  /** How many of these coupons there are. */
  readonly maxCount: number;
  /** One draw in so many wins the coupon. */
  readonly winRate: number;
  readonly couponValueE2?: number | null;
  /** Fraction between 0 and 1. */
  readonly couponValuePrc?: number | null;
  readonly couponMinPurchaseE2?: number | null;
  readonly couponAppliesTo?: string | null;
  readonly winnerMessage?: string | null;
  readonly alreadyWonMessage?: string | null;
  /** Moment from which (inclusive) the coupon can be won. */
  readonly availableSince?: string | null;
  /** Moment from which the coupon cannot be won any more. */
  readonly availableUntil?: string | null;
}

/** `CompanyEvent.config` as it is stored (contract §14.1). */
export interface StoredEventConfig {
  /** The kinds of coupons. A draw tries them in this order; the first hit of which one is left wins. */
  readonly couponSeeds?: readonly StoredCouponSeed[] | null;
  /** The moment at which prize coupons end. */
  readonly expiresAt?: string | null;
  /** How many characters the code of a prize coupon has. */
  readonly randomLength?: number | null;
  readonly winnerMessage?: string | null;
  readonly alreadyWonMessage?: string | null;
  readonly loserMessage?: string | null;
}

/** The stored config of a row. */
export function eventConfig({ config }: { readonly config: unknown }): StoredEventConfig {
  return config as StoredEventConfig;
}

/** The config as it is shown: keys that were not given become null. */
export function shownConfig(row: { readonly config: unknown }): CompanyEventConfig {
  const { couponSeeds, expiresAt, randomLength, ...messages } = eventConfig(row);
  return {
    couponSeeds: (couponSeeds ?? []).map((couponSeed) => ({
      maxCount: couponSeed.maxCount,
      winRate: couponSeed.winRate,
      couponValueE2: couponSeed.couponValueE2 ?? null,
      couponValuePrc: couponSeed.couponValuePrc ?? null,
      couponMinPurchaseE2: couponSeed.couponMinPurchaseE2 ?? null,
      couponAppliesTo: couponSeed.couponAppliesTo ?? null,
      winnerMessage: couponSeed.winnerMessage ?? null,
      alreadyWonMessage: couponSeed.alreadyWonMessage ?? null,
      availableSince: dateOrNull(couponSeed.availableSince),
      availableUntil: dateOrNull(couponSeed.availableUntil),
    })),
    expiresAt: dateOrNull(expiresAt),
    randomLength: randomLength ?? null,
    winnerMessage: messages.winnerMessage ?? null,
    alreadyWonMessage: messages.alreadyWonMessage ?? null,
    loserMessage: messages.loserMessage ?? null,
  };
}

function dateOrNull(iso: string | null | undefined): Date | null {
  return iso == null ? null : new Date(iso);
}
