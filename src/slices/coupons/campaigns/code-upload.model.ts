import { Field, Int, ObjectType } from "type-graphql";
import { defineEnum } from "../../../core/enums.js";
import { UploadedList } from "../../../core/jobs/uploaded-list.model.js";
import { MOST_LINE_ERRORS } from "../../../core/jobs/uploaded-list.sql.js";

export const CodeUploadStatusEnum = defineEnum(
  "CouponCodeUploadStatus",
  ["queued", "running", "finished", "failed"],
  {
    description: "How a list of codes stands.",
    values: {
      queued: "It waits for its turn.",
      running: "Its codes are being added.",
      finished: "All lines are done, be it with errors.",
      failed:
        "The list cannot be read, or its coupon has ended; `message` says why. Codes that were added stay.",
    },
  },
);

@ObjectType({ description: "What is wrong with a line of a list of codes." })
export class CouponCodeUploadError {
  @Field(() => Int, { description: "The line; the first one is 1, and blank ones count." })
  line!: number;

  @Field(() => String, {
    description:
      "`pattern`, `min` or `max` for what is no code; `unique` for a code that is there already, on a line above or " +
      "otherwise.",
  })
  rule!: string;

  @Field(() => String, { description: "What is wrong, in words." })
  message!: string;
}

export const CodeUploadActionEnum = defineEnum("CouponCodeUploadAction", ["add", "void"], {
  description: "What is done with the codes of a list.",
  values: { add: "They become codes of the coupon.", void: "They cannot be used any more." },
});

@ObjectType({ description: "A list of codes that was sent for a coupon." })
export class CouponCodeUpload extends UploadedList {
  @Field(() => Int, { description: "The coupon whose codes they are or become." })
  couponId!: number;

  @Field(() => CodeUploadActionEnum, { description: "What is done with its codes." })
  action!: string;

  @Field(() => CodeUploadStatusEnum, { description: "How it stands." })
  status!: string;

  @Field(() => Int, {
    description: "Lines with a code that are done: those added, or voided, and those that failed.",
  })
  total!: number;

  @Field(() => Int, { description: "Codes that were added to the coupon, or that are voided." })
  added!: number;

  @Field(() => Int, { description: "Lines with something wrong, whose code was not added, or not voided." })
  failed!: number;

  @Field(() => [CouponCodeUploadError], {
    description: `What is wrong with lines, in their order; at most ${MOST_LINE_ERRORS} of them.`,
  })
  errors!: CouponCodeUploadError[];
}
