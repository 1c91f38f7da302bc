import { Args, Ctx, Query, Resolver } from "type-graphql";
import { Open, RequirePermission } from "../../../core/access/access.js";
import { ExpectedWork } from "../../../core/operations/expected-work.js";
import { Company, EntityId } from "../../../core/operations/operation-arguments.js";
import type { OperationContext } from "../../../core/operations/operation-context.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { Good } from "../good.model.js";
import { GoodFacets, GoodFacetsArgs } from "./good-facets.model.js";
import { GoodSearchArgs, GoodSearchConnection } from "./good-search.model.js";
import * as searchService from "./good-search.service.js";

@Resolver(() => Good)
export class GoodSearchResolver {
  @Open()
  @ExpectedWork(5)
  @Query(() => GoodSearchConnection, {
    description: "The company's goods that have all words of `q`, the best first, at most 500.",
  })
  async searchGoods(
    @Company() company: CompanyScope,
    @Args(() => GoodSearchArgs) args: GoodSearchArgs,
    @Ctx() context: OperationContext,
  ) {
    await searchService.assertMayRankFor(context, company.companyId, args);
    return searchService.searchGoods(company, args);
  }

  @Open()
  @ExpectedWork(5)
  @Query(() => GoodFacets, {
    description: "How the goods that `searchGoods` finds are spread over categories, tags and branches.",
  })
  searchFacets(@Company() company: CompanyScope, @Args(() => GoodFacetsArgs) args: GoodFacetsArgs) {
    return searchService.searchFacets(company, args);
  }

  @RequirePermission("access_goods", { orAnyClient: true })
  @ExpectedWork(5)
  @Query(() => GoodSearchConnection, {
    description: "Goods of one shop that have all words of `q`, the best first, at most 500.",
  })
  async searchGoodsOfBranchGroup(
    @Company() company: CompanyScope,
    @EntityId("branchGroupId", "BranchGroup") branchGroupId: number,
    @Args(() => GoodSearchArgs) args: GoodSearchArgs,
    @Ctx() context: OperationContext,
  ) {
    await searchService.assertMayRankFor(context, company.companyId, args);
    return searchService.searchGoodsOfBranchGroup(company, branchGroupId, args);
  }
}
