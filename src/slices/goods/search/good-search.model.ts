import { ArgsType, Extensions, Field, Float, Int, ObjectType, type ClassType } from "type-graphql";
import { defineEnum } from "../../../core/enums.js";
import { MAX_INT } from "../../../core/integers.js";
import { connectionOf, type Connection } from "../../../core/lists/connection.js";
import { ChecksList, type Filter, type ListArguments } from "../../../core/lists/list-definition.js";
import { ToOne } from "../../../core/relations/relations.js";
import { Branch } from "../../shops/branch.model.js";
import { Good, goodList } from "../good.model.js";
import { MOST_FOUND, SEARCH_MATCHES } from "./good-search.rules.js";

export const GOOD_SEARCH_MODES = ["goods", "branch"] as const;
export type GoodSearchMode = (typeof GOOD_SEARCH_MODES)[number];

export const GoodSearchModeEnum = defineEnum("GoodSearchMode", GOOD_SEARCH_MODES, {
  description: "What a search of goods lists.",
  values: { goods: "Goods.", branch: "Branches that sell some of the goods, with these." },
});

export const SearchMatchEnum = defineEnum("SearchMatch", SEARCH_MATCHES, {
  description: "Where a good has what was looked for; the first of these that is true.",
  values: {
    code: "The text is its sku or one of its barcodes as a whole.",
    name: "All words are in its name, maybe in another form.",
    side: "All words are in its name and its other texts, maybe in another form.",
    similar: "It has words like them.",
  },
});

@ObjectType({ description: "A branch that sells goods which a search has found." })
export class GoodsAtBranch {
  companyId!: number;

  @Field(() => Int, { description: "The branch." })
  branchId!: number;

  @Field(() => Int, {
    nullable: true,
    description:
      "How far it is from the given position; null without one, and for a branch without coordinates.",
  })
  distanceInMeters!: number | null;

  @Field(() => Int, { description: "How many of the goods found it sells." })
  goodsCount!: number;

  @Field(() => [Good], { description: "The goods found that it sells, the best first, at most 20." })
  goods!: readonly Good[];

  @ToOne(() => Branch, {
    model: "Branch",
    via: "branchId",
    required: true,
    openTo: "readers",
    description: "The branch.",
  })
  branch!: Branch;
}

/** A page of what was found. */
export const GoodSearchConnection = connectionOf(Good, "GoodSearch", (edge) => {
  Field(() => Float, {
    description:
      "How well the good fits: 1 at best; words as written above 0.6, in singular or plural above 0.5, beginnings above 0.4, parts of words above 0.3, like words below.",
  })(edge, "score");
  Field(() => SearchMatchEnum, { description: "Where the good has the words." })(edge, "matched");
}) as ClassType<Connection<Good> & { relaxed: readonly string[] }>;
Field(() => [GoodsAtBranch], {
  nullable: true,
  description: "The branches of the page, in the mode `branch` alone: the page then has no goods of its own.",
})(GoodSearchConnection.prototype, "branches");
Field(() => [String], {
  description:
    "The words of `q` that were left out, since no good has all of them: stop words, and words that no good has.",
})(GoodSearchConnection.prototype, "relaxed");

const bounded = (minimum: number, maximum: number): PropertyDecorator =>
  Extensions({ jsonSchema: { nullable: true, minimum, maximum } });

@ArgsType()
export class GoodSearchArgs implements Omit<ListArguments, "orderBy" | "withDeleted"> {
  @Extensions({ jsonSchema: { minLength: 1, maxLength: 200 } })
  @Field(() => String, {
    description:
      "The words to look for, whatever their case and accents; a good has to have all of them, or all but those that `relaxed` names.",
  })
  q!: string;

  @Field(() => GoodSearchModeEnum, { nullable: true, description: "What is listed; goods when absent." })
  resultsMode?: GoodSearchMode | null;

  @Field(() => Boolean, {
    nullable: true,
    description: "`false`: everything found on one page; `first` and cursors then mean nothing.",
  })
  paginate?: boolean | null;

  @bounded(1, MAX_INT)
  @Field(() => Int, {
    nullable: true,
    description: `How many rows the whole list has at most; never more than ${MOST_FOUND}.`,
  })
  limit?: number | null;

  @bounded(-90_000_000, 90_000_000)
  @Field(() => Int, {
    nullable: true,
    description:
      "Latitude of a position, in millionths of a degree; goes with the longitude. Branches: nearest first.",
  })
  latitudeE6?: number | null;

  @bounded(-180_000_000, 180_000_000)
  @Field(() => Int, { nullable: true, description: "Longitude of the position, in millionths of a degree." })
  longitudeE6?: number | null;

  @Field(() => Int, {
    nullable: true,
    description:
      "A client whose favourites stand before others that fit alike; for that client itself and admins with `access_goods`.",
  })
  clientId?: number | null;

  @Field(() => Int, { nullable: true, description: "Only goods of this category and of those below it." })
  categoryId?: number | null;

  @ChecksList({
    fields: goodList.fields,
    cursors: "GoodSearch",
    isPaged: ({ paginate }) => paginate !== false,
  })
  @Field(goodList.Filter as () => typeof String, {
    nullable: true,
    description: "Which of the goods; all when absent.",
  })
  filter?: Filter | null;

  @Field(() => Int, {
    nullable: true,
    description: "How many rows from the start (or after `after`): 1 to 200, 25 when absent.",
  })
  first?: number | null;

  @Extensions({ jsonSchema: { nullable: true, maxLength: 4_000 } })
  @Field(() => String, { nullable: true, description: "Cursor of the row after which to start." })
  after?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: "How many rows from the end (or before `before`): 1 to 200.",
  })
  last?: number | null;

  @Extensions({ jsonSchema: { nullable: true, maxLength: 4_000 } })
  @Field(() => String, { nullable: true, description: "Cursor of the row before which to end." })
  before?: string | null;

  @Field(() => Int, { nullable: true, description: "How many rows to skip." })
  offset?: number | null;
}
