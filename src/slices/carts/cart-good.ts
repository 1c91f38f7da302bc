/** A good as a cart's branch sells it now, with all that the price of a row depends on. Amounts in hundredths. */
export interface CartGood {
  readonly goodId: number;
  readonly name: string;
  readonly shortDetails: string;
  readonly details: string;
  readonly pictureUrls: readonly string[];
  readonly sku: string | null;
  readonly priceE2: bigint;
  /** Bit mask of the kinds of the good. */
  readonly type: number;
  readonly providerFeeE2: bigint;
  /** Fraction of the price with four decimals, as a text. */
  readonly providerFeePrc: string;
  readonly maxQuantity: number | null;
  readonly limitType: string | null;
  readonly unitConfig: CartUnit | null;
  readonly isDeleted: boolean;
  /** Says whether the branch may sell it: it is the company's or the branch's shop's, or on sale there. */
  readonly isOfShop: boolean;
  readonly branchGoodId: number | null;
  /** The price at the branch; null for the good's own. */
  readonly branchPriceE2: bigint | null;
  /** What the branch has left, a decimal number with three decimals; null when it does not count. */
  readonly branchStock: string | null;
  readonly isDisabled: boolean;
  /** The properties that the branch offers of the good, in their order. */
  readonly properties: readonly CartProperty[];
}

/** How quantities of a good are chosen, as far as the arithmetic needs it. */
export interface CartUnit {
  readonly enabled: boolean;
  readonly unitName: string;
  readonly fraction: number;
  readonly minQuantity: number;
  readonly stepQuantity: number;
  readonly maxQuantity: number;
  readonly weightPerUnit?: number | null;
}

/** A property that a good offers. Amounts are texts, since JSON numbers would not be exact. */
export interface CartProperty {
  readonly goodPropertyId: number;
  readonly propertyId: number;
  /** The name on the good. */
  readonly name: string;
  /** Mask of the good property. */
  readonly options: number;
  /** Mask of the property itself. */
  readonly type: number;
  /** The price at the branch; null for the property's own. */
  readonly branchPriceE2: string | null;
  readonly choices: readonly {
    readonly id: number;
    readonly name: string;
    readonly priceE2: string;
    readonly isDefault: boolean;
  }[];
  readonly range: CartRange | null;
  readonly regex: string | null;
}

/** The numbers that a range takes, in steps of 10^-decimates. */
export interface CartRange {
  readonly min: number;
  readonly max: number;
  readonly decimates: number;
  readonly step: number;
  readonly default: number;
  readonly basePriceE2: string;
  readonly stepPriceE2: string;
}

/** What a caller chooses or enters for a property. */
export interface Extra {
  readonly propertyId: number;
  readonly value: string;
}
