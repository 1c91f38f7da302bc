import type { AdminGrant, ShopBounds } from "./role-directory.js";

/** Roles by which amounts are posted. */
const POSTING = ["can_adjust_balance", "can_transfer_balance", "can_give_change"];

/** Whether the first holds everything that the second does, may post as much, reaches as many shops, and assigns as many types. */
export function holdsAllOf(grant: AdminGrant, other: AdminGrant): boolean {
  if (grant.all) return true;
  return (
    !other.all &&
    [...other.roles].every((role) => grant.roles.has(role)) &&
    postsAsMuch(grant, other) &&
    reachesAsMuch(grant, other) &&
    assignsAsMuch(grant, other)
  );
}

/** Whether the first may post at once what the second may. */
export function postsAsMuch({ all, mostPostedE2 = null }: AdminGrant, other: AdminGrant): boolean {
  if (all || mostPostedE2 === null || !POSTING.some((role) => other.roles.has(role))) return true;
  return other.mostPostedE2 != null && other.mostPostedE2 <= mostPostedE2;
}

/** Whether the first reaches all shops and branches that the second does. */
export function reachesAsMuch(grant: AdminGrant, other: AdminGrant): boolean {
  return grant.all || (!other.all && holdsBounds(grant.bounds ?? null, other.bounds ?? null));
}

/** Whether the first bounds have all shops and branches that the second have; `null` are those of who reaches all. */
export function holdsBounds(own: ShopBounds | null, bounds: ShopBounds | null): boolean {
  if (own === null) return true;
  if (bounds === null) return false;
  const hasShop = (id: number | null | undefined): boolean => id != null && own.branchGroupIds.includes(id);
  return (
    bounds.branchGroupIds.every(hasShop) &&
    bounds.branchIds.every(
      (id, place) => own.branchIds.includes(id) || hasShop(bounds.shopsOfBranches[place]),
    )
  );
}

/** Whether the first may give others all admin types that the second may. */
export function assignsAsMuch(grant: AdminGrant, { assignable = [] }: AdminGrant): boolean {
  return assignable.every((id) => mayAssign(grant, id));
}

/** Whether somebody may give an admin type to others, whatever it holds. */
export function mayAssign({ all, assignable = [] }: AdminGrant, adminTypeId: number): boolean {
  return all || assignable.includes(adminTypeId);
}
