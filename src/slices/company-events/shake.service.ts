import type { CouponRow } from "../coupons/coupon.model.js";
import { DomainError } from "../../core/errors/domain-error.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import {
  givePrizeCoupon,
  type PrizeCoupon,
  takeBackPrizeCoupon,
} from "../coupons/codes/prize-coupon.service.js";
import { eventConfig, type StoredCouponSeed, type StoredEventConfig } from "./company-event-config.js";
import { nextDraw, placesLeft, type RunningEvent, shakeableEvent, winPrize } from "./company-event.sql.js";
import { placesHit, seedHash, type DrawKey } from "./draw.rules.js";
import type { Shake } from "./shake.model.js";

/** Bounds for the length of a code, whatever the event asks for, and the length when it asks for none. */
const CODE_LENGTH = { min: 5, max: 20, usual: 8 } as const;

/**
 * One shake of the calling client, in one short transaction. It locks the client's row first, then the prize: a client
 * never wins twice, and a coupon seed is never won more often than it may be, however many shake at once. A draw gets
 * its id when its coupon is won, so replaying the draws in the order of their ids gives the same wins.
 *
 * @throws DomainError NOT_FOUND when no event runs.
 */
export function shake(scope: CompanyScope): Promise<ShakeOutcome> {
  const clientId = callingClient(scope);
  return scope.transaction(async (inside) => {
    const event = await shakeableEvent(inside);
    if (event === null) throw noEvent();
    const common = { companyEventId: event.id, seedHash: seedHash(event.seed) };
    const number = await nextDraw(inside, event.id, clientId);
    if (number === null) return { ...common, ...(await afterWin(inside, event, clientId)) };
    const key: DrawKey = { companyEventId: event.id, clientId, number };
    const told = (await win(inside, event, key)) ?? (await lose(inside, event, key));
    return { ...common, ...told, drawNumber: number };
  });
}

type Told = Pick<Shake, "won" | "message" | "code"> & { readonly coupon: CouponRow | null };

/** A shake with its coupon as a row. */
export type ShakeOutcome = Omit<Shake, "coupon"> & Told;

/**
 * Wins the first coupon that the draw hits and of which one is left; `null` when there is none. The prize coupon is
 * made first, since all who win at a place wait for one another there, so that step has to be short. The prize
 * coupon is deleted again when the last one was won meanwhile.
 */
async function win(scope: CompanyScope, event: RunningEvent, key: DrawKey): Promise<Told | null> {
  const config = eventConfig(event);
  const hits = placesHit(config, event.seed, key, scope.at);
  if (hits.length === 0) return null;
  for (const place of await placesLeft(scope, event.id, hits)) {
    const couponSeed = couponSeedAt(config, place);
    const { coupon, code } = await givePrizeCoupon(scope, prizeCouponOf(event, couponSeed, key));
    if (await winPrize(scope, key, { place, couponId: coupon.id })) {
      const message = couponSeed.winnerMessage ?? config.winnerMessage ?? null;
      return { won: true, message, coupon: coupon, code };
    }
    await takeBackPrizeCoupon(scope, coupon);
  }
  return null;
}

async function lose({ db, companyId, at }: CompanyScope, event: RunningEvent, key: DrawKey): Promise<Told> {
  await db.companyEventDraw.create({ data: { companyId, ...key, drawnAt: at }, select: { id: true } });
  return { won: false, message: eventConfig(event).loserMessage ?? null, coupon: null, code: null };
}

function prizeCouponOf(
  event: RunningEvent,
  couponSeed: StoredCouponSeed,
  { companyEventId, clientId }: DrawKey,
): PrizeCoupon {
  const config = eventConfig(event);
  return {
    clientId,
    companyEventId,
    name: event.name,
    priceE2: couponSeed.couponValueE2 ?? 0,
    pricePrc: couponSeed.couponValuePrc ?? 0,
    minPurchaseE2: couponSeed.couponMinPurchaseE2 ?? 0,
    appliesTo: couponSeed.couponAppliesTo ?? "subtotal",
    endsAt: config.expiresAt == null ? null : new Date(config.expiresAt),
    codeLength: codeLength(config),
  };
}

/**
 * The answer for a client who drew nothing: it has won before.
 *
 * @throws DomainError NOT_FOUND when the event is finished.
 */
async function afterWin(
  { db, companyId }: CompanyScope,
  event: RunningEvent,
  clientId: number,
): Promise<Told & Pick<Shake, "drawNumber">> {
  const won = await db.companyEventDraw.findFirst({
    where: { companyId, companyEventId: event.id, clientId, place: { not: null } },
    select: { place: true },
  });
  if (won?.place == null) throw noEvent();
  const config = eventConfig(event);
  const message = couponSeedAt(config, won.place).alreadyWonMessage ?? config.alreadyWonMessage ?? null;
  return { won: false, message, coupon: null, code: null, drawNumber: null };
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
  if (caller.kind !== "client") throw new DomainError("FORBIDDEN", "Only the client itself may do this.");
  return caller.id;
}

function noEvent(): DomainError {
  return new DomainError("NOT_FOUND", "No event runs now.");
}
