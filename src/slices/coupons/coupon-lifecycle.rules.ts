import { invalidState } from "../../core/errors/domain-error.js";
import {
  actionsIn,
  hasLinkedTargets,
  hasManyCodes,
  type ActedOn,
  type CouponAction,
  type CouponState,
} from "./coupon-actions.rules.js";
import { codeSpace } from "./codes/random-code.js";
import { statusAt, type ScheduleStatus } from "../../core/schedule/schedule.js";

interface Stored {
  readonly type: string;
  readonly status: string;
  readonly totalCount: number;
  readonly startsAt: Date | null;
  readonly endsAt: Date | null;
  readonly deletedAt: Date | null;
}

/** The status of a coupon at a moment, by its exact run times. */
export function statusOf(coupon: Pick<Stored, "status" | "startsAt" | "endsAt">, at: Date): ScheduleStatus {
  return statusAt(coupon as Stored & { status: ScheduleStatus }, at);
}

/** The state of a coupon at a moment. */
export function stateOf(
  coupon: Pick<Stored, "status" | "startsAt" | "endsAt" | "deletedAt">,
  at: Date,
): CouponState {
  return coupon.deletedAt === null ? statusOf(coupon, at) : "deleted";
}

/** How many codes there are of a coupon, each for one use, when all are made. */
export function codesToMake({ type, totalCount }: Pick<Stored, "type" | "totalCount">): number {
  return hasManyCodes(type) ? totalCount : 0;
}

/** How many characters a code has unless `couponLength` says otherwise. */
export function defaultCodeLength(type: string): number {
  return type === "gift_card" ? 12 : 8;
}

/**
 * Of so many possible codes at most one may be a code of the coupon, so that guessing is hopeless. A gift card is
 * money to whoever guesses it.
 */
const GUESSES_PER_CODE = 1_000;
const GUESSES_PER_GIFT_CARD = 1_000_000_000;

/** Returns whether there are too few codes of a length for those of the coupon to be safe from guessing. */
export function isTooShort(length: number, coupon: Pick<Stored, "type" | "totalCount">): boolean {
  const guesses = coupon.type === "gift_card" ? GUESSES_PER_GIFT_CARD : GUESSES_PER_CODE;
  return codesToMake(coupon) * guesses > codeSpace(length);
}

/**
 * The end of a coupon that is finished now: this moment, or just after its start or its last use when these are later.
 * A start is later when another process, whose clock is ahead, started it; a use is when it was let in while the
 * request waited for the coupon. An end that has passed already stays.
 */
export function endOf(
  { startsAt, endsAt }: Pick<Stored, "startsAt" | "endsAt">,
  lastUse: Date | null,
  at: Date,
): Date {
  const after = (moment: Date | null): number => (moment === null ? 0 : moment.getTime() + 1);
  const now = new Date(Math.max(at.getTime(), after(startsAt), after(lastUse)));
  return endsAt !== null && endsAt < now ? endsAt : now;
}

/** @throws DomainError INVALID_STATE, which names the state and the actions that it allows. */
export function assertMay(
  action: CouponAction,
  coupon: Pick<Stored, "status" | "startsAt" | "endsAt" | "deletedAt"> & ActedOn,
  at: Date,
): void {
  const state = stateOf(coupon, at);
  const allowed = actionsIn(state, coupon);
  if (!allowed.includes(action)) throw invalidState(messageOf(action, state, coupon), state, allowed);
}

function messageOf(action: CouponAction, state: CouponState, coupon: ActedOn): string {
  if (action === "restore") return "The coupon is not deleted.";
  const isAboutTargets = action === "link_target" || action === "unlink_target";
  if (isAboutTargets && state === "pending" && !hasLinkedTargets(coupon.targetType))
    return "Coupons of this target_type have no targets to link.";
  if (state === "pending" && action === "set_ready")
    return "The campaign of the coupon is finished: copy the coupon, and set the copy ready, which is in no campaign.";
  if (state === "running" && action === "pause") return "The coupon is paused.";
  if (state === "running" && action === "resume") return "The coupon is not paused.";
  const isAboutCodes = action === "add_codes" || action === "upload_codes";
  if (isAboutCodes && !hasManyCodes(coupon.type))
    return `A coupon of type ${coupon.type} has no codes for one use.`;
  return `The coupon is ${state}.`;
}
