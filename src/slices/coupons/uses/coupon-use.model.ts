import { Field, Int, ObjectType } from "type-graphql";
import { Discounts, type CouponUseItem } from "../checks/coupon-check.model.js";
import { Client } from "../../clients/client.model.js";
import { ToOne } from "../../../core/relations/relations.js";
import { DateTime } from "../../../core/scalars/date-time.js";
import { SafeInt } from "../../../core/scalars/safe-int.js";
import { Order } from "../../orders/order.model.js";
import { BalanceMovement } from "../../balance/movement.model.js";
import { Coupon, type CouponRow } from "../coupon.model.js";

@ObjectType({
  description:
    "One use of a coupon: never deleted, and never changed but for being given back, as a whole or in parts.",
})
export class CouponRedemption {
  @Field(() => SafeInt, { description: "Identifier, unique among all of its type in all companies." })
  id!: bigint;

  companyId!: number;

  movementId!: bigint | null;

  @Field(() => Int, { description: "The coupon." })
  couponId!: number;

  @Field(() => Int, { nullable: true, description: "The client who used it." })
  clientId!: number | null;

  @Field(() => Int, { nullable: true, description: "The order that used it; null of a gift card." })
  orderId!: number | null;

  @Field(() => SafeInt, {
    description: "What it gives, in hundredths, without what was given back in parts before.",
  })
  amountE2!: bigint;

  @Field(() => SafeInt, { description: "The part of it that the company bears, in hundredths." })
  companyAmountE2!: bigint;

  @Field(() => DateTime, { description: "When it was used." })
  createdAt!: Date;

  @Field(() => DateTime, {
    nullable: true,
    description: "When it was given back: from then on it counts for nothing; null: it was not.",
  })
  returnedAt!: Date | null;

  @ToOne(() => BalanceMovement, {
    model: "BalanceMovement",
    via: "movementId",
    area: "balance",
    description: "The movement by which a gift card was credited; null of other uses.",
  })
  movement!: BalanceMovement | null;

  @ToOne(() => Coupon, { model: "Coupon", via: "couponId", required: true, description: "The coupon." })
  coupon!: Coupon;

  @ToOne(() => Client, { model: "Client", via: "clientId", description: "The client who used it." })
  client!: Client | null;

  @ToOne(() => Order, { model: "Order", via: "orderId", description: "The order that used it." })
  order!: Order | null;
}

/** A row of uses, with its code as it is stored or shown. */
export interface CouponUseRow extends Omit<CouponRedemption, "coupon" | "client" | "order" | "movement"> {
  readonly code: string | null;
  /** The promo code of its coupon, where it is known already. */
  readonly promoCode?: string | null;
  readonly items?: readonly CouponUseItem[] | null;
  readonly returnedAmountE2?: bigint;
}

@ObjectType({ description: "A use of a coupon that is kept for an order until it expires." })
export class CouponHold {
  @Field(() => SafeInt, {
    description:
      "Identifier, unique among all of its type in all companies; it stays when the hold is renewed.",
  })
  id!: bigint;

  companyId!: number;

  @Field(() => String, {
    nullable: true,
    description: "The code, a promo code as it was entered; null of a promo.",
  })
  code!: string | null;

  @Field(() => Int, { description: "The coupon." })
  couponId!: number;

  @Field(() => Int, { nullable: true, description: "The client it is held for." })
  clientId!: number | null;

  @Field(() => Int, { description: "The order it is held for." })
  orderId!: number;

  @Field(() => SafeInt, { description: "The discount that is held, in hundredths." })
  amountE2!: bigint;

  @Field(() => SafeInt, { description: "The part of the discount that the company bears, in hundredths." })
  companyAmountE2!: bigint;

  @Field(() => DateTime, { description: "From then on it does not count any more." })
  expiresAt!: Date;

  @Field(() => DateTime, { description: "When it was first held." })
  createdAt!: Date;

  @ToOne(() => Coupon, { model: "Coupon", via: "couponId", required: true, description: "The coupon." })
  coupon!: Coupon;

  @ToOne(() => Client, { model: "Client", via: "clientId", description: "The client it is held for." })
  client!: Client | null;

  @ToOne(() => Order, {
    model: "Order",
    via: "orderId",
    required: true,
    description: "The order it is held for.",
  })
  order!: Order;
}

@ObjectType({ description: "A gift card that can be or was turned into balance, and what that gave." })
export class RedeemedCoupon {
  @Field(() => Coupon, { description: "The gift card." })
  coupon!: CouponRow;

  @Field(() => SafeInt, {
    nullable: true,
    description: "What was added to the balance, in hundredths; null when it was only verified.",
  })
  addedE2!: bigint | null;

  @Field(() => SafeInt, {
    nullable: true,
    description: "The caller's balance after that, in hundredths; null when it was only verified.",
  })
  balanceE2!: bigint | null;
}

@ObjectType({ description: "What was given back of the uses of an order." })
export class ReturnedCouponItems {
  @Field(() => SafeInt, { description: "What was given back of all uses together, in hundredths." })
  amountE2!: bigint;

  @Field(() => SafeInt, { description: "How much of that the company bore, in hundredths." })
  companyAmountE2!: bigint;

  @Field(() => [CouponRedemption], {
    description:
      "The uses of which something was given back, as they are by now; one of which all was given back has `returnedAt`.",
  })
  uses!: readonly CouponRedemption[];
}

@ObjectType({ description: "Discounts that an order has taken." })
export class TakenDiscounts extends Discounts {
  @Field(() => [CouponRedemption], {
    description: "The use of each that gives something, in the same order.",
  })
  uses!: readonly CouponRedemption[];
}
