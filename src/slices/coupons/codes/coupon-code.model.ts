import { Field, Int, ObjectType } from "type-graphql";
import { ToOne } from "../../../core/relations/relations.js";
import { defineList } from "../../../core/lists/list-definition.js";
import { DateTime } from "../../../core/scalars/date-time.js";
import { SafeInt } from "../../../core/scalars/safe-int.js";
import { CouponRedemption } from "../uses/coupon-use.model.js";
import { Coupon } from "../coupon.model.js";

/** Fields that all codes have. */
@ObjectType()
abstract class CodeFields {
  @Field(() => SafeInt, { description: "Identifier, unique among all of its type in all companies." })
  id!: bigint;

  companyId!: number;

  @Field(() => String, {
    description: "The code, matched without regard to case; a promo code stands as it was entered.",
  })
  code!: string;

  @Field(() => Int, { description: "The coupon it belongs to." })
  couponId!: number;

  @Field(() => DateTime, { nullable: true, description: "When it was used; null for promo codes." })
  usedAt!: Date | null;

  @Field(() => DateTime, { description: "When it was made." })
  createdAt!: Date;

  @ToOne(() => Coupon, {
    model: "Coupon",
    via: "couponId",
    required: true,
    description: "The coupon it belongs to.",
  })
  coupon!: Coupon;
}

@ObjectType({ description: "A code by which a coupon is found." })
export class CouponCode extends CodeFields {
  @Field(() => DateTime, {
    nullable: true,
    description: "When it was voided: it was not used, and cannot be any more.",
  })
  voidedAt!: Date | null;

  @Field(() => Int, { nullable: true, description: "The client it was assigned to; null: nobody." })
  clientId!: number | null;
}

@ObjectType({ description: "A code that can still be used." })
export class AvailableTicket extends CodeFields {
  @Field(() => Int, {
    description:
      "How often it can still be used: once; a promo code as often as there are uses neither made nor held.",
  })
  remaining!: number;
}

/** Order in which a coupon's codes were made. */
const OLDEST_FIRST = { defaultOrder: [{ field: "id", direction: "asc" }] } as const;

/** Codes and uses of a deleted coupon can be asked for. */
const WITH_DELETED_COUPON = { deletedRowsOf: "coupons", deletedRows: "those of a deleted coupon" } as const;

export const couponCodeList = defineList(
  CouponCode,
  "CouponCode",
  {
    id: { kind: "safeInt" },
    code: { kind: "code", sortable: false },
    usedAt: { kind: "dateTime", nullable: true },
  },
  { ...OLDEST_FIRST, ...WITH_DELETED_COUPON },
);

export const availableCodeList = defineList(
  AvailableTicket,
  "AvailableTicket",
  {
    id: { kind: "safeInt" },
    code: { kind: "code", sortable: false },
    createdAt: { kind: "dateTime", filterable: false },
  },
  { ...OLDEST_FIRST, ...WITH_DELETED_COUPON },
);

export const useList = defineList(
  CouponRedemption,
  "CouponRedemption",
  {
    id: { kind: "safeInt" },
    code: { kind: "code", nullable: true, sortable: false },
    clientId: { kind: "int", nullable: true, sortable: false },
    orderId: { kind: "int", nullable: true, sortable: false },
    createdAt: { kind: "dateTime" },
  },
  WITH_DELETED_COUPON,
);
