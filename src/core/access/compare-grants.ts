import type { AdminGrant } from "./role-directory.js";

/** Roles by which amounts are posted. */
const POSTING = ["can_adjust_balance", "can_transfer_balance", "can_give_change"];

/** Whether the first holds everything that the second does, and may post as much. */
export function holdsAllOf(grant: AdminGrant, other: AdminGrant): boolean {
  if (grant.all) return true;
  return !other.all && [...other.roles].every((role) => grant.roles.has(role)) && postsAsMuch(grant, other);
}

/** Whether the first may post at once what the second may. */
export function postsAsMuch({ all, mostPostedE2 = null }: AdminGrant, other: AdminGrant): boolean {
  if (all || mostPostedE2 === null || !POSTING.some((role) => other.roles.has(role))) return true;
  return other.mostPostedE2 != null && other.mostPostedE2 <= mostPostedE2;
}
