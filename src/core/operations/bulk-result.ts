import { Field, Int, ObjectType } from "type-graphql";

@ObjectType({ description: "The refusal of one row, as its own operation would have answered it." })
export class BulkError {
  @Field(() => String, { description: "Code of the refusal, such as `NOT_FOUND`." })
  code!: string;

  @Field(() => String, { description: "The refusal in words." })
  message!: string;

  @Field(() => String, {
    nullable: true,
    description: "The first wrong field; null unless it was a field that was wrong.",
  })
  field!: string | null;

  @Field(() => String, { nullable: true, description: "The same as REST writes it, such as `price_e2`." })
  key!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "Where the row stands, with `INVALID_STATE`, if it has a status.",
  })
  state!: string | null;

  @Field(() => [String], { nullable: true, description: "What its state allows, beside `state`." })
  allowedActions!: readonly string[] | null;
}

@ObjectType({ description: "The result of a bulk operation for one row." })
export class BulkResult {
  @Field(() => Int, { description: "The id that was sent." })
  id!: number;

  @Field(() => Boolean, { description: "Whether it was done." })
  ok!: boolean;

  @Field(() => BulkError, { nullable: true, description: "Why it was not done; null when it was." })
  error!: BulkError | null;
}
