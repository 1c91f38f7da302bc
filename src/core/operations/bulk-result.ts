import { Field, Int, ObjectType } from "type-graphql";
import { lowerFirst } from "../names.js";

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

@ObjectType({
  description:
    "The result of a bulk operation for one row. It carries the row as it is then, in the field that is named after its type.",
})
export class BulkResult {
  @Field(() => Int, { description: "The id that was sent." })
  id!: number;

  @Field(() => Boolean, { description: "Whether it was done." })
  ok!: boolean;

  @Field(() => BulkError, { nullable: true, description: "Why it was not done; null when it was." })
  error!: BulkError | null;
}

/** What came of one row: what was written, or why nothing was. */
export interface BulkOutcome extends BulkResult {
  readonly row: object | null;
}

const ROW_FIELDS = new Map<new () => object, string>();

/** What results call a row of a type: they have a field for each type that bulk operations are about. */
export function bulkRowField(type: new () => object): string {
  const known = ROW_FIELDS.get(type);
  if (known !== undefined) return known;
  const field = lowerFirst(type.name);
  Field(() => type, {
    nullable: true,
    description:
      "The row, as the operation on it alone would have answered it; null where it was refused or is of another type.",
  })(BulkResult.prototype, field);
  ROW_FIELDS.set(type, field);
  return field;
}
