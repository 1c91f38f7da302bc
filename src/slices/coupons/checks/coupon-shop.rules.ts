import { nothingAsked, type Seen } from "./coupon-seen.js";
import { SEVERAL_SHOPS, type Candidate, type Situation } from "./coupon-facts.js";

/** Judges where the coupon is used: at its own shop and branch, and at one of the targets that are linked to it. */
export function rightShop(coupon: Candidate, { branchId, branchGroupId }: Situation): Seen {
  const { targetGroupIds, targetBranchIds, targetBranchGroupIds } = coupon;
  const actual = shopName(branchId, branchGroupId);
  const needs: { passed: boolean; required: string }[] = [];
  if (coupon.branchId !== null) {
    needs.push({
      passed: branchId === null || branchId === coupon.branchId,
      required: `branch ${coupon.branchId}`,
    });
  }
  if (coupon.branchGroupId !== null) {
    needs.push({ passed: branchGroupId === coupon.branchGroupId, required: `shop ${coupon.branchGroupId}` });
  }
  if (targetGroupIds.length > 0) {
    const passed = branchGroupId !== null && targetGroupIds.includes(branchGroupId);
    needs.push({ passed, required: `shop ${targetGroupIds.join(" or ")}` });
  }
  if (targetBranchIds.length > 0) {
    // Without a branch only the shop of the goods is known: one of its branches has to be a target.
    const passed =
      branchId !== null
        ? targetBranchIds.includes(branchId)
        : branchGroupId !== null && targetBranchGroupIds.includes(branchGroupId);
    needs.push({ passed, required: `branch ${targetBranchIds.join(" or ")}` });
  }
  if (needs.length === 0) return nothingAsked(actual);
  const isUnknown = branchId === null && branchGroupId === null;
  return {
    passed: isUnknown || needs.every(({ passed }) => passed),
    actual,
    required: needs.map(({ required }) => required).join(", "),
  };
}

/**
 * Judges the list of excluded targets. It holds branches when the coupon is for branches, shops when it is for
 * shops, and either otherwise.
 */
export function notExcluded({ targetType, config }: Candidate, { branchId, branchGroupId }: Situation): Seen {
  const excluded = config.targetBlacklist ?? [];
  const actual = shopName(branchId, branchGroupId);
  if (excluded.length === 0) return nothingAsked(actual);
  const isBranchExcluded = targetType !== "branch_group" && branchId !== null && excluded.includes(branchId);
  const isShopExcluded =
    targetType !== "branch" && branchGroupId !== null && excluded.includes(branchGroupId);
  return { passed: !isBranchExcluded && !isShopExcluded, actual, required: `none of ${excluded.join(", ")}` };
}

function shopName(branchId: number | null, branchGroupId: number | null): string {
  if (branchId !== null)
    return `branch ${branchId}${branchGroupId === null ? "" : ` of shop ${branchGroupId}`}`;
  if (branchGroupId === SEVERAL_SHOPS) return "several shops";
  return branchGroupId === null ? "no shop" : `shop ${branchGroupId}`;
}
