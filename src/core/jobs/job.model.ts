import { Field, Int, ObjectType, registerEnumType } from "type-graphql";
import { JOB_STATES, type JobState } from "./followed-job.js";

export const JobStateEnum = { ...JOB_STATES };
registerEnumType(JobStateEnum, {
  name: "JobState",
  description: "How a job stands.",
  valuesConfig: {
    running: { description: "It waits for its turn or is being done." },
    done: { description: "It is finished." },
    failed: { description: "It was given up; an operator can start it again." },
  },
});

@ObjectType({ description: "Work that goes on after the answer to the request that began it." })
export class Job {
  @Field(() => String, {
    description: "Identifier, such as `coupon-codes-7`; the same as long as the row is there.",
  })
  id!: string;

  @Field(() => JobStateEnum, { description: "How it stands." })
  state!: JobState;

  @Field(() => Int, { description: "How many of `total` parts are done." })
  done!: number;

  @Field(() => Int, {
    nullable: true,
    description:
      "How many parts there are; null until it is known, such as while the rows of a file are read. It never falls.",
  })
  total!: number | null;
}
