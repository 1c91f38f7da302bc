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
  /** How many units are bought, how many of them are services, and what these cost; `null` when no items are given. */
  readonly items: {
    readonly units: bigint;
    readonly serviceUnits: bigint;
    readonly serviceE2: bigint;
    /** What the units cost that a bundle reduces. */
    readonly reducedE2?: bigint;
  } | null;
}

export const DISCOUNT_STEPS = [
  "flat",
  "percentage",
  "bundle",
  "rounding",
  "max_discount",
  "base",
  "order",
] as const;
export type DiscountStepName = (typeof DISCOUNT_STEPS)[number];

/** A part of the discount: what it adds or, below zero, takes away. */
export interface DiscountStep {
  readonly step: DiscountStepName;
  readonly amountE2: bigint;
  /** Explains the amount in figures. */
  readonly detail: string;
}

export interface Discount {
  readonly discountE2: bigint;
  /** The part of the discount that the company bears. */
  readonly companyDiscountE2: bigint;
  /** What the discount applies to, in hundredths; it never exceeds that. */
  readonly baseE2: bigint;
  /** Returns the parts of the discount, which add up to it; they are worked out for an explanation alone. */
  steps(): readonly DiscountStep[];
}

/** The discount of a coupon that gives nothing, or that does not exist. */
export const NO_DISCOUNT: Discount = {
  discountE2: 0n,
  companyDiscountE2: 0n,
  baseE2: 0n,
  steps: () => [],
};

const PRC_DECIMALS = 4;
/** One as a fraction with so many decimals. */
const ONE = 10n ** BigInt(PRC_DECIMALS);

/**
 * The discount that a coupon gives for a purchase: `price_e2` plus `price_prc` of the base plus its bundle, rounded half
 * up once to hundredths, at most `max_discount_e2`, the base and what this costs (contract §13.5). A gift card gives
 * nothing: it becomes balance.
 *
 * @param leftE2 what the other coupons of the order leave of it, in hundredths; `null` where there is no order.
 */
export function discountOf(terms: DiscountTerms, purchase: Purchase, leftE2: bigint | null = null): Discount {
  if (terms.type === "gift_card") return NO_DISCOUNT;
  return new DiscountOfTerms(terms, purchase, leftE2);
}

/** Takes down a part of a discount; `null` where nobody asks for the parts, so that none is put into words. */
type Note = ((step: DiscountStepName, amountE2: bigint, detail: string) => void) | null;

class DiscountOfTerms implements Discount {
  readonly baseE2: bigint;
  readonly discountE2: bigint;
  readonly companyDiscountE2: bigint;

  constructor(
    private readonly terms: DiscountTerms,
    private readonly purchase: Purchase,
    private readonly leftE2: bigint | null,
  ) {
    this.baseE2 = baseOf(terms, purchase);
    this.discountE2 = this.amount(null);
    this.companyDiscountE2 = companyShare(this.discountE2, terms.config.companyAssumptionPrc);
  }

  steps(): readonly DiscountStep[] {
    const steps: DiscountStep[] = [];
    this.amount((step, amountE2, detail) => steps.push({ step, amountE2, detail }));
    return steps;
  }

  /** What the coupon gives, in hundredths. */
  private amount(note: Note): bigint {
    const { terms, purchase, baseE2, leftE2 } = this;
    const { maxDiscountE2 } = terms.config;
    let amountE2 = flatAmount(terms, purchase, baseE2, note) + fractionsAmount(terms, purchase, baseE2, note);
    if (maxDiscountE2 != null) {
      const mostE2 = largest(BigInt(maxDiscountE2), 0n);
      amountE2 = capped(amountE2, mostE2, note, "max_discount", "the maximum");
    }
    const costE2 = costOf(terms.appliesTo, purchase);
    const what = costE2 < baseE2 ? "what it is taken from costs:" : "the base";
    amountE2 = capped(amountE2, smallest(baseE2, costE2), note, "base", what);
    return leftE2 === null ? amountE2 : capped(amountE2, leftE2, note, "order", "what is left of the order:");
  }
}

function capped(amountE2: bigint, mostE2: bigint, note: Note, step: DiscountStepName, what: string): bigint {
  if (amountE2 <= mostE2) return amountE2;
  note?.(step, mostE2 - amountE2, `at most ${what} ${formatAmount(mostE2)}`);
  return mostE2;
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

/** The units for which a flat discount is given one by one: of services those of these alone. Without items it is given once. */
function unitsOf({ appliesTo }: DiscountTerms, { items }: Purchase): bigint {
  if (items === null) return 1n;
  return appliesTo === "service" ? items.serviceUnits : items.units;
}

/**
 * The flat discount. A later step cuts what goes beyond the base. Whatever the number of units, the step stays within
 * the largest amount.
 */
function flatAmount(terms: DiscountTerms, purchase: Purchase, baseE2: bigint, note: Note): bigint {
  const { priceE2, config } = terms;
  if (priceE2 === 0n) return 0n;
  const perUnit = config.applyForUnit === true;
  const units = perUnit ? unitsOf(terms, purchase) : 1n;
  const amountE2 = smallest(priceE2 * units, largest(baseE2, MAX_AMOUNT - baseE2));
  note?.("flat", amountE2, `${formatAmount(priceE2)}${perUnit ? ` × ${units} units` : ""}`);
  return amountE2;
}

/**
 * The percentage and what a bundle takes off the units that it reduces, rounded half up once: a step for each, cut to
 * whole hundredths, and one for what rounding their sum adds to these.
 */
function fractionsAmount(
  { pricePrc, config }: DiscountTerms,
  { items }: Purchase,
  baseE2: bigint,
  note: Note,
): bigint {
  const prc = scaledInteger(pricePrc.toString(), PRC_DECIMALS);
  const bundlePrc = config.bundle == null ? 0n : scaledInteger(String(config.bundle.pricePrc), PRC_DECIMALS);
  const reducedE2 = items?.reducedE2 ?? 0n;
  const bundle = reducedE2 * bundlePrc;
  if (prc === 0n && bundle === 0n) return 0n;
  const percentage = baseE2 * prc;
  const amountE2 = roundedShare(percentage + bundle, 1n, ONE);
  if (note === null) return amountE2;
  if (prc !== 0n) note("percentage", percentage / ONE, fractionText(prc, formatAmount(baseE2), percentage));
  if (bundle !== 0n)
    note("bundle", bundle / ONE, fractionText(bundlePrc, `units for ${formatAmount(reducedE2)}`, bundle));
  const addedE2 = amountE2 - percentage / ONE - bundle / ONE;
  note("rounding", addedE2, `${exactText(percentage + bundle)} half up to ${formatAmount(amountE2)}`);
  return amountE2;
}

function fractionText(prc: bigint, of: string, exact: bigint): string {
  return `${formatAmount(prc)}% of ${of} = ${exactText(exact)}`;
}

function exactText(exact: bigint): string {
  return formatAmount(exact, 2 + PRC_DECIMALS);
}

function companyShare(discountE2: bigint, prc: number | null | undefined): bigint {
  if (prc == null) return 0n;
  const decimals = 12;
  return roundedShare(discountE2, scaledInteger(String(prc), decimals), 100n * 10n ** BigInt(decimals));
}
