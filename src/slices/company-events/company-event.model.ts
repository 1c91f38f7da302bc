import { Field, Float, Int, ObjectType } from "type-graphql";
import { defineEnum } from "../../core/enums.js";
import { ToMany } from "../../core/relations/relations.js";
import { defineList } from "../../core/lists/list-definition.js";
import { DateTime } from "../../core/scalars/date-time.js";
import { SafeInt } from "../../core/scalars/safe-int.js";
import { CouponBaseEnum } from "../coupons/coupon-base.model.js";
import { COMPANY_EVENT_ACTIONS, COMPANY_EVENT_STATUSES } from "./company-event-actions.rules.js";

export const CompanyEventActionEnum = defineEnum("CompanyEventAction", COMPANY_EVENT_ACTIONS, {
  description: "What can be done with an event.",
  values: {
    update: "`updateCompanyEvent`: while it is pending.",
    set_ready: "`setCompanyEventReady`: once, from pending.",
    set_finished: "`setCompanyEventFinished`: while it runs.",
  },
});

export const CompanyEventStatusEnum = defineEnum("CompanyEventStatus", COMPANY_EVENT_STATUSES, {
  description: "Where an event stands, by its exact times.",
  values: {
    pending: "It can be changed and set ready.",
    ready: "It waits for its start.",
    running: "Clients can shake and win.",
    finished: "It is over; its seed is shown.",
  },
});

export const CompanyEventTypeEnum = defineEnum("CompanyEventType", ["coupon_gen"], {
  description: "Kinds of events.",
  values: { coupon_gen: "A coupon drop: clients shake and win coupons." },
});

@ObjectType({ description: "A kind of coupon that can be won in an event, and how likely." })
export class CompanyEventCouponSeed {
  @Field(() => Int, { description: "How many of these coupons there are." })
  maxCount!: number;

  @Field(() => Int, { description: "One draw in so many wins it." })
  winRate!: number;

  @Field(() => SafeInt, { nullable: true, description: "Flat discount of the coupon, in hundredths." })
  couponValueE2!: number | null;

  @Field(() => Float, { nullable: true, description: "Discount of the coupon as a fraction, 0 to 1." })
  couponValuePrc!: number | null;

  @Field(() => SafeInt, {
    nullable: true,
    description: "Smallest purchase that the coupon is for, in hundredths.",
  })
  couponMinPurchaseE2!: number | null;

  @Field(() => CouponBaseEnum, {
    nullable: true,
    description: "What the discount applies to; null: subtotal.",
  })
  couponAppliesTo!: string | null;

  @Field(() => String, { nullable: true, description: "Said to who wins it; null: what the event says." })
  winnerMessage!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "Said to who shakes again after winning it; null: what the event says.",
  })
  alreadyWonMessage!: string | null;

  @Field(() => DateTime, { nullable: true, description: "From then on it can be won; null: from the start." })
  availableSince!: Date | null;

  @Field(() => DateTime, {
    nullable: true,
    description: "From then on it cannot be won any more; null: until the end.",
  })
  availableUntil!: Date | null;
}

@ObjectType({ description: "What an event gives away and what it says." })
export class CompanyEventConfig {
  @Field(() => [CompanyEventCouponSeed], {
    description:
      "Coupons to be won. A draw tries them in their order; the first hit of which one is left wins.",
  })
  couponSeeds!: CompanyEventCouponSeed[];

  @Field(() => DateTime, {
    nullable: true,
    description: "When the coupons that were won end; nothing can be won from then on. Null: they never end.",
  })
  expiresAt!: Date | null;

  @Field(() => Int, {
    nullable: true,
    description: "Characters of the codes that are won; codes have 5 to 20, 8 when this is null.",
  })
  randomLength!: number | null;

  @Field(() => String, { nullable: true, description: "Said to winners, at most 80 characters." })
  winnerMessage!: string | null;

  @Field(() => String, { nullable: true, description: "Said to who shakes again after a win." })
  alreadyWonMessage!: string | null;

  @Field(() => String, { nullable: true, description: "Said to who wins nothing." })
  loserMessage!: string | null;
}

@ObjectType({ description: "How often a coupon seed of an event was won." })
export class CompanyEventPrize {
  companyId!: number;

  @Field(() => Int, { description: "Its place among the event's coupon seeds, from 0." })
  place!: number;

  @Field(() => Int, { description: "How many coupons there are to be won." })
  maxCount!: number;

  @Field(() => Int, { description: "How many were won so far; never more than `maxCount`." })
  wonCount!: number;
}

@ObjectType({
  description:
    "A coupon drop: while it runs, clients shake and win coupons by chance. Every draw follows from a secret seed " +
    "whose hash is shown after the event is set ready and which is shown itself after it is finished.",
})
export class CompanyEvent {
  @Field(() => Int, { description: "Identifier, unique among all of its type in all companies." })
  id!: number;

  companyId!: number;

  @Field(() => String, { description: "Name, at most 64 characters." })
  name!: string;

  @Field(() => CompanyEventTypeEnum, { description: "Kind of event." })
  type!: string;

  @Field(() => DateTime, {
    nullable: true,
    description: "From then on it runs, if it is set ready; null before that: as soon as it is.",
  })
  startsAt!: Date | null;

  @Field(() => DateTime, { nullable: true, description: "When it is finished; null: when somebody says so." })
  endsAt!: Date | null;

  @Field(() => DateTime, { description: "When it was created." })
  createdAt!: Date;

  @Field(() => DateTime, { description: "When it last changed." })
  updatedAt!: Date;

  @Field(() => Int, { description: "1 at first, one more after each change." })
  version!: number;

  @Field(() => DateTime, { nullable: true, description: "When it was deleted." })
  deletedAt!: Date | null;

  @ToMany(() => CompanyEventPrize, {
    model: "CompanyEventPrize",
    foreignKey: "companyEventId",
    order: [{ place: "asc" }],
    area: "company_events",
    description: "How often each coupon seed was won; empty until the event is set ready.",
  })
  prizes!: CompanyEventPrize[];
}

/** A row of events. Its status, config and seed are shown by the moment, not as they are stored. */
export interface CompanyEventRow extends Omit<CompanyEvent, "prizes"> {
  readonly status: string;
  readonly config: unknown;
  readonly seed: Uint8Array | null;
}

export const companyEventList = defineList(CompanyEvent, "CompanyEvent", {
  name: { kind: "text" },
  type: { kind: "enum", enum: CompanyEventTypeEnum, sortable: false },
  status: { kind: "enum", enum: CompanyEventStatusEnum, sortable: false },
  startsAt: { kind: "dateTime", nullable: true },
  endsAt: { kind: "dateTime", nullable: true },
  createdAt: { kind: "dateTime" },
  updatedAt: { kind: "dateTime" },
});
