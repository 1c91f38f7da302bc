import { condition, nothingAsked, oneOf, type Seen } from "./condition.js";
import { wholes } from "./config-key.js";
import type { StoredFeeRule } from "../../companies/fee-rule.model.js";
import type { JudgedCoupon, Situation } from "./judged.js";

/** Conditions of the place where a purchase is made. */

/** What a coupon needs of the place: it is open while the place is not known well enough to decide. */
interface Need {
  readonly outcome: "met" | "unmet" | "open";
  readonly required: string;
}

/**
 * The coupon is used at its own shop and branch, and at one of the targets that are linked to it. Goods of several shops
 * need a coupon that is for each of these.
 */
export const TARGET = condition({
  keys: {},
  name: "target",
  description: "The place is one of its own; all shops of the goods are.",
  code: "COUPON_WRONG_TARGET",
  title: "The coupon is for other places",
  judge(coupon, situation): Seen {
    const { targetGroupIds, targetBranchIds, targetBranchGroupIds } = coupon;
    const needs: Need[] = [];
    if (coupon.branchId !== null) needs.push(atBranch(situation, [coupon.branchId], null));
    if (coupon.branchGroupId !== null) needs.push(atShop(situation, [coupon.branchGroupId]));
    if (targetGroupIds.length > 0) needs.push(atShop(situation, targetGroupIds));
    if (targetBranchIds.length > 0) needs.push(atBranch(situation, targetBranchIds, targetBranchGroupIds));
    return seenAt(situation, needs);
  },
});

/**
 * The amounts of a coupon are of one currency: an order of another one cannot have it. Without an order the company's
 * currency counts.
 */
export const CURRENCY = condition({
  keys: {},
  name: "currency",
  description: "Where it has amounts, the purchase is in their currency.",
  code: "COUPON_CURRENCY",
  title: "The coupon is for another currency",
  judge(coupon: JudgedCoupon<AmountsConfig>, { currencyIso, companyCurrencyIso }): Seen {
    if (!hasAmounts(coupon)) return nothingAsked(currencyIso);
    const required = (coupon.currencyIso ?? companyCurrencyIso).toUpperCase();
    return { passed: currencyIso === required, actual: currencyIso, required };
  },
});

/** The keys of a config that are amounts. */
interface AmountsConfig {
  readonly maxDiscountE2?: number | null;
  readonly amountLimitE2?: number | null;
  readonly clientAmountLimitE2?: number | null;
  readonly feeRules?: readonly StoredFeeRule[] | null;
}

/** Returns whether anything of a coupon is an amount, so that it means one currency. */
function hasAmounts({ priceE2, minPurchaseE2, config }: JudgedCoupon<AmountsConfig>): boolean {
  const { maxDiscountE2, amountLimitE2, clientAmountLimitE2, feeRules } = config;
  return (
    priceE2 > 0n ||
    minPurchaseE2 > 0n ||
    maxDiscountE2 != null ||
    amountLimitE2 != null ||
    clientAmountLimitE2 != null ||
    (feeRules ?? []).some(({ priceMinE2, priceMaxE2 }) => priceMinE2 != null || priceMaxE2 != null)
  );
}

/** The list of excluded targets holds branches when the coupon is for branches, shops when it is for shops, else either. */
export const TARGET_BLACKLIST = condition({
  keys: {
    targetBlacklist: wholes({
      description:
        "Ids that it is not for: of shops where `targetType` is branch_group, of branches where it is branch, else of either.",
      sent:
        "Ids that it is not for: of shops where `targetType` is branch_group, of branches where it is branch. Otherwise an id " +
        "is meant for either, so a branch and a shop that share it are both left out. Each is the id of a branch or a shop.",
      min: 1,
    }),
  },
  name: "target_blacklist",
  description: "The place is not excluded; no shop of the goods is.",
  code: "COUPON_BLACKLISTED",
  title: "The coupon excludes some places",
  judge({ targetType, config }, situation): Seen {
    const excluded = config.targetBlacklist ?? [];
    if (excluded.length === 0) return seenAt(situation, []);
    const { branchId, shopIds } = situation;
    const holdsBranches = targetType !== "branch_group";
    const holdsShops = targetType !== "branch";
    const isExcluded =
      (holdsBranches && branchId !== null && excluded.includes(branchId)) ||
      (holdsShops && shopIds.some((id) => excluded.includes(id)));
    const isOpen = branchId === null && (holdsBranches || shopIds.length === 0);
    const kind = !holdsShops ? "branch" : holdsBranches ? "place" : "shop";
    return seenAt(situation, [
      {
        outcome: isExcluded ? "unmet" : isOpen ? "open" : "met",
        required: `another ${kind} than ${oneOf(excluded)}`,
      },
    ]);
  },
});

function atShop({ branchId, shopIds }: Situation, wanted: readonly number[]): Need {
  const required = `shop ${oneOf(wanted)}`;
  if (shopIds.length === 0) return { outcome: branchId === null ? "open" : "unmet", required };
  return { outcome: shopIds.every((id) => wanted.includes(id)) ? "met" : "unmet", required };
}

/** @param shopsOfWanted the shops of the branches; `null` when they are not known. */
function atBranch(
  { branchId, shopIds }: Situation,
  wanted: readonly number[],
  shopsOfWanted: readonly number[] | null,
): Need {
  const required = `branch ${oneOf(wanted)}`;
  if (branchId !== null) return { outcome: wanted.includes(branchId) ? "met" : "unmet", required };
  const mayBe = shopsOfWanted === null || shopIds.every((id) => shopsOfWanted.includes(id));
  return { outcome: mayBe ? "open" : "unmet", required };
}

/** Puts the needs together. A check leaves open what the place does not decide, a use does not. */
function seenAt(situation: Situation, needs: readonly Need[]): Seen {
  const outcomes = new Set(needs.map(({ outcome }) => outcome));
  const isOpen = outcomes.has("open") && !outcomes.has("unmet");
  const actual = placeName(situation, isOpen);
  if (needs.length === 0) return nothingAsked(actual);
  const required = needs.map((need) => need.required).join(" and ");
  if (isOpen && !situation.isUse) return { passed: true, judged: false, actual, required };
  return { passed: !isOpen && !outcomes.has("unmet"), actual, required };
}

function placeName({ branchId, shopIds }: Situation, isOpen: boolean): string {
  const shops = shopIds.length === 0 ? "" : `shop ${shopIds.join(" and ")}`;
  if (branchId !== null) return `branch ${branchId}${shops === "" ? "" : ` of ${shops}`}`;
  if (shops === "") return "no place named";
  return isOpen ? `${shops}, no branch named` : shops;
}
