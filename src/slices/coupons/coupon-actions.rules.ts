import type { ScheduleStatus } from "../../core/schedule/schedule.js";

/** The actions on a coupon. */
export const COUPON_ACTIONS = [
  "update",
  "link_target",
  "unlink_target",
  "set_ready",
  "update_running",
  "set_finished",
  "delete",
  "restore",
  "pause",
  "resume",
  "add_codes",
  "upload_codes",
] as const;
export type CouponAction = (typeof COUPON_ACTIONS)[number];

/** The state of a coupon: its status, unless it is deleted. */
export type CouponState = ScheduleStatus | "deleted";

/** The actions that each state allows (contract §13.2). */
export const ACTIONS_BY_STATE: Readonly<Record<CouponState, readonly CouponAction[]>> = {
  pending: ["update", "link_target", "unlink_target", "set_ready", "delete", "upload_codes"],
  generating: ["delete"],
  ready: ["delete"],
  running: ["update_running", "set_finished", "pause", "resume", "add_codes", "upload_codes"],
  finished: ["delete"],
  deleted: ["restore"],
};

/** The target types that have targets to link. */
export const LINKED_TARGET_TYPES = ["branch_group", "branch"] as const;
export type LinkedTargetType = (typeof LINKED_TARGET_TYPES)[number];

export function hasLinkedTargets(targetType: string): targetType is LinkedTargetType {
  return (LINKED_TARGET_TYPES as readonly string[]).includes(targetType);
}

/** Returns whether a coupon has many codes, each for one use. */
export function hasManyCodes(type: string): boolean {
  return type === "personal" || type === "gift_card";
}

/** What of a coupon, besides its state, decides what can be done with it. */
export interface ActedOn {
  readonly type: string;
  readonly targetType: string;
  readonly pausedAt: Date | null;
  /** Whether the campaign that it is in is finished, and changes no more; absent where its state does not ask for that. */
  readonly isCampaignOver?: boolean;
}

/** Actions that not every coupon in their state allows: when the target type has targets to link, for instance. */
const ALLOWED_IF: Partial<Record<CouponAction, (coupon: ActedOn) => boolean>> = {
  link_target: ({ targetType }) => hasLinkedTargets(targetType),
  unlink_target: ({ targetType }) => hasLinkedTargets(targetType),
  set_ready: ({ isCampaignOver }) => isCampaignOver !== true,
  pause: ({ pausedAt }) => pausedAt === null,
  resume: ({ pausedAt }) => pausedAt !== null,
  add_codes: ({ type }) => hasManyCodes(type),
  upload_codes: ({ type }) => hasManyCodes(type),
};

/** The actions that a state allows on a coupon. */
export function actionsIn(state: CouponState, coupon: ActedOn): readonly CouponAction[] {
  return ACTIONS_BY_STATE[state].filter((action) => ALLOWED_IF[action]?.(coupon) !== false);
}
