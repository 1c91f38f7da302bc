import { condition, nothingAsked, oneOf, type Words } from "./condition.js";
import { wholes } from "./config-key.js";
import type { StoredFeeRule } from "../../companies/fee-rule.model.js";
import type { JudgedCoupon, Situation } from "./judged.js";

/** Conditions of the place where a purchase is made. */

/** Whether a need is met by the place: it is open while the place is not known well enough to decide. */
type Outcome = "met" | "unmet" | "open";

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
  holds: (coupon, situation) => suffices(atTarget(coupon, situation), situation),
  words(coupon, situation) {
    const { branchId, branchGroupId, targetGroupIds, targetBranchIds } = coupon;
    const needs = [
      ...(branchId === null ? [] : [`branch ${branchId}`]),
      ...(branchGroupId === null ? [] : [`shop ${branchGroupId}`]),
      ...(targetGroupIds.length === 0 ? [] : [`shop ${oneOf(targetGroupIds)}`]),
      ...(targetBranchIds.length === 0 ? [] : [`branch ${oneOf(targetBranchIds)}`]),
    ];
    return placeInWords(situation, atTarget(coupon, situation), needs);
  },
});

/** Whether the place meets all needs of a coupon: it is unmet as soon as one is. */
function atTarget(coupon: JudgedCoupon<unknown>, situation: Situation): Outcome {
  const { branchId, branchGroupId, targetGroupIds, targetBranchIds, targetBranchGroupIds } = coupon;
  let outcome: Outcome = "met";
  if (branchId !== null) outcome = atBranch(situation, [branchId], null);
  if (branchGroupId !== null) outcome = both(outcome, atShop(situation, [branchGroupId]));
  if (targetGroupIds.length > 0) outcome = both(outcome, atShop(situation, targetGroupIds));
  if (targetBranchIds.length > 0)
    outcome = both(outcome, atBranch(situation, targetBranchIds, targetBranchGroupIds));
  return outcome;
}

function both(one: Outcome, other: Outcome): Outcome {
  return one === "met" || other === "unmet" ? other : one;
}

/**
 * The amounts of a coupon are of one currency, and so is the budget of its campaign: an order of another one cannot have it.
 * Without an order the company's currency counts.
 */
export const CURRENCY = condition({
  keys: {},
  name: "currency",
  description: "Where it has amounts, or its campaign a budget, the purchase is in their currency.",
  code: "COUPON_CURRENCY",
  title: "The coupon is for another currency",
  holds(coupon: JudgedCoupon<AmountsConfig>, { currencyIso: actual, companyCurrencyIso: own }) {
    const { currencyIso, campaignRoomE2, campaignCurrencyIso } = coupon;
    return (
      (!hasAmounts(coupon) || currencyOf(currencyIso, own) === actual) &&
      (campaignRoomE2 === null || currencyOf(campaignCurrencyIso, own) === actual)
    );
  },
  words(coupon: JudgedCoupon<AmountsConfig>, { currencyIso: actual, companyCurrencyIso: own }) {
    const { currencyIso, campaignRoomE2, campaignCurrencyIso } = coupon;
    const currencies = new Set<string>();
    if (hasAmounts(coupon)) currencies.add(currencyOf(currencyIso, own));
    if (campaignRoomE2 !== null) currencies.add(currencyOf(campaignCurrencyIso, own));
    return currencies.size > 0 ? { actual, required: [...currencies].join(" and ") } : nothingAsked(actual);
  },
});

/** The currency of amounts: the company's where they have none of their own. */
function currencyOf(currencyIso: string | null, companyCurrencyIso: string): string {
  return (currencyIso ?? companyCurrencyIso).toUpperCase();
}

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
    feeRules?.some(({ priceMinE2, priceMaxE2 }) => priceMinE2 != null || priceMaxE2 != null) === true
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
  holds: ({ targetType, config: { targetBlacklist } }, situation) =>
    suffices(outside(targetBlacklist ?? [], targetType, situation), situation),
  words({ targetType, config }, situation) {
    const excluded = config.targetBlacklist ?? [];
    const outcome = outside(excluded, targetType, situation);
    const kind = targetType === "branch" ? "branch" : targetType === "branch_group" ? "shop" : "place";
    const needs = excluded.length === 0 ? [] : [`another ${kind} than ${oneOf(excluded)}`];
    return placeInWords(situation, outcome, needs);
  },
});

/** Whether the place is none of those that are excluded. */
function outside(excluded: readonly number[], targetType: string, { branchId, shopIds }: Situation): Outcome {
  if (excluded.length === 0) return "met";
  const holdsBranches = targetType !== "branch_group";
  const holdsShops = targetType !== "branch";
  const isExcluded =
    (holdsBranches && branchId !== null && excluded.includes(branchId)) ||
    (holdsShops && shopIds.some((id) => excluded.includes(id)));
  if (isExcluded) return "unmet";
  return branchId === null && (holdsBranches || shopIds.length === 0) ? "open" : "met";
}

function atShop({ branchId, shopIds }: Situation, wanted: readonly number[]): Outcome {
  if (shopIds.length === 0) return branchId === null ? "open" : "unmet";
  return shopIds.every((id) => wanted.includes(id)) ? "met" : "unmet";
}

/** @param shopsOfWanted the shops of the branches; `null` when they are not known. */
function atBranch(
  { branchId, shopIds }: Situation,
  wanted: readonly number[],
  shopsOfWanted: readonly number[] | null,
): Outcome {
  if (branchId !== null) return wanted.includes(branchId) ? "met" : "unmet";
  const mayBe = shopsOfWanted === null || shopIds.every((id) => shopsOfWanted.includes(id));
  return mayBe ? "open" : "unmet";
}

/** Returns whether an outcome is enough. A check leaves open what the place does not decide, a use does not. */
function suffices(outcome: Outcome, { isUse }: Situation): boolean {
  return outcome === "met" || (outcome === "open" && !isUse);
}

function placeInWords(situation: Situation, outcome: Outcome, needs: readonly string[]): Words {
  const isOpen = outcome === "open";
  const actual = placeName(situation, isOpen);
  if (needs.length === 0) return nothingAsked(actual);
  const required = needs.join(" and ");
  return isOpen && !situation.isUse ? { judged: false, actual, required } : { actual, required };
}

function placeName({ branchId, shopIds }: Situation, isOpen: boolean): string {
  const shops = shopIds.length === 0 ? "" : `shop ${shopIds.join(" and ")}`;
  if (branchId !== null) return `branch ${branchId}${shops === "" ? "" : ` of ${shops}`}`;
  if (shops === "") return "no place named";
  return isOpen ? `${shops}, no branch named` : shops;
}
