import { forbidden } from "../../../core/inputs/forbidden-key.js";
import {
  BooleanField,
  DateTimeField,
  IdField,
  InputField,
  InputObject,
  IntField,
  TextField,
} from "../../../core/inputs/input-fields.js";
import { CodesField, LaterPurchaseOfOrderInput, MOST_CODES } from "../checks/coupon-check.inputs.js";

const isGiven = (name: string) => ({ required: [name], properties: { [name]: { not: { type: "null" } } } });

/** A coupon is named by its code, or by its id. */
const codeOrCoupon = {
  if: { not: isGiven("couponId") },
  then: {
    required: ["code"],
    properties: { code: { if: { type: "null" }, then: forbidden("required") } },
  },
};

/** The same, and never by both. */
const codeOrPromo = {
  if: isGiven("code"),
  then: { properties: { couponId: { if: { not: { type: "null" } }, then: forbidden("forbidden") } } },
  else: codeOrCoupon,
};

/** An order; it fills in what the purchase leaves out. Nothing may contradict an order that has a total. */
class OrderInput extends LaterPurchaseOfOrderInput {
  @IntField({ description: "The order.", min: 1 })
  orderId!: number;

  @DateTimeField({
    description:
      "When it was bought at a till that could not ask then: at most 72 hours ago, rule `min`, and not later than now, rule " +
      "`max`. The rules of that moment hold, such as days, hours and whether the coupon ran, and the limits of now. Not along " +
      "with `datetime`.",
    nullable: true,
  })
  occurredAt?: string | null;
}

/** Names a coupon and an order. */
export class UseCouponInput extends OrderInput {
  @TextField({
    description: "The code, in any case; required without `couponId`, since promos have none.",
    nullable: true,
    min: 5,
    max: 20,
  })
  code?: string | null;

  @IntField({ description: "The promo, in place of a code.", nullable: true, min: 1 })
  couponId?: number | null;
}

@InputObject({
  description:
    "An order that uses a coupon. Client, prices, branch and source are the order's where it has them.",
  rules: codeOrPromo,
})
export class ConsumeCouponInput extends UseCouponInput {}

@InputObject({
  description:
    "An order that holds a use. Client, prices, branch and source are the order's where it has them.",
  rules: codeOrPromo,
})
export class HoldCouponInput extends UseCouponInput {
  @IntField({
    description: "For how many seconds the use is held, 900 when absent.",
    nullable: true,
    min: 30,
    max: 86_400,
  })
  ttlSeconds?: number | null;
}

@InputObject({
  description:
    "An order that uses several coupons at once. Client, prices, branch and source are the order's where it has them.",
})
export class ConsumeCouponsInput extends OrderInput {
  @CodesField({ description: `Codes, at most ${MOST_CODES}, in any case.`, optional: true })
  codes?: string[];

  @BooleanField({ description: "Whether promos are taken along; false when absent.", optional: true })
  withPromos?: boolean;
}

/** Names a coupon that an order has. */
class OrderedCouponInput {
  @TextField({
    description: "The code, in any case; required without `couponId`. Promos have none.",
    nullable: true,
    min: 5,
    max: 20,
  })
  code?: string | null;

  @IntField({
    description: "The coupon, in place of its code or along with it; rule `mismatch` for another one.",
    nullable: true,
    min: 1,
  })
  couponId?: number | null;

  @IntField({ description: "The order.", min: 1 })
  orderId!: number;
}

@InputObject({ description: "An order that gives back the use that it holds.", rules: codeOrCoupon })
export class ReleaseCouponInput extends OrderedCouponInput {}

@InputObject({ description: "An order that gives back a use that it made.", rules: codeOrCoupon })
export class ReturnCouponInput extends OrderedCouponInput {}

@InputObject({ description: "Units of a good that are given back." })
class ReturnedItemInput {
  @IntField({ description: "The good.", min: 1 })
  goodId!: number;

  @IntField({ description: "How many of it, counted as in the order's line.", min: 1 })
  quantity!: number;
}

@InputObject({ description: "Units of an order that are given back." })
export class ReturnCouponItemsInput {
  @IdField("Order", { description: "The order." })
  orderId!: number;

  @InputField(
    () => [ReturnedItemInput],
    { description: "The units, 1 to 1,000 entries." },
    { minItems: 1, maxItems: 1_000 },
  )
  items!: ReturnedItemInput[];
}

@InputObject({ description: "A gift card." })
export class RedeemCouponInput {
  @TextField({ description: "Its code, in any case.", min: 5, max: 20 })
  couponCode!: string;

  @BooleanField({
    description:
      "Whether to add it to the balance, once; false, as when absent, only says whether that would work.",
    optional: true,
  })
  redeem?: boolean;
}
