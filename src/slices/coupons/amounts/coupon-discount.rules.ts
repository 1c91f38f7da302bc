import {
  formatAmount,
  largest,
  MAX_AMOUNT,
  roundedShare,
  scaledInteger,
  smallest,
} from "../../../core/money.js";

export const APPLIES_TO = ["total", "subtotal", "base_price", "service", "delivery"] as const;

/** The fields of a coupon that decide how much it gives. */
export interface DiscountTerms {
  readonly type: string;
  readonly priceE2: bigint;
  /** Fraction with four decimals, in a form whose text is exact. */
  readonly pricePrc: { toString(): string };
  readonly appliesTo: string;
  readonly config: {
    readonly maxDiscountE2?: number | null;
    readonly applyForUnit?: boolean | null;
    readonly applyAfterTax?: boolean | null;
    readonly companyAssumptionPrc?: number | null;
    readonly bundle?: { readonly pricePrc: number } | null;
  };
}

/** Whether a coupon is worth something by its terms. One that is not stands for a thing that no amount says, such as a visit. */
export function hasWorth({ priceE2, pricePrc, config }: DiscountTerms): boolean {
  return priceE2 > 0n || Number(pricePrc) > 0 || config.bundle != null;
}

/** A purchase in hundredths, as far as discounts depend on it. */
export interface Purchase {
  readonly subtotalE2: bigint;
  /** Subtotal with taxes. */
  readonly subtotalFullE2: bigint | null;
  readonly basePriceE2: bigint | null;
  readonly deliveryE2: bigint | null;
  /** How many units are bought, and what the services among them cost; `null` when no items are given. */
  readonly items: {
    readonly units: bigint;
    readonly serviceE2: bigint;
    /** What the units cost that a bundle reduces. */
    readonly reducedE2?: bigint;
  } | null;
}

export const DISCOUNT_STEPS = [
  "flat",
  "percentage",
  "rounding",
  "bundle",
  "max_discount",
  "base",
  "order",
] as const;
export type DiscountStepName = (typeof DISCOUNT_STEPS)[number];

/** A part of the discount: what it adds or, below zero, takes away. */
export interface DiscountStep {
  readonly step: DiscountStepName;
  readonly amountE2: bigint;
  /** Explains the amount in figures; it is written for an explanation alone. */
  readonly detail: () => string;
}

export interface Discount {
  readonly discountE2: bigint;
  /** The part of the discount that the company bears. */
  readonly companyDiscountE2: bigint;
  /** What the discount applies to, in hundredths; it never exceeds that. */
  readonly baseE2: bigint;
  /** The parts of the discount, which add up to it. */
  readonly steps: readonly DiscountStep[];
}

const PRC_DECIMALS = 4;
const NONE: Discount = { discountE2: 0n, companyDiscountE2: 0n, baseE2: 0n, steps: [] };

/**
 * The discount that a coupon gives for a purchase: `price_e2` plus `price_prc` of the base, rounded half up to
 * hundredths, at most `max_discount_e2`, the base and what this costs (contract §13.5). A gift card gives nothing: it becomes
 * balance.
 *
 * @param leftE2 what the other coupons of the order leave of it, in hundredths; `null` where there is no order.
 */
export function discountOf(terms: DiscountTerms, purchase: Purchase, leftE2: bigint | null = null): Discount {
  if (terms.type === "gift_card") return NONE;
  const { config } = terms;
  const baseE2 = baseOf(terms, purchase);
  const steps = percentageSteps(terms, baseE2);
  const flat = flatStep(terms, purchase, baseE2);
  const bundle = bundleStep(terms, purchase);
  if (flat !== null) steps.unshift(flat);
  if (bundle !== null) steps.push(bundle);
  let discountE2 = 0n;
  for (const { amountE2 } of steps) discountE2 += amountE2;
  const cap = (step: DiscountStepName, mostE2: bigint, what: string): void => {
    if (discountE2 <= mostE2) return;
    steps.push({
      step,
      amountE2: mostE2 - discountE2,
      detail: () => `at most ${what} ${formatAmount(mostE2)}`,
    });
    discountE2 = mostE2;
  };
  if (config.maxDiscountE2 != null)
    cap("max_discount", largest(BigInt(config.maxDiscountE2), 0n), "the maximum");
  const costE2 = costOf(terms.appliesTo, purchase);
  cap("base", smallest(baseE2, costE2), costE2 < baseE2 ? "what it is taken from costs:" : "the base");
  if (leftE2 !== null) cap("order", leftE2, "what is left of the order:");
  return {
    discountE2,
    companyDiscountE2: companyShare(discountE2, config.companyAssumptionPrc),
    baseE2,
    steps,
  };
}

/** The subtotal that a coupon goes by: with taxes, where it asks for these and they are known. */
export function subtotalFor(
  { applyAfterTax }: DiscountTerms["config"],
  { subtotalE2, subtotalFullE2 }: Pick<Purchase, "subtotalE2" | "subtotalFullE2">,
): bigint {
  return applyAfterTax === true && subtotalFullE2 !== null ? subtotalFullE2 : subtotalE2;
}

/**
 * What the things cost that a discount is taken from: the goods without taxes, the delivery, or both. Its base may be more,
 * such as the goods with taxes; it never gives more than this, with an order or without.
 */
function costOf(appliesTo: string, { subtotalE2, deliveryE2 }: Purchase): bigint {
  const delivery = deliveryE2 ?? 0n;
  if (appliesTo === "delivery") return delivery;
  return appliesTo === "total" ? subtotalE2 + delivery : subtotalE2;
}

/** The amount that the discount applies to, in hundredths (contract §13.5). */
function baseOf({ appliesTo, config }: DiscountTerms, purchase: Purchase): bigint {
  const { basePriceE2, items } = purchase;
  const subtotal = subtotalFor(config, purchase);
  const delivery = purchase.deliveryE2 ?? 0n;
  switch (appliesTo) {
    case "total":
      return subtotal + delivery;
    case "base_price":
      return basePriceE2 ?? subtotal;
    case "service":
      return items === null || items.serviceE2 > subtotal ? subtotal : items.serviceE2;
    case "delivery":
      return delivery;
    default:
      return subtotal;
  }
}

/**
 * The flat discount. A later step cuts what goes beyond the base. Whatever the number of units, the step stays within
 * the largest amount.
 */
function flatStep(
  { priceE2, config }: DiscountTerms,
  { items }: Purchase,
  baseE2: bigint,
): DiscountStep | null {
  if (priceE2 === 0n) return null;
  const perUnit = config.applyForUnit === true;
  const units = perUnit ? (items?.units ?? 1n) : 1n;
  const detail = (): string => `${formatAmount(priceE2)}${perUnit ? ` × ${units} units` : ""}`;
  const mostE2 = largest(baseE2, MAX_AMOUNT - baseE2);
  return { step: "flat", amountE2: smallest(priceE2 * units, mostE2), detail };
}

/** The percentage, cut to whole hundredths, and the step that rounding half up adds to it. */
function percentageSteps({ pricePrc }: DiscountTerms, baseE2: bigint): DiscountStep[] {
  const prc = scaledInteger(pricePrc.toString(), PRC_DECIMALS);
  if (prc === 0n) return [];
  const one = 10n ** BigInt(PRC_DECIMALS);
  const exact = baseE2 * prc;
  const below = exact / one;
  const rounded = roundedShare(baseE2, prc, one);
  const exactText = (): string => formatAmount(exact, 2 + PRC_DECIMALS);
  return [
    {
      step: "percentage",
      amountE2: below,
      detail: () => `${formatAmount(prc)}% of ${formatAmount(baseE2)} = ${exactText()}`,
    },
    {
      step: "rounding",
      amountE2: rounded - below,
      detail: () => `${exactText()} half up to ${formatAmount(rounded)}`,
    },
  ];
}

/** What a bundle takes off the units that it reduces, rounded half up once. */
function bundleStep({ config }: DiscountTerms, { items }: Purchase): DiscountStep | null {
  const reducedE2 = items?.reducedE2 ?? 0n;
  if (config.bundle == null || reducedE2 === 0n) return null;
  const prc = scaledInteger(String(config.bundle.pricePrc), PRC_DECIMALS);
  const detail = (): string => `${formatAmount(prc)}% of units for ${formatAmount(reducedE2)}`;
  return { step: "bundle", amountE2: roundedShare(reducedE2, prc, 10n ** BigInt(PRC_DECIMALS)), detail };
}

function companyShare(discountE2: bigint, prc: number | null | undefined): bigint {
  if (prc == null) return 0n;
  const decimals = 12;
  return roundedShare(discountE2, scaledInteger(String(prc), decimals), 100n * 10n ** BigInt(decimals));
}
