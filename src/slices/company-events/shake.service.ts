import type { CouponRow } from "../coupons/coupon.model.js";
import { DomainError, forbidden } from "../../core/errors/domain-error.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import type { PrizeCoupon } from "../coupons/codes/prize-coupon.sql.js";
import { eventConfig, type StoredCouponSeed, type StoredEventConfig } from "./company-event-config.js";
import {
  readDrawings,
  recordDraw,
  type Drawing,
  type JudgedDraw,
  type RecordedDraw,
} from "./company-event.sql.js";
import { isAvailable, placesHit, seedHash } from "./draw.rules.js";
import type { Shake } from "./shake.model.js";

/** Bounds for the length of a code, whatever the event asks for, and the length when it asks for none. */
const CODE_LENGTH = { min: 5, max: 20, usual: 8 } as const;

/** How often a draw is judged anew: each of the places that it hits may be emptied in between. */
const MAX_ATTEMPTS = 10;
/** How many further draws are judged when the client's own draws came in between, so that these need not be repeated. */
const MOST_AT_ONCE = 64;

/**
 * One shake of the calling client, for the oldest running event in which it can still win. The draw is judged from one statement, and the database records it only while that
 * is true: a client never wins twice, and a coupon seed is never won more often than it may be, however many shake at
 * once. A draw gets its id when its coupon is won, so replaying the draws in the order of their ids gives the same wins.
 *
 * @throws DomainError NOT_FOUND when no event runs.
 */
export async function shake(scope: CompanyScope): Promise<ShakeOutcome> {
  const clientId = callingClient(scope);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const event = eventToShake(await readDrawings(scope, clientId), scope.at);
    if (event === null) throw noEvent();
    const common = { companyEventId: event.id, seedHash: seedHash(event.seed) };
    if (event.wonPlace !== null) return { ...common, ...wonBefore(event, event.wonPlace), drawNumber: null };
    const draw = judgeDraw(event, clientId, { at: scope.at, atOnce: attempt === 0 ? 1 : MOST_AT_ONCE });
    const recorded = await recordDraw(scope, draw);
    if (recorded.outcome !== "changed")
      return { ...common, ...answerOf(event, draw, recorded), drawNumber: recorded.number };
  }
  throw new DomainError("CONFLICT", "The event keeps changing; try again.", { retryAfterSeconds: 1 });
}

/**
 * The first of the events in which the client has not won and a coupon can be won at the moment; where there is none,
 * the first of all, which says so.
 */
function eventToShake(events: readonly Drawing[], at: Date): Drawing | null {
  const canBeWon = (event: Drawing): boolean => {
    const config = eventConfig(event);
    return (
      event.wonPlace === null &&
      event.placesLeft.some((place) => isAvailable(couponSeedAt(config, place), config, at))
    );
  };
  return events.find(canBeWon) ?? events[0] ?? null;
}

type Told = Pick<Shake, "won" | "message" | "code"> & { readonly coupon: CouponRow | null };

/** A shake with its coupon as a row. */
export type ShakeOutcome = Omit<Shake, "coupon"> & Told;

/** Judges the client's next draw, and as many of the following as lose with it, `atOnce` at most. */
function judgeDraw(
  event: Drawing,
  clientId: number,
  { at, atOnce }: { readonly at: Date; readonly atOnce: number },
): JudgedDraw {
  const config = eventConfig(event);
  const key = { companyEventId: event.id, clientId };
  /** The first place that a draw hits and at which a coupon is left. */
  const placeWon = (number: number): number | undefined =>
    placesHit(config, event.seed, { ...key, number }, at).find((place) => event.placesLeft.includes(place));
  const first = event.drawCount + 1;
  const place = placeWon(first);
  if (place !== undefined) {
    return { ...key, first, last: first, prize: { place, coupon: prizeCouponOf(event, place) } };
  }
  let last = first;
  while (last - first + 1 < atOnce && placeWon(last + 1) === undefined) last += 1;
  return { ...key, first, last, prize: null };
}

function answerOf(
  event: Drawing,
  { prize }: JudgedDraw,
  recorded: Exclude<RecordedDraw, { outcome: "changed" }>,
): Told {
  const config = eventConfig(event);
  if (recorded.outcome === "lost" || prize === null)
    return { won: false, message: config.loserMessage ?? null, coupon: null, code: null };
  const message = couponSeedAt(config, prize.place).winnerMessage ?? config.winnerMessage ?? null;
  return { won: true, message, coupon: recorded.coupon, code: recorded.code };
}

/** The answer for a client who draws nothing any more. */
function wonBefore(event: Drawing, place: number): Told {
  const config = eventConfig(event);
  const message = couponSeedAt(config, place).alreadyWonMessage ?? config.alreadyWonMessage ?? null;
  return { won: false, message, coupon: null, code: null };
}

function prizeCouponOf(event: Drawing, place: number): PrizeCoupon {
  const config = eventConfig(event);
  const couponSeed = couponSeedAt(config, place);
  return {
    name: event.name,
    priceE2: couponSeed.couponValueE2 ?? 0,
    pricePrc: couponSeed.couponValuePrc ?? 0,
    minPurchaseE2: couponSeed.couponMinPurchaseE2 ?? 0,
    appliesTo: couponSeed.couponAppliesTo ?? "subtotal",
    endsAt: config.expiresAt == null ? null : new Date(config.expiresAt),
    codeLength: codeLength(config),
  };
}

function couponSeedAt({ couponSeeds }: StoredEventConfig, place: number): StoredCouponSeed {
  const couponSeed = couponSeeds?.[place];
  if (couponSeed === undefined) throw new Error(`the event has no coupon seed at ${place}`);
  return couponSeed;
}

function codeLength({ randomLength }: StoredEventConfig): number {
  return Math.min(Math.max(randomLength ?? CODE_LENGTH.usual, CODE_LENGTH.min), CODE_LENGTH.max);
}

function callingClient({ caller }: CompanyScope): number {
  if (caller.kind !== "client")
    throw forbidden("Only the client itself may do this.", { principal: "client" });
  return caller.id;
}

function noEvent(): DomainError {
  return new DomainError("NOT_FOUND", "No event runs now.");
}
