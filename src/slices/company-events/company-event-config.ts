import type { CompanyEventConfig } from "./company-event.model.js";

/** A prize of an event as it is stored; what was not given is absent. Moments are ISO 8601 in UTC. */
export interface StoredCouponSeed {
  /** How many of these coupons there are. */
  readonly maxCount: number;
  /** One draw in so many wins it. */
  readonly winRate: number;
  readonly couponValueE2?: number | null;
  /** Fraction between 0 and 1. */
  readonly couponValuePrc?: number | null;
  readonly couponMinPurchaseE2?: number | null;
  readonly couponAppliesTo?: string | null;
  readonly winnerMessage?: string | null;
  readonly alreadyWonMessage?: string | null;
  /** From this moment on (inclusive) it can be won. */
  readonly availableSince?: string | null;
  /** From this moment on it cannot be won any more. */
  readonly availableUntil?: string | null;
}

/** `CompanyEvent.config` as it is stored (contract §14.1). */
export interface StoredEventConfig {
  /** Tried in their order; the first hit wins. */
  readonly couponSeeds?: readonly StoredCouponSeed[] | null;
  /** When the coupons that were won end. */
  readonly expiresAt?: string | null;
  /** Characters of a code that is won. */
  readonly randomLength?: number | null;
  readonly winnerMessage?: string | null;
  readonly alreadyWonMessage?: string | null;
  readonly loserMessage?: string | null;
}

/** The stored config of a row. */
export function eventConfig({ config }: { readonly config: unknown }): StoredEventConfig {
  return config as StoredEventConfig;
}

/** The config as it is shown: every key is there, null when it was not given. */
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
