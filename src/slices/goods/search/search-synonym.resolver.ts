import { Args, ArgsType, Extensions, Field, Mutation, Query, Resolver } from "type-graphql";
import { RequirePermission } from "../../../core/access/access.js";
import { Audited } from "../../../core/operations/audited.js";
import { Company } from "../../../core/operations/operation-arguments.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { MOST_GROUPS, MOST_TEXTS } from "./search-synonyms.rules.js";
import * as synonymService from "./search-synonym.service.js";

const GROUPS = {
  maxItems: MOST_GROUPS,
  items: { minItems: 2, maxItems: MOST_TEXTS, items: { minLength: 1, maxLength: 64 } },
};

@ArgsType()
class SearchSynonymsArgs {
  @Extensions({ jsonSchema: GROUPS })
  @Field((() => [[String]]) as unknown as () => [typeof String], {
    description:
      `The groups, at most ${MOST_GROUPS}: each 2 to ${MOST_TEXTS} texts of at most 64 characters and four words, ` +
      "whatever their case, accents and punctuation. An empty list removes all.",
  })
  groups!: string[][];
}

@Resolver()
export class SearchSynonymResolver {
  @RequirePermission("access_goods")
  @Query((() => [[String]]) as unknown as () => [typeof String], {
    description: "The company's groups of words and phrases that mean the same to searches of goods.",
  })
  searchSynonyms(@Company() company: CompanyScope): Promise<string[][]> {
    return synonymService.searchSynonyms(company);
  }

  @RequirePermission("can_edit_goods")
  @Audited()
  @Mutation((() => [[String]]) as unknown as () => [typeof String], {
    description:
      "Makes these the only groups of words and phrases that mean the same: a search for one of a group finds goods with any of them.",
  })
  setSearchSynonyms(
    @Company() company: CompanyScope,
    @Args(() => SearchSynonymsArgs) { groups }: SearchSynonymsArgs,
  ): Promise<string[][]> {
    return synonymService.setSearchSynonyms(company, groups);
  }
}
