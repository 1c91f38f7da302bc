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
      "Number of the client's draw in the event, from 1; null when the client had won before, and so drew none.",
  })
  drawNumber!: number | null;

  @Field(() => String, {
    description:
      "SHA-256 of the event's secret seed: after the seed is revealed, everybody can repeat the draw.",
  })
  seedHash!: string;
}
