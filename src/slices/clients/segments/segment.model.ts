import { Field, Int, ObjectType } from "type-graphql";
import { defineEnum } from "../../../core/enums.js";
import { defineList } from "../../../core/lists/list-definition.js";
import { NAMED_FIELDS, NamedRow } from "../../../core/resources/resource-row.js";
import { UploadedList } from "../../../core/jobs/uploaded-list.model.js";
import { MOST_LINE_ERRORS } from "../../../core/jobs/uploaded-list.sql.js";
import { Json } from "../../../core/scalars/json.js";

@ObjectType({
  description:
    "Clients for whom coupons are, or are not: those on its list, and those whom its filter fits when asked.",
})
export class ClientSegment extends NamedRow {
  @Field(() => Json, {
    nullable: true,
    description:
      "The filter, as `clients` takes it; it is judged anew each time. Null: its list alone counts.",
  })
  filter!: unknown;

  @Field(() => Int, { description: "How many clients are on its list; deleted ones are counted." })
  listedCount!: number;
}

export const clientSegmentList = defineList(ClientSegment, "ClientSegment", { ...NAMED_FIELDS });

export const SegmentUploadStatusEnum = defineEnum(
  "ClientSegmentUploadStatus",
  ["queued", "running", "finished", "failed"],
  {
    description: "How a list of clients stands.",
    values: {
      queued: "It waits for its turn.",
      running: "Its clients are being added.",
      finished: "All lines are done, be it with errors.",
      failed: "The list cannot be read; `message` says why. Clients that were added stay.",
    },
  },
);

@ObjectType({ description: "What is wrong with a line of a list of clients." })
export class ClientSegmentUploadError {
  @Field(() => Int, { description: "The line, the header being 1." })
  line!: number;

  @Field(() => String, {
    description: "The rule: `pattern` for what is no id, `exists` for an id of no client.",
  })
  rule!: string;

  @Field(() => String, { description: "What is wrong, in words." })
  message!: string;
}

@ObjectType({ description: "A list of clients that was sent for a segment." })
export class ClientSegmentUpload extends UploadedList {
  @Field(() => Int, { description: "The segment on whose list they come." })
  segmentId!: number;

  @Field(() => SegmentUploadStatusEnum, { description: "How it stands." })
  status!: string;

  @Field(() => Int, {
    description: "Lines that are done: those whose client is on the list now, and those that failed.",
  })
  total!: number;

  @Field(() => Int, {
    description: "Clients that were added to the list; those who were on it are not counted.",
  })
  added!: number;

  @Field(() => Int, { description: "Lines with something wrong." })
  failed!: number;

  @Field(() => [ClientSegmentUploadError], {
    description: `What is wrong with lines, in their order; at most ${MOST_LINE_ERRORS} of them.`,
  })
  errors!: ClientSegmentUploadError[];
}
