import { Field, ObjectType } from "type-graphql";
import { BulkError } from "../../../core/operations/bulk-result.js";
import { CouponCode } from "../codes/coupon-code.model.js";

/** At most so many codes are voided at once. */
export const MOST_VOIDED = 200;

@ObjectType({ description: "What became of a code that was to be voided." })
export class VoidedCouponCode {
  @Field(() => String, { description: "The code as it was sent." })
  code!: string;

  @Field(() => Boolean, { description: "Whether it is voided now." })
  ok!: boolean;

  @Field(() => CouponCode, {
    nullable: true,
    description: "The code as it is now; null when it was refused.",
  })
  couponCode!: CouponCode | null;

  @Field(() => BulkError, { nullable: true, description: "Why it was not voided; null when it was." })
  error!: BulkError | null;
}
