import { createHash, createHmac } from "node:crypto";
import type { StoredCouponSeed, StoredEventConfig } from "./company-event-config.js";

/** Names a draw: the event, the client, and the number of the client's draw in that event. */
export interface DrawKey {
  readonly companyEventId: number;
  readonly clientId: number;
  /** Number of the client's draw in this event, from 1. */
  readonly number: number;
}

/** How many bytes make one number: 48 bits, which a double holds exactly. */
const NUMBER_BYTES = 6;
const NUMBER_SPACE = 2 ** 48;

/**
 * The hash of an event's seed, in hexadecimal. It is published when the event is set ready, so that the seed cannot
 * be changed later.
 */
export function seedHash(seed: Uint8Array): string {
  return createHash("sha256").update(seed).digest("hex");
}

/**
 * The numbers of a draw for the coupon seed at a place: HMAC-SHA256 under the event's seed of
 * `<event id>:<client id>:<draw number>:<place>`, cut into big-endian numbers of 48 bits. When all five numbers of a
 * block are used, the next block is that of the text with `:1`, `:2`, … added. Without the seed nobody can foretell the
 * numbers, and nobody who knows it can change them.
 */
export function* drawNumbers(seed: Uint8Array, key: DrawKey, place: number): Generator<number, never> {
  const text = `${key.companyEventId}:${key.clientId}:${key.number}:${place}`;
  for (let block = 0; ; block += 1) {
    const bytes = createHmac("sha256", seed)
      .update(block === 0 ? text : `${text}:${block}`)
      .digest();
    for (let at = 0; at + NUMBER_BYTES <= bytes.length; at += NUMBER_BYTES)
      yield bytes.readUIntBE(at, NUMBER_BYTES);
  }
}

/**
 * Returns whether the numbers hit, which they do once in `winRate` draws: the first usable number wins when its remainder
 * is 0. Numbers from the largest multiple of `winRate` on are passed over, so that every remainder is as likely.
 */
export function isHit(numbers: Iterable<number>, winRate: number): boolean {
  const whole = NUMBER_SPACE - (NUMBER_SPACE % winRate);
  for (const number of numbers) {
    if (number < whole) return number % winRate === 0;
  }
  throw new Error("a draw ran out of numbers");
}

/** Returns whether a coupon seed can be won at a moment: inside its window, and before prize coupons end. */
export function isAvailable(
  { availableSince, availableUntil }: StoredCouponSeed,
  { expiresAt }: Pick<StoredEventConfig, "expiresAt">,
  at: Date,
): boolean {
  const isPast = (moment: string): boolean => new Date(moment) <= at;
  return (
    (availableSince == null || isPast(availableSince)) &&
    (availableUntil == null || !isPast(availableUntil)) &&
    (expiresAt == null || !isPast(expiresAt))
  );
}

/**
 * Places of the coupon seeds that a draw hits at a moment, in their order. The draw wins the first at which one is
 * left.
 */
export function placesHit(config: StoredEventConfig, seed: Uint8Array, key: DrawKey, at: Date): number[] {
  return (config.couponSeeds ?? []).flatMap((couponSeed, place) => {
    const isDue = isAvailable(couponSeed, config, at);
    return isDue && isHit(drawNumbers(seed, key, place), couponSeed.winRate) ? [place] : [];
  });
}
