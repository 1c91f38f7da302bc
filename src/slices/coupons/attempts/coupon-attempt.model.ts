import { Field, Int, ObjectType } from "type-graphql";
import { defineEnum } from "../../../core/enums.js";
import { defineList } from "../../../core/lists/list-definition.js";
import { ToOne } from "../../../core/relations/relations.js";
import { DateTime } from "../../../core/scalars/date-time.js";
import { SafeInt } from "../../../core/scalars/safe-int.js";
import { Client } from "../../clients/client.model.js";
import { CouponReasonEnum } from "../checks/coupon-check.model.js";
import type { CouponReason } from "../conditions/conditions.js";
import { Coupon } from "../coupon.model.js";

/** For how many days a refused attempt is kept. */
export const ATTEMPT_DAYS = 90;

export const CouponAttemptActionEnum = defineEnum("CouponAttemptAction", ["use", "hold"], {
  description: "What was asked for.",
  values: { use: "A use of a coupon.", hold: "A use to be held." },
});
export type AttemptAction = "use" | "hold";

@ObjectType({ description: "A use or a hold that was refused by a rule of the coupon." })
export class CouponAttempt {
  @Field(() => SafeInt, { description: "Identifier, unique among all of its type in all companies." })
  id!: bigint;

  companyId!: number;

  @Field(() => CouponAttemptActionEnum, { description: "What was asked for." })
  action!: AttemptAction;

  @Field(() => Int, { nullable: true, description: "The coupon; null where no coupon has the code." })
  couponId!: number | null;

  @Field(() => String, { nullable: true, description: "The code in capitals; null of a promo." })
  code!: string | null;

  @Field(() => Int, { nullable: true, description: "The client it was for." })
  clientId!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: "The order it was for; null of a gift card. The order may be gone by now.",
  })
  orderId!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: "The branch it was for, as the order or the input names it.",
  })
  branchId!: number | null;

  @Field(() => CouponReasonEnum, { description: "The first rule that did not hold." })
  reason!: CouponReason;

  @Field(() => String, { description: "What was needed and what was seen." })
  detail!: string;

  @Field(() => DateTime, { description: "When it was refused." })
  createdAt!: Date;

  @ToOne(() => Coupon, { model: "Coupon", via: "couponId", description: "The coupon." })
  coupon!: Coupon | null;

  @ToOne(() => Client, { model: "Client", via: "clientId", description: "The client it was for." })
  client!: Client | null;
}

/** Refused attempts, the latest first. */
export const couponAttemptList = defineList(CouponAttempt, "CouponAttempt", {
  id: { kind: "safeInt" },
  couponId: { kind: "int", nullable: true, sortable: false },
  clientId: { kind: "int", nullable: true, sortable: false },
  code: { kind: "code", nullable: true, sortable: false },
  reason: { kind: "enum", enum: CouponReasonEnum, sortable: false },
  createdAt: { kind: "dateTime" },
});
