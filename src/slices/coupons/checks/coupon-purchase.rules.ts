import { formatAmount } from "../../../core/money.js";
import { clockOf, describeHours, isWithinHours, weekdayWithin, type Hours } from "./coupon-hours.rules.js";
import { subtotalFor } from "./coupon-discount.rules.js";
import { nothingAsked, type Seen } from "./coupon-seen.js";
import type { Candidate, Situation } from "./coupon-facts.js";

/** Judges the smallest purchase, and whether one of the fee rules is for such a price. */
export function largeEnough({ minPurchaseE2, config }: Candidate, { purchase }: Situation): Seen {
  const subtotalE2 = subtotalFor(config, purchase);
  const rules = enabledFeeRules(config);
  const fits = rules.length === 0 || rules.some((rule) => fitsPrice(rule, subtotalE2));
  const required = [
    ...(minPurchaseE2 > 0n ? [`at least ${formatAmount(minPurchaseE2)}`] : []),
    ...(rules.length > 0 ? [`a price of a fee rule: ${rules.map(describePrices).join(" or ")}`] : []),
  ];
  return {
    passed: subtotalE2 >= minPurchaseE2 && fits,
    actual: formatAmount(subtotalE2),
    required: required.length === 0 ? null : required.join(" and "),
  };
}

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** Judges the weekday on which the window of hours began. */
export function onDay({ config }: Candidate, { local }: Situation): Seen {
  const days = config.days ?? [];
  const day = weekdayWithin(config, local);
  if (days.length === 0) return nothingAsked(WEEKDAYS[day] ?? "");
  const required = days.map((wanted) => WEEKDAYS[wanted]).join(" or ");
  return { passed: days.includes(day), actual: WEEKDAYS[day] ?? "", required };
}

/** Judges the coupon's own hours, and those of the fee rules that are for the price: one of these has to fit. */
export function inHours({ config }: Candidate, { local, purchase }: Situation): Seen {
  const actual = clockOf(local.minute);
  const subtotalE2 = subtotalFor(config, purchase);
  const rules = enabledFeeRules(config).filter((rule) => fitsPrice(rule, subtotalE2));
  const windows = rules.map(describeHours);
  const required = [
    describeHours(config),
    windows.includes(null) || windows.length === 0 ? null : `${windows.join(" or ")} by the fee rules`,
  ].filter((part) => part !== null);
  return {
    passed:
      isWithinHours(config, local) &&
      (rules.length === 0 || rules.some((rule) => isWithinHours(rule, local))),
    actual,
    required: required.length === 0 ? null : required.join(" and "),
  };
}

/** Judges whether the purchase is delivered, which it is when the delivery costs something. */
export function delivered({ config }: Candidate, { purchase: { deliveryE2 } }: Situation): Seen {
  const actual = `delivery of ${formatAmount(deliveryE2 ?? 0n)}`;
  if (config.onlyDeliveries !== true) return nothingAsked(actual);
  return { passed: (deliveryE2 ?? 0n) > 0n, actual, required: "a delivery that costs" };
}

type FeeRuleTerms = Hours & {
  readonly isEnabled?: boolean | null;
  readonly priceMinE2?: number | null;
  readonly priceMaxE2?: number | null;
};

/**
 * The fee rules that are not switched off. Each says for which prices and at which hours the coupon applies; one
 * has to fit.
 */
function enabledFeeRules({ feeRules }: Candidate["config"]): readonly FeeRuleTerms[] {
  return ((feeRules ?? []) as readonly FeeRuleTerms[]).filter(({ isEnabled }) => isEnabled !== false);
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
