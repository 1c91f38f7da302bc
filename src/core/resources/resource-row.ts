import { Field, Int, ObjectType } from "type-graphql";
import { DateTime } from "../scalars/date-time.js";

/** Fields that every plain resource has. It is no type of the schema by itself. */
@ObjectType({ description: "What every plain resource has." })
export abstract class ResourceRow {
  @Field(() => Int, { description: "Identifier, unique among all of its type in all companies." })
  id!: number;

  companyId!: number;

  @Field(() => DateTime, { description: "When it was created." })
  createdAt!: Date;

  @Field(() => DateTime, { description: "When it last changed." })
  updatedAt!: Date;

  @Field(() => Int, { description: "1 at first, one more after each change." })
  version!: number;
}

/** Fields of a plain resource with a name. */
@ObjectType({ description: "What every plain resource with a name has." })
export abstract class NamedRow extends ResourceRow {
  @Field(() => String, { description: "Name." })
  name!: string;
}

/** Fields by which lists of named resources can be filtered and ordered; each is backed by an index. */
export const NAMED_FIELDS = {
  name: { kind: "text" },
  createdAt: { kind: "dateTime" },
} as const;
