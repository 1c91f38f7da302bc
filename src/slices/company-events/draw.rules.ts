import { createHash, createHmac } from "node:crypto";
import type { StoredCouponSeed, StoredEventConfig } from "./company-event-config.js";

/** One shake: whose, in which event, and whether it is that client's first, second, … there. */
export interface DrawKey {
  readonly companyEventId: number;
  readonly clientId: number;
  /** From 1. */
  readonly number: number;
}

/** Bytes that make one number: 48 bits, exact in a double. */
const NUMBER_BYTES = 6;
const NUMBER_SPACE = 2 ** 48;

/** What is published of an event's secret when the event is set ready: nobody can choose another one later. */
export function seedHash(seed: Uint8Array): string {
  return createHash("sha256").update(seed).digest("hex");
}

/**
 * The numbers of a draw for one coupon seed: HMAC-SHA256 under the event's secret of
 * `<event id>:<client id>:<draw number>:<place>`, cut into big-endian numbers of 48 bits. Should all five of a block
 * be needed, the text goes on with `:1`, `:2`, … Nobody can foretell them without the secret, and nobody can change
 * them with it.
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
 * Whether the numbers hit once in `winRate` draws. Numbers from the last whole multiple of `winRate` on are passed
 * over, so that no remainder is likelier than another; then remainder 0 wins.
 */
export function isHit(numbers: Iterable<number>, winRate: number): boolean {
  const whole = NUMBER_SPACE - (NUMBER_SPACE % winRate);
  for (const number of numbers) {
    if (number < whole) return number % winRate === 0;
  }
  throw new Error("a draw ran out of numbers");
}

/** Whether a coupon seed can be won at a moment: inside its window, with a coupon that has not ended by then. */
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

/** Places of the coupon seeds that a draw hits at a moment, in their order; it wins the first of which one is left. */
export function placesHit(config: StoredEventConfig, seed: Uint8Array, key: DrawKey, at: Date): number[] {
  return (config.couponSeeds ?? []).flatMap((couponSeed, place) => {
    const isDue = isAvailable(couponSeed, config, at);
    return isDue && isHit(drawNumbers(seed, key, place), couponSeed.winRate) ? [place] : [];
  });
}
