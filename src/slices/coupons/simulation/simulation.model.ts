import { Field, Int, ObjectType } from "type-graphql";
import { defineEnum } from "../../../core/enums.js";
import { DateTime } from "../../../core/scalars/date-time.js";
import { CouponStats } from "../stats/coupon-stats.model.js";

/** So many orders are simulated while the caller waits; more are left to a job. */
export const MOST_AT_ONCE = 10_000;
/** At most so many orders are simulated by a job: one process keeps a count for each of their clients. */
export const MOST_ORDERS = 1_000_000;
/** So many simulations of a company wait or run at a time. */
export const MOST_WAITING = 5;

export const SimulationStatusEnum = defineEnum(
  "CouponSimulationStatus",
  ["queued", "running", "finished", "failed"],
  {
    description: "How a simulation stands.",
    values: {
      queued: "It waits for its turn.",
      running: "Its orders are being judged.",
      finished: "`sums` has the answer.",
      failed: "It makes too many rows; `message` says so.",
    },
  },
);

@ObjectType({ description: "What a draft of a coupon would have given for the orders of a time." })
export class CouponSimulation {
  @Field(() => Int, { description: "Identifier, unique among all of its type in all companies." })
  id!: number;

  companyId!: number;

  @Field(() => SimulationStatusEnum, { description: "How it stands." })
  status!: string;

  @Field(() => String, { nullable: true, description: "Why it failed; null unless it did." })
  message!: string | null;

  @Field(() => Int, { description: "Orders that are judged." })
  done!: number;

  @Field(() => Int, { description: "Orders of the time when it was asked for." })
  total!: number;

  @Field(() => [CouponStats], {
    nullable: true,
    description: "The sums, as `simulateCoupon` answers them; null until it is finished.",
  })
  sums!: CouponStats[] | null;

  @Field(() => DateTime, { nullable: true, description: "When it ended." })
  finishedAt!: Date | null;

  @Field(() => DateTime, { description: "When it was asked for." })
  createdAt!: Date;
}
