import { nothingAsked, type Seen } from "./coupon-seen.js";
import { SEVERAL_SHOPS, type Candidate, type Situation } from "./coupon-facts.js";

/** Where a coupon has to be used: at its own shop and branch, and at one of those linked to it. */
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
    // Of goods the shop alone is known: one of its branches has to be meant.
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

/** Of a coupon for branches the list holds branches, of one for shops it holds shops, of others both. */
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
