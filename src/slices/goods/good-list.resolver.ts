import { Args, Int, Query, Resolver } from "type-graphql";
import { Open, RequirePermission } from "../../core/access/access.js";
import type { Connection } from "../../core/lists/connection.js";
import { Company, EntityId, Offset, WithDeleted } from "../../core/operations/operation-arguments.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { Provider } from "../providers/provider.model.js";
import { type BranchGood, branchGoodList } from "./branch-good.model.js";
import { Good, goodList } from "./good.model.js";
import * as goodListService from "./good-list.service.js";
import { SharedSku } from "./shared-sku.model.js";

const { Args: GoodsArgs, Connection: GoodConnection } = goodList;
type GoodsArgs = InstanceType<typeof GoodsArgs>;
const { Connection: BranchGoodConnection } = branchGoodList;

@Resolver(() => Good)
export class GoodListResolver {
  @RequirePermission("access_goods")
  @Query(() => GoodConnection, {
    description: "Goods of the branch's shop, and other goods that the branch sells.",
  })
  goodsOfBranch(
    @Company() company: CompanyScope,
    @EntityId("branchId", "Branch") branchId: number,
    @Args(() => GoodsArgs) args: GoodsArgs,
  ) {
    return goodListService.listGoodsOfBranch(company, branchId, args);
  }

  @RequirePermission("access_goods")
  @Query(() => BranchGoodConnection, {
    description:
      "Goods of the branch's shop that the branch sells, each as it sells it: what an import at the branch changes. " +
      "Filter and order are those of goods.",
  })
  goodsOnSale(
    @Company() company: CompanyScope,
    @EntityId("branchId", "Branch") branchId: number,
    @Args(() => GoodsArgs) args: GoodsArgs,
  ): Promise<Connection<BranchGood>> {
    return goodListService.listGoodsOnSale(company, branchId, args);
  }

  @RequirePermission("access_goods")
  @Query(() => GoodConnection, { description: "Goods of one shop." })
  goodsOfBranchGroup(
    @Company() company: CompanyScope,
    @EntityId("branchGroupId", "BranchGroup") branchGroupId: number,
    @Args(() => GoodsArgs) args: GoodsArgs,
  ) {
    return goodListService.listGoodsOfBranchGroup(company, branchGroupId, args);
  }

  @RequirePermission("access_goods")
  @Query(() => GoodConnection, { description: "Goods of a category among those of a branch." })
  goodsOfCategory(
    @Company() company: CompanyScope,
    @EntityId("branchId", "Branch") branchId: number,
    @EntityId("categoryId", "Category") categoryId: number,
    @Args(() => GoodsArgs) args: GoodsArgs,
  ) {
    return goodListService.listGoodsOfCategory(company, branchId, categoryId, args);
  }

  @RequirePermission("access_goods")
  @Query(() => [Good], { description: "All goods that carry a tag, newest first, at most 10,000." })
  goodsOfTag(
    @Company() company: CompanyScope,
    @EntityId("goodTagId", "GoodTag") goodTagId: number,
    @WithDeleted("goods") withDeleted: boolean,
    @Offset() offset: number,
  ) {
    return goodListService.listGoodsOfTag(company, goodTagId, { withDeleted, offset });
  }

  @RequirePermission("access_goods")
  @Query(() => Int, { description: "How many goods carry a tag." })
  goodsOfTagCount(
    @Company() company: CompanyScope,
    @EntityId("goodTagId", "GoodTag") goodTagId: number,
    @WithDeleted("goods") withDeleted: boolean,
  ) {
    return goodListService.goodsOfTagCount(company, goodTagId, withDeleted);
  }

  @RequirePermission("access_goods")
  @Query(() => [SharedSku], {
    description:
      "Skus that several goods of one shop have, at most 10,000. An import refuses rows with such a sku, and no others.",
  })
  sharedSkus(@Company() company: CompanyScope, @Offset() offset: number) {
    return goodListService.listSharedSkus(company, offset);
  }

  @Open()
  @Query(() => GoodConnection, { description: "Goods of one good type." })
  goodsOfType(
    @Company() company: CompanyScope,
    @EntityId("goodTypeId", "GoodType") goodTypeId: number,
    @Args(() => GoodsArgs) args: GoodsArgs,
  ) {
    return goodListService.listGoodsOfType(company, goodTypeId, args);
  }

  @RequirePermission("access_goods")
  @Query(() => [Provider], {
    description: "Enabled providers of the good's shop; none for a good of the whole company.",
  })
  allowedProviders(
    @Company() company: CompanyScope,
    @EntityId("goodId", "Good") goodId: number,
    @Offset() offset: number,
  ) {
    return goodListService.listAllowedProviders(company, goodId, offset);
  }

  @RequirePermission("access_goods")
  @Query(() => Int, { description: "How many enabled providers the good's shop has." })
  allowedProvidersCount(@Company() company: CompanyScope, @EntityId("goodId", "Good") goodId: number) {
    return goodListService.allowedProvidersCount(company, goodId);
  }
}
