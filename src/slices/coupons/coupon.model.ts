import { Field, Float, Int, InterfaceType, ObjectType, registerEnumType } from "type-graphql";
import { CompanyEvent } from "../company-events/company-event.model.js";
import { ToMany, ToOne } from "../../core/relations/relations.js";
import { defineList } from "../../core/lists/list-definition.js";
import { DateTime } from "../../core/scalars/date-time.js";
import { Json } from "../../core/scalars/json.js";
import { SafeInt } from "../../core/scalars/safe-int.js";
import { Branch } from "../shops/branch.model.js";
import { BranchGroup } from "../shops/branch-group.model.js";
import { COUPON_ACTIONS } from "./coupon-actions.rules.js";

export const CouponActionEnum = { ...COUPON_ACTIONS };
registerEnumType(CouponActionEnum, {
  name: "CouponAction",
  description: "What can be done with a coupon.",
  valuesConfig: {
    UPDATE: { description: "`updateCoupon`: while it is pending." },
    LINK_TARGET: { description: "`linkCouponTarget`: while it is pending." },
    UNLINK_TARGET: { description: "`unlinkCouponTarget`: while it is pending." },
    SET_READY: { description: "`setReady`: once, from pending." },
    UPDATE_RUNNING: { description: "`updateRunning`: while it runs." },
    SET_FINISHED: { description: "`setFinished`: while it runs." },
    DELETE: { description: "`deleteCoupon`: whenever it does not run." },
    RESTORE: { description: "`restoreCoupon`: once it is deleted." },
  },
});

@ObjectType({ description: "How far the making of a coupon's codes has come." })
export class CouponGeneration {
  @Field(() => Int, { description: "Codes made so far." })
  generated!: number;

  @Field(() => Int, {
    description: "Codes to make: `totalCount` for personal coupons and gift cards, 0 for all others.",
  })
  total!: number;

  @Field(() => String, {
    nullable: true,
    description:
      "Id of the job that makes them, by which `job` tells its progress; null before it is set ready.",
  })
  jobId!: string | null;
}

@InterfaceType({ description: "The fields that every answer about a coupon shows." })
export abstract class AnyCoupon {
  @Field(() => Int, { description: "Identifier." })
  id!: number;

  companyId!: number;

  @Field(() => String, { description: "Label, at most 64 characters." })
  name!: string;

  @Field(() => String, {
    nullable: true,
    description: "The one code of a batch coupon, as it was entered; matched without regard to case.",
  })
  promoCode!: string | null;

  @Field(() => String, {
    description:
      "`personal`: as many codes as `totalCount`, each for one use. `batch`: one code for `totalCount` uses. " +
      "`promo`: no code, applies to every purchase. `gift_card`: codes that are turned into balance.",
  })
  type!: string;

  @Field(() => SafeInt, { description: "Flat discount in hundredths; what a gift card is worth." })
  priceE2!: bigint;

  @Field(() => Float, { description: "Discount as a fraction of what it applies to: 0.03 is 3 percent." })
  pricePrc!: { toString(): string };

  @Field(() => SafeInt, { description: "Smallest subtotal for which it applies, in hundredths." })
  minPurchaseE2!: bigint;

  @Field(() => Int, { description: "How many uses there are in all." })
  totalCount!: number;

  @Field(() => Int, { description: "Uses so far, never more than `totalCount`." })
  spentCount!: number;

  @Field(() => DateTime, {
    nullable: true,
    description: "From then on it runs, once it is ready; null before that: as soon as it is.",
  })
  startsAt!: Date | null;

  @Field(() => DateTime, { nullable: true, description: "From then on it is finished; null: it never ends." })
  endsAt!: Date | null;

  @Field(() => DateTime, { description: "When it was created." })
  createdAt!: Date;

  @Field(() => DateTime, { description: "When it last changed; uses do not count." })
  updatedAt!: Date;

  @Field(() => DateTime, { nullable: true, description: "When it was deleted." })
  deletedAt!: Date | null;

  @Field(() => Int, {
    nullable: true,
    description: "The one branch where it can be used; null: no such bound.",
  })
  branchId!: number | null;

  @Field(() => String, {
    description:
      "What the discount is a part of and never exceeds: `total` (subtotal and delivery), `subtotal`, " +
      "`base_price`, `service` (the services among the items) or `delivery`.",
  })
  appliesTo!: string;

  @Field(() => String, {
    description:
      "How targets are aggregated: company, city, branch_group, branch or good. For branch_group and branch, " +
      "targets can be linked.",
  })
  targetType!: string;

  @Field(() => Int, {
    nullable: true,
    description: "The one shop where it can be used; null: no such bound.",
  })
  branchGroupId!: number | null;

  @Field(() => Json, { nullable: true, description: "How it repeats, as it was given." })
  loopConfig!: unknown;

  @ToMany(() => BranchGroup, {
    model: "CouponBranchGroup",
    foreignKey: "couponId",
    order: [{ branchGroupId: "asc" }],
    through: "branchGroup",
    openTo: "readers",
    description: "Shops linked as targets; none: it is for all.",
  })
  branchGroups!: BranchGroup[];

  @ToMany(() => Branch, {
    model: "CouponBranch",
    foreignKey: "couponId",
    order: [{ branchId: "asc" }],
    through: "branch",
    openTo: "readers",
    description: "Branches linked as targets; none: it is for all.",
  })
  branches!: Branch[];

  @ToOne(() => BranchGroup, {
    model: "BranchGroup",
    via: "branchGroupId",
    openTo: "readers",
    description: "The one shop where it can be used.",
  })
  branchGroup!: BranchGroup | null;

  @ToOne(() => Branch, {
    model: "Branch",
    via: "branchId",
    openTo: "readers",
    description: "The one branch where it can be used.",
  })
  branch!: Branch | null;

  @ToOne(() => CompanyEvent, {
    model: "CompanyEvent",
    via: "companyEventId",
    description: "The event in which it was won.",
  })
  companyEvent!: CompanyEvent | null;
}

@ObjectType({ implements: AnyCoupon, description: "A coupon with codes, a promo or a gift card." })
export class Coupon extends AnyCoupon {}

/** A row of coupons. Its status and config are shown by the moment and the caller, not as they are stored. */
export interface CouponRow extends Omit<
  Coupon,
  "branchGroups" | "branches" | "branchGroup" | "branch" | "companyEvent"
> {
  readonly status: string;
  readonly heldCount: number;
  readonly spentAmountE2: bigint;
  readonly heldAmountE2: bigint;
  readonly generatedCount: number;
  readonly codeLength: number | null;
  readonly companyEventId: number | null;
  readonly config: unknown;
  readonly whitelist: readonly number[];
}

export const couponList = defineList(
  Coupon,
  "Coupon",
  {
    name: { kind: "text" },
    promoCode: { kind: "text", nullable: true, sortable: false },
    type: { kind: "text", sortable: false },
    status: { kind: "text", sortable: false },
    priceE2: { kind: "safeInt" },
    pricePrc: { kind: "float", sortable: false },
    minPurchaseE2: { kind: "safeInt", sortable: false },
    totalCount: { kind: "int", sortable: false },
    spentCount: { kind: "int", sortable: false },
    appliesTo: { kind: "text", sortable: false },
    targetType: { kind: "text", sortable: false },
    branchId: { kind: "int", nullable: true },
    branchGroupId: { kind: "int", nullable: true },
    companyEventId: { kind: "int", nullable: true, sortable: false },
    startsAt: { kind: "dateTime", nullable: true },
    endsAt: { kind: "dateTime", nullable: true },
    createdAt: { kind: "dateTime" },
    updatedAt: { kind: "dateTime" },
    deletedAt: { kind: "dateTime", nullable: true, sortable: false },
  },
  { deletedRowsOf: "coupons" },
);
