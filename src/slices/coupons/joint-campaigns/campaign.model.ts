import { Field, ObjectType } from "type-graphql";
import { defineList } from "../../../core/lists/list-definition.js";
import { ToMany } from "../../../core/relations/relations.js";
import { NAMED_FIELDS, NamedRow } from "../../../core/resources/resource-row.js";
import { DateTime } from "../../../core/scalars/date-time.js";
import { SafeInt } from "../../../core/scalars/safe-int.js";
import { Coupon } from "../coupon.model.js";

/** At most so many coupons run in one campaign. */
export const MOST_COUPONS = 200;

@ObjectType({ description: "Coupons that run together, with one budget over all of them." })
export class Campaign extends NamedRow {
  @Field(() => SafeInt, {
    nullable: true,
    description: "What all uses of its coupons may give together, in hundredths; null: no limit.",
  })
  budgetE2!: bigint | null;

  @Field(() => String, {
    nullable: true,
    description:
      "Currency of its budget, the company's when it was created: with a budget its coupons are for orders of this currency " +
      "alone. Null: the company's of now.",
  })
  currencyIso!: string | null;

  @Field(() => DateTime, {
    nullable: true,
    description: "Since when its coupons are paused together; null when they are not.",
  })
  pausedAt!: Date | null;

  @Field(() => DateTime, { nullable: true, description: "When it was finished; null before that." })
  finishedAt!: Date | null;

  @ToMany(() => Coupon, {
    model: "Coupon",
    foreignKey: "campaignId",
    order: [{ id: "asc" }],
    description: "Its coupons, the oldest first.",
  })
  coupons!: Coupon[];
}

/** A row of campaigns. */
export type CampaignRow = Omit<Campaign, "coupons">;

export const campaignList = defineList(Campaign, "Campaign", { ...NAMED_FIELDS });
