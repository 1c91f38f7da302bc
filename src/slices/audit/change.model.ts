import { ArgsType, Extensions, Field, InputType, Int, ObjectType } from "type-graphql";
import { defineEnum } from "../../core/enums.js";
import type { JsonSchema } from "../../core/inputs/json-schema.js";
import { PageInfo } from "../../core/lists/connection.js";
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from "../../core/lists/list-page.js";
import { FOLLOWED_MODELS, targetTypeOf } from "../../core/operations/audited-models.js";
import type { ModelName } from "../../core/scope/tenant-models.js";
import { DateTime } from "../../core/scalars/date-time.js";
import { SafeInt } from "../../core/scalars/safe-int.js";
import { PrincipalKindEnum } from "../auth/auth.model.js";

export const ChangeActionEnum = defineEnum("ChangeAction", ["created", "updated", "deleted", "restored"], {
  description: "What became of a row.",
  values: {
    created: "It was created.",
    updated: "It, or a part of it, was changed.",
    deleted: "It was deleted, for good or softly.",
    restored: "It was restored.",
  },
});

@ObjectType({ description: "A change of a row, as the journal has it." })
export class Change {
  @Field(() => SafeInt, { description: "Identifier, unique among all changes of all companies." })
  id!: bigint;

  @Field(() => String, { description: "Opaque place of the change in the journal, for `after`." })
  cursor!: string;

  @Field(() => String, { description: "Type of the row, such as `Good`." })
  type!: string;

  @Field(() => ChangeActionEnum, { description: "What became of the row." })
  action!: string;

  @Field(() => SafeInt, { description: "Id of the row." })
  entityId!: bigint;

  @Field(() => [String], {
    description:
      "The fields that changed, such as `priceE2`, and `branchGoods` when parts did; none of a row that was created, deleted or " +
      "restored. Of an `Admin` also what its person should hear of: `password`; `secondFactor` when one was confirmed or taken away; " +
      "`devices` when it has signed in where it was not known; `lockOut` when its attempts to sign in are used up. The last two " +
      "change nothing of the row, and move no `version`.",
  })
  fields!: string[];

  @Field(() => DateTime, { description: "When it was written; later ones may have been committed before." })
  at!: Date;

  @Field(() => String, {
    nullable: true,
    description: "The request, as in its answer's header `X-Request-Id`; null for jobs.",
  })
  requestId!: string | null;

  @Field(() => PrincipalKindEnum, {
    nullable: true,
    description: "Who acted; null for jobs, imports, and somebody without a token.",
  })
  actorKind!: keyof typeof PrincipalKindEnum | null;

  @Field(() => Int, { nullable: true, description: "Id of the admin, client or key that acted." })
  actorId!: number | null;
}

@ObjectType({ description: "A change, and its place in the journal." })
export class ChangeEdge {
  @Field(() => String, { description: "Opaque place of this change in the journal, for `after`." })
  cursor!: string;

  @Field(() => Change, { description: "The change." })
  node!: Change;
}

@ObjectType({ description: "Changes in the order in which they were committed." })
export class ChangeConnection {
  @Field(() => [ChangeEdge], { description: "The changes with their cursors." })
  edges!: ChangeEdge[];

  @Field(() => [Change], { description: "The changes." })
  nodes!: Change[];

  @Field(() => [String], {
    description:
      "The types whose changes the page may have: those that were asked for and that the caller may read.",
  })
  types!: string[];

  @Field(() => PageInfo, {
    description:
      "Where the page ends. `endCursor` is there even of an empty page: the place up to which the journal has been read, for " +
      "`after` of the next one.",
  })
  pageInfo!: PageInfo;
}

const MOST_TYPES = FOLLOWED_MODELS.length;

/** The types by their names: those of GraphQL, and in snake_case as REST writes names. */
export const TYPES: ReadonlyMap<string, ModelName> = new Map(
  FOLLOWED_MODELS.flatMap((model) => [
    [model, model],
    [targetTypeOf(model), model],
  ]),
);
const TYPE_SCHEMA: JsonSchema = {
  known: { names: [...TYPES.keys()], what: "type whose changes are kept" },
};

@InputType({ description: "Which changes; all conditions must hold." })
export class ChangeFilterInput {
  @Extensions({ jsonSchema: { nullable: true, maxItems: MOST_TYPES, items: TYPE_SCHEMA } })
  @Field(() => [String], {
    nullable: true,
    description:
      "Only changes of rows of these types, such as `Good`, also in snake_case; all that the caller may read when absent or empty.",
  })
  types?: string[] | null;

  @Extensions({ jsonSchema: { nullable: true, maxItems: 4 } })
  @Field(() => [ChangeActionEnum], {
    nullable: true,
    description: "Only these actions; all when absent or empty.",
  })
  actions?: string[] | null;
}

@ArgsType()
export class ChangesArgs {
  @Extensions({ jsonSchema: { nullable: true, maxLength: 4_000 } })
  @Field(() => String, {
    nullable: true,
    description:
      "The cursor behind which to begin, or `now`; from the oldest change that is kept when absent.",
  })
  after?: string | null;

  @Extensions({ jsonSchema: { nullable: true, minimum: 1, maximum: MAX_PAGE_SIZE } })
  @Field(() => Int, {
    nullable: true,
    description: `How many changes at most, 1 to ${MAX_PAGE_SIZE}; ${DEFAULT_PAGE_SIZE} when absent.`,
  })
  first?: number | null;

  @Field(() => ChangeFilterInput, { nullable: true, description: "Which changes; all when absent." })
  filter?: ChangeFilterInput | null;
}
