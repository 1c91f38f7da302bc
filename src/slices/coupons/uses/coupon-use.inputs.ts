import {
  AmountField,
  BooleanField,
  InputObject,
  IntField,
  TextField,
} from "../../../core/inputs/input-fields.js";
import { PurchaseInput } from "../checks/coupon-check.inputs.js";

/** Names a coupon and an order; the order fills in what the purchase leaves out. */
export class UseCouponInput extends PurchaseInput {
  @TextField({ description: "The code, in any case; promos have none.", nullable: true, min: 5, max: 20 })
  code?: string | null;

  @IntField({ description: "The promo, in place of a code.", nullable: true, min: 1 })
  couponId?: number | null;

  @IntField({ description: "The order.", min: 1 })
  orderId!: number;

  @AmountField({
    description: "Price of the goods, in hundredths; the order's when absent.",
    nullable: true,
    min: 1,
  })
  subtotalE2?: number | null;
}

@InputObject({
  description: "An order that uses a coupon. Client, prices, branch and source are the order's unless given.",
})
export class ConsumeCouponInput extends UseCouponInput {}

@InputObject({
  description: "An order that holds a use. Client, prices, branch and source are the order's unless given.",
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

@InputObject({ description: "An order that gives back the use that it holds." })
export class ReleaseCouponInput {
  @TextField({ description: "The code, in any case; promos have none.", nullable: true, min: 5, max: 20 })
  code?: string | null;

  @IntField({ description: "The promo, in place of a code.", nullable: true, min: 1 })
  couponId?: number | null;

  @IntField({ description: "The order.", min: 1 })
  orderId!: number;
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
