import { Field, Int, ObjectType } from "type-graphql";
import { Coupon } from "../coupons/coupon.model.js";

@ObjectType({ description: "What a client's shake brought." })
export class Shake {
  @Field(() => Boolean, { description: "Whether this shake won." })
  won!: boolean;

  @Field(() => String, { nullable: true, description: "What the event says to it; null: nothing." })
  message!: string | null;

  @Field(() => Coupon, {
    nullable: true,
    description: "The coupon that was won: for this client alone, once.",
  })
  coupon!: Coupon | null;

  @Field(() => String, { nullable: true, description: "The coupon's code." })
  code!: string | null;

  @Field(() => Int, { description: "The event." })
  companyEventId!: number;

  @Field(() => Int, {
    nullable: true,
    description:
      "The client's how-manieth draw of the event it was, from 1; null for who had won before and drew none.",
  })
  drawNumber!: number | null;

  @Field(() => String, {
    description:
      "SHA-256 of the event's secret seed: with the seed, once revealed, the draw can be done over again.",
  })
  seedHash!: string;
}
