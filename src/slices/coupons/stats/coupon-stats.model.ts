import { ArgsType, Extensions, Field, InputType, Int, ObjectType } from "type-graphql";
import { defineEnum } from "../../../core/enums.js";
import { COMPARISONS, enumComparison } from "../../../core/lists/filter-inputs.js";
import { ChecksList, type Filter, type ListField } from "../../../core/lists/list-definition.js";
import { DateTime } from "../../../core/scalars/date-time.js";
import { SafeInt } from "../../../core/scalars/safe-int.js";
import { CouponTypeEnum } from "../coupon.model.js";

const STATS_KEYS = [
  "day",
  "week",
  "month",
  "coupon",
  "campaign",
  "branch",
  "branchGroup",
  "branch_group",
  "client",
  "type",
  "currency",
] as const;
export type StatsKey = (typeof STATS_KEYS)[number];

export const CouponStatsKeyEnum = defineEnum("CouponStatsKey", STATS_KEYS, {
  description: "What the sums of uses are for.",
  values: {
    day: "A day of the company.",
    week: "A week of the company; Monday is its first day.",
    month: "A month of the company.",
    coupon: "A coupon.",
    campaign: "The campaign of the coupon.",
    branch: "The branch of the order.",
    branchGroup: "The shop of that branch.",
    branch_group: "As `branchGroup`.",
    client: "A client.",
    type: "The kind of coupon.",
    currency: "The currency of the order; without an order, such as of a gift card, the coupon's.",
  },
});

/** The longest time that is summed up, in days. */
export const STATS_DAYS = 400;
/** At most so many groups are answered. */
export const MOST_GROUPS = 10_000;
/**
 * At most about so many uses are read for one answer, which takes 5 to 9 s of the 10 s that a request has; what is kept of them
 * already is not counted.
 */
export const MOST_USES_READ = 1_000_000;

/** What uses can be filtered by before they are summed up. */
export const STATS_FIELDS = {
  couponId: { kind: "int" },
  campaignId: { kind: "int", nullable: true },
  branchId: { kind: "int", nullable: true },
  branchGroupId: { kind: "int", nullable: true },
  clientId: { kind: "int", nullable: true },
  type: { kind: "enum", enum: CouponTypeEnum },
  currencyIso: { kind: "word" },
} as const satisfies Readonly<Record<string, ListField>>;
export type StatsField = keyof typeof STATS_FIELDS;

@InputType({ description: "Which uses are summed up; all conditions must hold." })
class CouponStatsFilterInput {}
for (const [name, field] of Object.entries(STATS_FIELDS)) {
  const comparison = field.kind === "enum" ? enumComparison(field.enum) : COMPARISONS[field.kind];
  Field(() => comparison, { nullable: true, description: `Condition on \`${name}\`.` })(
    CouponStatsFilterInput.prototype,
    name,
  );
}

/** What rows are for, and the time that they sum up. */
@ArgsType()
export class StatsTimeArgs {
  @Extensions({ jsonSchema: { nullable: true, maxItems: 4 } })
  @Field(() => [CouponStatsKeyEnum], {
    nullable: true,
    description: "What a row is for, at most four of these; one row for all when absent.",
  })
  groupBy?: StatsKey[] | null;

  @Field(() => DateTime, {
    nullable: true,
    description: `Beginning of the time; ${STATS_DAYS} days before its end when absent.`,
  })
  from?: string | null;

  @Extensions({ jsonSchema: { nullable: true, laterThan: ["from"] } })
  @Field(() => DateTime, {
    nullable: true,
    description: `End of the time, which is no part of it, at most ${STATS_DAYS} days after its beginning; now when absent.`,
  })
  until?: string | null;
}

@ArgsType()
export class CouponStatsArgs extends StatsTimeArgs {
  @ChecksList({ fields: STATS_FIELDS })
  @Field(() => CouponStatsFilterInput, { nullable: true, description: "Which uses; all when absent." })
  filter?: Filter | null;
}

@ObjectType({
  description: "Sums of uses of coupons. Keys that rows are not for are null.",
})
export class CouponStats {
  @Field(() => String, { nullable: true, description: "The day: `2026-11-25`." })
  day!: string | null;

  @Field(() => String, { nullable: true, description: "The Monday of the week: `2026-11-23`." })
  week!: string | null;

  @Field(() => String, { nullable: true, description: "The month: `2026-11`." })
  month!: string | null;

  @Field(() => Int, { nullable: true, description: "The coupon; null also for codes that no coupon has." })
  couponId!: number | null;

  @Field(() => Int, { nullable: true, description: "The campaign; null also for coupons of none." })
  campaignId!: number | null;

  @Field(() => Int, { nullable: true, description: "The branch; null also for orders of none." })
  branchId!: number | null;

  @Field(() => Int, { nullable: true, description: "The shop; null also for orders of none." })
  branchGroupId!: number | null;

  @Field(() => Int, { nullable: true, description: "The client; null also for uses of none." })
  clientId!: number | null;

  @Field(() => CouponTypeEnum, { nullable: true, description: "The kind of coupon." })
  type!: string | null;

  @Field(() => String, { nullable: true, description: "The currency." })
  currencyIso!: string | null;

  @Field(() => Int, { description: "Uses, those that were given back too." })
  uses!: number;

  @Field(() => Int, { description: "Those of them that were given back." })
  returned!: number;

  @Field(() => SafeInt, { description: "What they gave, less what was given back, in hundredths." })
  discountE2!: bigint;

  @Field(() => SafeInt, { description: "The part of it that the company bears, in hundredths." })
  companyDiscountE2!: bigint;

  @Field(() => SafeInt, {
    description: "The subtotals of their orders as they were at the use, each order once, in hundredths.",
  })
  subtotalE2!: bigint;

  @Field(() => Int, { description: "Clients who used a coupon." })
  clients!: number;

  @Field(() => Int, { description: "Those of them whose first use of any coupon is among these uses." })
  newClients!: number;

  @Field(() => Int, { description: "Uses and holds that a rule refused; they are kept for 90 days." })
  refusedAttempts!: number;
}
