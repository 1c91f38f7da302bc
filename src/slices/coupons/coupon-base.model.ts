import { defineEnum } from "../../core/enums.js";
import { APPLIES_TO } from "./amounts/coupon-discount.rules.js";

export const CouponBaseEnum = defineEnum("CouponBase", APPLIES_TO, {
  description: "What a discount is a part of and never exceeds.",
  values: {
    total: "Subtotal and delivery.",
    subtotal: "The price of the goods.",
    base_price: "The price before other discounts.",
    service: "The services among the items; without items the subtotal.",
    delivery: "The price of the delivery.",
  },
});
