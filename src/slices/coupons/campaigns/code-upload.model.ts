import { Field, Int, ObjectType } from "type-graphql";
import { defineEnum } from "../../../core/enums.js";
import { LINE_ERRORS_TOLD } from "../../../core/jobs/uploaded-list.sql.js";
import { DateTime } from "../../../core/scalars/date-time.js";

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
export class CouponCodeUpload {
  @Field(() => Int, { description: "Identifier, unique among all of its type in all companies." })
  id!: number;

  companyId!: number;

  @Field(() => Int, { description: "The coupon whose codes they are or become." })
  couponId!: number;

  @Field(() => CodeUploadActionEnum, { description: "What is done with its codes." })
  action!: string;

  @Field(() => CodeUploadStatusEnum, { description: "How it stands." })
  status!: string;

  @Field(() => String, { nullable: true, description: "Why it failed; null unless it did." })
  message!: string | null;

  @Field(() => String, { description: "Name of the file as its sender called it." })
  fileName!: string;

  @Field(() => Int, {
    description: "Lines with a code that are done: those added, or voided, and those that failed.",
  })
  total!: number;

  @Field(() => Int, { description: "Codes that were added to the coupon, or that are voided." })
  added!: number;

  @Field(() => Int, { description: "Lines with something wrong, whose code was not added, or not voided." })
  failed!: number;

  @Field(() => [CouponCodeUploadError], {
    description: `What is wrong with lines, in their order; at most ${LINE_ERRORS_TOLD} of them.`,
  })
  errors!: CouponCodeUploadError[];

  @Field(() => DateTime, { nullable: true, description: "When it ended." })
  finishedAt!: Date | null;

  @Field(() => DateTime, { description: "When it was sent." })
  createdAt!: Date;
}
