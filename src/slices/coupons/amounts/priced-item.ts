/** An item of a purchase, as far as its share of a discount depends on it. */
export interface PricedItem {
  readonly goodId: number;
  readonly quantity: number;
  /** How many units count where something is given for each. */
  readonly units: number;
  /** What all of it costs, in hundredths. */
  readonly priceE2: bigint;
  readonly isService: boolean;
  /** What its good is; absent where no coupon is for certain goods. */
  readonly kinds?: GoodKinds;
}

/** What a good is, as far as coupons are for certain goods. */
export interface GoodKinds {
  /** Its categories, and those above them. */
  readonly categoryIds: readonly number[];
  readonly goodTagIds: readonly number[];
  readonly goodTypeId: number | null;
  readonly branchGroupId: number | null;
}
