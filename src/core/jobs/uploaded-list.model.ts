import { Field, Int, ObjectType } from "type-graphql";
import { DateTime } from "../scalars/date-time.js";

/** What uploaded lists of lines have in common. Each says itself what its lines are, and how they stand. */
@ObjectType()
export abstract class UploadedList {
  @Field(() => Int, { description: "Identifier, unique among all of its type in all companies." })
  id!: number;

  companyId!: number;

  @Field(() => String, { nullable: true, description: "Why it failed; null unless it did." })
  message!: string | null;

  @Field(() => String, { description: "Name of the file as its sender called it." })
  fileName!: string;

  @Field(() => DateTime, { nullable: true, description: "When it ended." })
  finishedAt!: Date | null;

  @Field(() => DateTime, { description: "When it was sent." })
  createdAt!: Date;
}
