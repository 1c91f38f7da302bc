import { formatAmount } from "../../../core/money.js";
import { FeeRuleInput } from "../../companies/fee-rule.inputs.js";
import { FeeRule, type StoredFeeRule } from "../../companies/fee-rule.model.js";
import { subtotalFor, type Purchase } from "../amounts/coupon-discount.rules.js";
import { condition, isNamed, nothingAsked, type Words } from "./condition.js";
import { clock, flag, objects, wholes } from "./config-key.js";
import {
  clockOf,
  describeHours,
  isWithinHours,
  weekdayWithin,
  type Hours,
  type LocalTime,
} from "./hours.rules.js";
import type { JudgedCoupon } from "./judged.js";

/** Conditions of what is bought and when. */

/** The keys by which prices are judged. */
interface FeeConfig {
  readonly feeRules?: readonly StoredFeeRule[] | null;
  readonly applyAfterTax?: boolean | null;
}

interface DayConfig {
  readonly days?: readonly number[] | null;
}

/** The purchase is large enough, and one of the fee rules is for such a price. */
export const MIN_PURCHASE = condition({
  keys: {
    feeRules: objects<StoredFeeRule>(
      { input: () => FeeRuleInput, shown: () => FeeRule },
      {
        description: "Prices and hours for which it applies: of the rules that are enabled one has to fit.",
        sent: "Prices and hours for which it applies. They replace those that were there.",
        whileRunning: true,
      },
    ),
  },
  name: "min_purchase",
  description: "The subtotal is large enough.",
  code: "COUPON_MIN_PURCHASE",
  title: "The purchase is too small",
  holds: (coupon: JudgedCoupon<FeeConfig>, { purchase }) => isLargeEnough(coupon, purchase),
  words: (coupon: JudgedCoupon<FeeConfig>, { purchase }) => sizeInWords(coupon, purchase),
});

type PurchaseTerms = Pick<JudgedCoupon<FeeConfig>, "minPurchaseE2" | "config">;

type Subtotals = Pick<Purchase, "subtotalE2" | "subtotalFullE2">;

function isLargeEnough({ minPurchaseE2, config }: PurchaseTerms, purchase: Subtotals): boolean {
  const subtotalE2 = subtotalFor(config, purchase);
  return subtotalE2 >= minPurchaseE2 && (hasNoFeeRules(config) || isPriceOfOne(config, subtotalE2));
}

/** Whether a price is one of those of the fee rules. */
function isPriceOfOne(config: FeeConfig, priceE2: bigint): boolean {
  return fitsOneOf(config, isAny, (rule) => fitsPrice(rule, priceE2));
}

function sizeInWords({ minPurchaseE2, config }: PurchaseTerms, purchase: Subtotals): Words {
  const rules = enabledFeeRules(config);
  const required = [
    ...(minPurchaseE2 > 0n ? [`at least ${formatAmount(minPurchaseE2)}`] : []),
    ...(rules.length > 0 ? [`a price of a fee rule: ${rules.map(describePrices).join(" or ")}`] : []),
  ];
  return {
    actual: formatAmount(subtotalFor(config, purchase)),
    required: required.length === 0 ? null : required.join(" and "),
  };
}

/** Why a coupon would not be given for a purchase of this size; `null` where it would. */
export function purchaseFails(
  coupon: PurchaseTerms,
  purchase: Subtotals,
): { readonly reason: "COUPON_MIN_PURCHASE"; readonly detail: string } | null {
  if (isLargeEnough(coupon, purchase)) return null;
  const { actual, required } = sizeInWords(coupon, purchase);
  const { code, title } = MIN_PURCHASE.rule;
  return { reason: code, detail: `${title}: needed ${required}, was ${actual}.` };
}

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** The weekday on which the window of hours began: of its own hours, else of those of the fee rules that apply. */
export const DAYS = condition({
  keys: {
    days: wholes({
      description: "Weekdays on which it applies, 0 (Sunday) to 6; empty: all.",
      min: 0,
      max: 6,
    }),
  },
  name: "days",
  description: "The weekday is one of its own.",
  code: "COUPON_OUTSIDE_DAYS",
  title: "Not a day of the coupon",
  ofGiftCards: "always",
  holds({ config }: JudgedCoupon<FeeConfig & Hours & DayConfig>, { local, purchase }) {
    const { days } = config;
    if (!isNamed(days)) return true;
    return weekdaysOf(config, local, subtotalFor(config, purchase)).some((day) => days.includes(day));
  },
  words({ config }: JudgedCoupon<FeeConfig & Hours & DayConfig>, { local, purchase }) {
    const days = config.days ?? [];
    const today = weekdaysOf(config, local, subtotalFor(config, purchase));
    const actual = today.map((day) => WEEKDAYS[day]).join(" or ");
    if (days.length === 0) return nothingAsked(actual);
    return { actual, required: days.map((wanted) => WEEKDAYS[wanted]).join(" or ") };
  },
});

/** The coupon's own hours, and those of the fee rules that are for the price: one of these has to fit. */
export const HOURS = condition({
  keys: {
    hourBeg: clock({ description: "Clock time `HH:MM` from which it applies." }),
    hourEnd: clock({
      description:
        "Clock time `HH:MM` until which it applies, inclusive; before `hourBeg`: on the next day; equal to it: the whole day.",
    }),
  },
  name: "hours",
  description: "The hour is one of its own.",
  code: "COUPON_OUTSIDE_HOURS",
  title: "Not an hour of the coupon",
  ofGiftCards: "always",
  holds({ config }: JudgedCoupon<FeeConfig & Hours>, { local, purchase }) {
    if (!isWithinHours(config, local)) return false;
    return hasNoFeeRules(config) || isWithinOneOf(config, subtotalFor(config, purchase), local);
  },
  words({ config }: JudgedCoupon<FeeConfig & Hours>, { local, purchase }) {
    const actual = clockOf(local.minute);
    const windows = rulesForPrice(config, subtotalFor(config, purchase)).map(describeHours);
    const required = [
      describeHours(config),
      windows.includes(null) || windows.length === 0 ? null : `${windows.join(" or ")} by the fee rules`,
    ].filter((part) => part !== null);
    return { actual, required: required.length === 0 ? null : required.join(" and ") };
  },
});

/** The purchase is delivered, which it is when the delivery costs something. */
export const ONLY_DELIVERIES = condition({
  keys: { onlyDeliveries: flag({ description: "Whether it is for purchases that are delivered." }) },
  name: "only_deliveries",
  description: "The delivery costs something.",
  code: "COUPON_ONLY_DELIVERIES",
  title: "The coupon is for deliveries",
  holds: ({ config }, { purchase: { deliveryE2 } }) =>
    config.onlyDeliveries !== true || (deliveryE2 ?? 0n) > 0n,
  words({ config }, { purchase: { deliveryE2 } }) {
    const actual = `delivery of ${formatAmount(deliveryE2 ?? 0n)}`;
    return config.onlyDeliveries === true
      ? { actual, required: "a delivery that costs" }
      : nothingAsked(actual);
  },
});

type FeeRuleTerms = Hours & {
  readonly isEnabled?: boolean | null;
  readonly priceMinE2?: number | null;
  readonly priceMaxE2?: number | null;
};

/**
 * The fee rules that are not switched off. Each says for which prices and at which hours the coupon applies; one
 * has to fit.
 */
function enabledFeeRules(config: FeeConfig): readonly FeeRuleTerms[] {
  return feeRulesOf(config).filter(isEnabled);
}

function feeRulesOf({ feeRules }: FeeConfig): readonly FeeRuleTerms[] {
  return feeRules ?? NO_RULES;
}

/** Most coupons have none: what is asked of each rule is not even made ready for them. */
const hasNoFeeRules = (config: FeeConfig): boolean => feeRulesOf(config).length === 0;

const NO_RULES: readonly FeeRuleTerms[] = [];

const isEnabled = (rule: FeeRuleTerms): boolean => rule.isEnabled !== false;

/** The fee rules that are for a price. */
function rulesForPrice(config: FeeConfig, priceE2: bigint): readonly FeeRuleTerms[] {
  return enabledFeeRules(config).filter((rule) => fitsPrice(rule, priceE2));
}

/** Whether it is an hour of one of the fee rules for a price; it is where there are none. */
function isWithinOneOf(config: FeeConfig, priceE2: bigint, local: LocalTime): boolean {
  return fitsOneOf(
    config,
    (rule) => fitsPrice(rule, priceE2),
    (rule) => isWithinHours(rule, local),
  );
}

const isAny = (): boolean => true;

/** Whether one of those fee rules fits that are enabled and count; it does where there are none. */
function fitsOneOf(
  config: FeeConfig,
  counts: (rule: FeeRuleTerms) => boolean,
  fits: (rule: FeeRuleTerms) => boolean,
): boolean {
  let isNone = true;
  for (const rule of feeRulesOf(config)) {
    if (!isEnabled(rule) || !counts(rule)) continue;
    if (fits(rule)) return true;
    isNone = false;
  }
  return isNone;
}

/** The weekdays to which an hour belongs: hours after midnight belong to the evening on which their window began. */
function weekdaysOf(config: FeeConfig & Hours, local: LocalTime, subtotalE2: bigint): readonly number[] {
  const own = weekdayWithin(config, local);
  const windows = rulesForPrice(config, subtotalE2).filter((rule) => isWithinHours(rule, local));
  if (own !== local.weekday || windows.length === 0) return [own];
  return [...new Set(windows.map((rule) => weekdayWithin(rule, local)))];
}

function fitsPrice({ priceMinE2, priceMaxE2 }: FeeRuleTerms, priceE2: bigint): boolean {
  return (priceMinE2 == null || priceE2 >= priceMinE2) && (priceMaxE2 == null || priceE2 <= priceMaxE2);
}

function describePrices({ priceMinE2, priceMaxE2 }: FeeRuleTerms): string {
  const bounds = [
    ...(priceMinE2 == null ? [] : [`from ${formatAmount(BigInt(priceMinE2))}`]),
    ...(priceMaxE2 == null ? [] : [`to ${formatAmount(BigInt(priceMaxE2))}`]),
  ];
  return bounds.length === 0 ? "any" : bounds.join(" ");
}
