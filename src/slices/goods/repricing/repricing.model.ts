import { Field, Int, ObjectType } from "type-graphql";
import { defineEnum } from "../../../core/enums.js";
import { DateTime } from "../../../core/scalars/date-time.js";
import { SafeInt } from "../../../core/scalars/safe-int.js";

/** So many changes of a company wait or run at a time. */
export const MOST_WAITING = 5;
/** A preview has at most so many goods on a page. */
export const MOST_PREVIEWED = 1_000;

export const RepricingStatusEnum = defineEnum("GoodRepricingStatus", ["queued", "running", "finished"], {
  description: "How a change of many prices stands.",
  values: {
    queued: "It waits for its turn.",
    running: "Some goods have their new price.",
    finished: "All goods have it.",
  },
});

@ObjectType({ description: "A change of the prices of many goods, which a job makes." })
export class GoodRepricing {
  @Field(() => Int, { description: "Identifier, unique among all of its type in all companies." })
  id!: number;

  companyId!: number;

  @Field(() => RepricingStatusEnum, { description: "How it stands." })
  status!: string;

  @Field(() => Int, { description: "Goods that fitted the filter when it was asked for." })
  total!: number;

  @Field(() => Int, { description: "Goods that it has looked at." })
  done!: number;

  @Field(() => Int, { description: "Goods of these whose price it has changed." })
  changed!: number;

  @Field(() => Int, {
    description: "Goods of these whose price stayed, since it would be below 0 or too large.",
  })
  kept!: number;

  @Field(() => DateTime, { nullable: true, description: "When it ended." })
  finishedAt!: Date | null;

  @Field(() => DateTime, { description: "When it was asked for." })
  createdAt!: Date;
}

@ObjectType({ description: "A good with its price before and after a change." })
export class RepricedGood {
  @Field(() => Int, { description: "The good." })
  goodId!: number;

  @Field(() => String, { description: "Its name." })
  name!: string;

  @Field(() => SafeInt, { description: "Its price now, in hundredths." })
  beforeE2!: bigint;

  @Field(() => SafeInt, {
    nullable: true,
    description:
      "The price after the change, in hundredths; null where it would be below 0 or too large, so that it stays.",
  })
  afterE2!: bigint | null;
}

@ObjectType({ description: "What a change of many prices would do." })
export class RepricingPreview {
  @Field(() => Int, { description: "How many goods fit the filter." })
  total!: number;

  @Field(() => [RepricedGood], { description: "A page of these goods, in the order of their ids." })
  goods!: readonly RepricedGood[];

  @Field(() => Int, {
    nullable: true,
    description: "For `afterGoodId` of the next page; null on the last one.",
  })
  nextAfterGoodId!: number | null;
}
