import { Field, Float, Int, ObjectType } from "type-graphql";
import { defineEnum } from "../../core/enums.js";
import { SCHEDULE_STATUSES } from "../../core/schedule/schedule.js";
import { CompanyEvent } from "../company-events/company-event.model.js";
import { ToMany, ToOne } from "../../core/relations/relations.js";
import { defineList } from "../../core/lists/list-definition.js";
import { EXTERNAL_ID_FIELDS, ExternalId } from "../../core/resources/external-id.js";
import { DateTime } from "../../core/scalars/date-time.js";
import { Json } from "../../core/scalars/json.js";
import { SafeInt } from "../../core/scalars/safe-int.js";
import { Branch } from "../shops/branch.model.js";
import { BranchGroup } from "../shops/branch-group.model.js";
import { COUPON_ACTIONS } from "./coupon-actions.rules.js";
import { CouponBaseEnum } from "./coupon-base.model.js";

export const CouponActionEnum = defineEnum("CouponAction", COUPON_ACTIONS, {
  description: "What can be done with a coupon.",
  values: {
    update: "`updateCoupon`: while it is pending.",
    link_target: "`linkCouponTarget`: while it is pending.",
    unlink_target: "`unlinkCouponTarget`: while it is pending.",
    set_ready: "`setReady`: once, from pending.",
    update_running: "`updateRunning`: while it runs.",
    set_finished: "`setFinished`: while it runs.",
    pause: "`pauseCoupon`: while it runs and is not paused.",
    resume: "`resumeCoupon`: while it is paused.",
    add_codes: "`addCouponCodes`: while it runs, if it has many codes.",
    upload_codes: "`uploadCouponCodes`: while it is pending or runs, if it has many codes.",
    delete: "`deleteCoupon`: whenever it does not run.",
    restore: "`restoreCoupon`: after it is deleted.",
  },
});

export const CouponStatusEnum = defineEnum("CouponStatus", SCHEDULE_STATUSES, {
  description: "Where a coupon stands, by its exact times.",
  values: {
    pending: "It can be changed and set ready.",
    generating: "Its codes are made.",
    ready: "It waits for its start.",
    running: "It can be used.",
    finished: "It is over.",
  },
});

export const CouponTypeEnum = defineEnum("CouponType", ["personal", "batch", "promo", "gift_card"], {
  description: "Kinds of coupons.",
  values: {
    personal: "As many codes as `totalCount`, each for one use.",
    batch: "One code for `totalCount` uses.",
    promo: "No code; it applies to every purchase.",
    gift_card: "As many codes as `totalCount`, each turned into balance once.",
  },
});

export const CouponTargetTypeEnum = defineEnum(
  "CouponTargetType",
  ["company", "city", "branch_group", "branch", "good"],
  {
    description: "How the targets of a coupon are aggregated.",
    values: {
      company: "The whole company.",
      city: "Cities; none can be linked, so such a coupon cannot be set ready.",
      branch_group: "Shops, which can be linked.",
      branch: "Branches, which can be linked.",
      good: "Goods; none can be linked, so such a coupon cannot be set ready.",
    },
  },
);

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
      "Id of the job that makes them, by which `job` shows its progress; null before it is set ready.",
  })
  jobId!: string | null;
}

@ObjectType({ description: "A coupon with codes, a promo or a gift card." })
export class Coupon {
  @Field(() => Int, { description: "Identifier, unique among all of its type in all companies." })
  id!: number;

  companyId!: number;

  @Field(() => String, { description: "Label, at most 64 characters." })
  name!: string;

  @ExternalId()
  externalId!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "The one code of a batch coupon, as it was entered; matched without regard to case.",
  })
  promoCode!: string | null;

  @Field(() => CouponTypeEnum, { description: "Kind of coupon." })
  type!: string;

  @Field(() => SafeInt, { description: "Flat discount in hundredths; what a gift card is worth." })
  priceE2!: bigint;

  @Field(() => Float, { description: "Discount as a fraction of what it applies to: 0.03 is 3 percent." })
  pricePrc!: { toString(): string };

  @Field(() => SafeInt, { description: "Smallest subtotal for which it applies, in hundredths." })
  minPurchaseE2!: bigint;

  totalCount!: number;

  spentCount!: number;

  @Field(() => DateTime, {
    nullable: true,
    description: "From then on it runs, if it is ready; null before that: as soon as it is.",
  })
  startsAt!: Date | null;

  @Field(() => DateTime, { nullable: true, description: "From then on it is finished; null: it never ends." })
  endsAt!: Date | null;

  @Field(() => DateTime, {
    nullable: true,
    description: "Since when it is paused; null when it is not. Its status stays as it is.",
  })
  pausedAt!: Date | null;

  voidedCount!: number;

  @Field(() => String, {
    nullable: true,
    description:
      "Currency of its amounts, the company's when it was set ready; null before that. With an amount of its own it is for " +
      "orders of this currency alone, and a gift card adds it to the balance of this currency.",
  })
  currencyIso!: string | null;

  @Field(() => DateTime, {
    nullable: true,
    description:
      "When it was set ready: codes of a gift card are owed since then. Null before that, of a coupon that was won in an event, and of one " +
      "that was set ready before this was kept.",
  })
  readyAt!: Date | null;

  @Field(() => DateTime, { description: "When it was created." })
  createdAt!: Date;

  @Field(() => DateTime, { description: "When it last changed; uses do not count." })
  updatedAt!: Date;

  @Field(() => Int, { description: "1 at first, one more after each change." })
  version!: number;

  @Field(() => DateTime, { nullable: true, description: "When it was deleted." })
  deletedAt!: Date | null;

  @Field(() => Int, {
    nullable: true,
    description: "The one branch where it can be used; null: no such bound.",
  })
  branchId!: number | null;

  @Field(() => CouponBaseEnum, { description: "What the discount is a part of and never exceeds." })
  appliesTo!: string;

  @Field(() => CouponTargetTypeEnum, {
    description: "How targets are aggregated. For branch_group and branch, targets can be linked.",
  })
  targetType!: string;

  @Field(() => Int, {
    nullable: true,
    description: "The one shop where it can be used; null: no such bound.",
  })
  branchGroupId!: number | null;

  @Field(() => Int, { nullable: true, description: "The campaign whose budget it shares; null: none." })
  campaignId!: number | null;

  @Field(() => Json, { nullable: true, description: "How it repeats, as it was given." })
  loopConfig!: unknown;

  @ToMany(() => BranchGroup, {
    model: "CouponBranchGroup",
    foreignKey: "couponId",
    order: [{ branchGroupId: "asc" }],
    through: { model: "BranchGroup", via: "branchGroupId" },
    openTo: "readers",
    description:
      "Shops linked as targets; with none it is for all. Who is bound to shops sees those alone that it reads.",
  })
  branchGroups!: BranchGroup[];

  @ToMany(() => Branch, {
    model: "CouponBranch",
    foreignKey: "couponId",
    order: [{ branchId: "asc" }],
    through: { model: "Branch", via: "branchId" },
    openTo: "readers",
    description:
      "Branches linked as targets; with none it is for all. Who is bound to shops or branches sees those alone that it reads.",
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
  readonly uploadedCount: number;
  readonly codeLength: number | null;
  readonly companyEventId: number | null;
  readonly config: unknown;
  readonly whitelist: readonly number[];
}

const BY_USES = {
  name: "ROUGH_SPENT_COUNT",
  note:
    "By the number of uses, alone; from 100 uses on by its two leading digits: coupons with 1,210 and 1,290 uses stand together, " +
    "the newest first or last.",
  former: "Use `ROUGH_SPENT_COUNT`, since 2026-12-01 until 2027-06-01.",
};

export const couponList = defineList(
  Coupon,
  "Coupon",
  {
    name: { kind: "text" },
    ...EXTERNAL_ID_FIELDS,
    promoCode: { kind: "text", nullable: true, sortable: false, ignoresCase: true },
    type: { kind: "enum", enum: CouponTypeEnum },
    status: { kind: "enum", enum: CouponStatusEnum },
    priceE2: { kind: "safeInt", sortable: false },
    pricePrc: { kind: "float", sortable: false },
    minPurchaseE2: { kind: "safeInt", sortable: false },
    totalCount: { kind: "int", sortable: false },
    spentCount: { kind: "int", filterable: false, ordersAlone: "the number of uses", order: BY_USES },
    appliesTo: { kind: "enum", enum: CouponBaseEnum, sortable: false },
    targetType: { kind: "enum", enum: CouponTargetTypeEnum, sortable: false },
    branchId: { kind: "int", nullable: true, sortable: false },
    branchGroupId: { kind: "int", nullable: true, sortable: false, countable: true },
    companyEventId: { kind: "int", nullable: true, sortable: false },
    campaignId: { kind: "int", nullable: true, sortable: false },
    startsAt: { kind: "dateTime", nullable: true },
    endsAt: { kind: "dateTime", nullable: true },
    pausedAt: { kind: "dateTime", nullable: true, sortable: false },
    createdAt: { kind: "dateTime" },
    updatedAt: { kind: "dateTime" },
    deletedAt: { kind: "dateTime", nullable: true, isRare: true },
  },
  { deletedRowsOf: "coupons" },
);
