import { ArgsType, Extensions, Field, Int, ObjectType } from "type-graphql";
import { ChecksList, type Filter } from "../../../core/lists/list-definition.js";
import { goodList } from "../good.model.js";
import { MOST_FOUND } from "./good-search.rules.js";

/** So many are answered of a kind. */
export const MOST_FACETS = 100;

@ObjectType({ description: "What some of the goods found have in common." })
export class GoodFacet {
  @Field(() => Int, { description: "The id of the category, tag or branch." })
  id!: number;

  @Field(() => String, { description: "Its name." })
  name!: string;

  @Field(() => Int, { description: `Of how many of the goods found, at most ${MOST_FOUND}.` })
  count!: number;
}

const most = `those with the most goods first, at most ${MOST_FACETS}`;

@ObjectType({ description: "How the goods that a search finds are spread." })
export class GoodFacets {
  @Field(() => [GoodFacet], { description: `By the categories that they are in, ${most}.` })
  categories!: readonly GoodFacet[];

  @Field(() => [GoodFacet], { description: `By their tags, ${most}.` })
  tags!: readonly GoodFacet[];

  @Field(() => [GoodFacet], { description: `By the enabled branches that sell them, ${most}.` })
  branches!: readonly GoodFacet[];
}

@ArgsType()
export class GoodFacetsArgs {
  @Extensions({ jsonSchema: { minLength: 1, maxLength: 200 } })
  @Field(() => String, { description: "The words to look for, as a search takes them." })
  q!: string;

  @Field(() => Int, { nullable: true, description: "Only goods of this category and of those below it." })
  categoryId?: number | null;

  @ChecksList({ fields: goodList.fields })
  @Field(goodList.Filter as () => typeof String, {
    nullable: true,
    description: "Which of the goods; all when absent.",
  })
  filter?: Filter | null;
}
