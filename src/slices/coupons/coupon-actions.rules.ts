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
] as const;
export type CouponAction = (typeof COUPON_ACTIONS)[number];

/** The state of a coupon: its status, unless it is deleted. */
export type CouponState = ScheduleStatus | "deleted";

/** The actions that each state allows (contract §13.2). */
export const ACTIONS_BY_STATE: Readonly<Record<CouponState, readonly CouponAction[]>> = {
  pending: ["update", "link_target", "unlink_target", "set_ready", "delete"],
  generating: ["delete"],
  ready: ["delete"],
  running: ["update_running", "set_finished"],
  finished: ["delete"],
  deleted: ["restore"],
};

/** The target types that have targets to link. */
export const LINKED_TARGET_TYPES = ["branch_group", "branch"] as const;
export type LinkedTargetType = (typeof LINKED_TARGET_TYPES)[number];

export function hasLinkedTargets(targetType: string): targetType is LinkedTargetType {
  return (LINKED_TARGET_TYPES as readonly string[]).includes(targetType);
}

/**
 * The actions that a state allows; linking and unlinking are among them only when the target type has targets to
 * link.
 */
export function actionsIn(state: CouponState, targetType: string): readonly CouponAction[] {
  const actions = ACTIONS_BY_STATE[state];
  return hasLinkedTargets(targetType)
    ? actions
    : actions.filter((action) => action !== "link_target" && action !== "unlink_target");
}
