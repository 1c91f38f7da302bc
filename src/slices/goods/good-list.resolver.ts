import { Arg, Args, Ctx, Query, Resolver } from "type-graphql";
import type { RequestContext } from "../../engine/request/run.js";
import { Open, RequirePermission } from "../../core/access/access.js";
import { assertMaySeeDeleted } from "../../core/access/deleted-rows.js";
import { Company, EntityId } from "../../core/operations/operation-arguments.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { Provider } from "../providers/provider.model.js";
import { Good, goodList } from "./good.model.js";
import * as goodListService from "./good-list.service.js";

const { Args: GoodsArgs, Connection: GoodConnection } = goodList;
type GoodsArgs = InstanceType<typeof GoodsArgs>;

@Resolver(() => Good)
export class GoodListResolver {
  @Open()
  @Query(() => GoodConnection, { description: "The company's goods, newest first unless ordered." })
  async goods(
    @Company() company: CompanyScope,
    @Args(() => GoodsArgs) args: GoodsArgs,
    @Ctx() context: RequestContext,
  ) {
    await assertMaySeeDeleted(context, company.companyId, "goods", args.withDeleted);
    return goodListService.listGoods(company, args);
  }

  @RequirePermission("access_goods")
  @Query(() => GoodConnection, {
    description: "Goods of the branch's shop, and other goods that the branch sells.",
  })
  async goodsOfBranch(
    @Company() company: CompanyScope,
    @EntityId("branchId", "Branch") branchId: number,
    @Args(() => GoodsArgs) args: GoodsArgs,
    @Ctx() context: RequestContext,
  ) {
    await assertMaySeeDeleted(context, company.companyId, "goods", args.withDeleted);
    return goodListService.listGoodsOfBranch(company, branchId, args);
  }

  @RequirePermission("access_goods")
  @Query(() => GoodConnection, { description: "Goods of one shop." })
  async goodsOfBranchGroup(
    @Company() company: CompanyScope,
    @EntityId("branchGroupId", "BranchGroup") branchGroupId: number,
    @Args(() => GoodsArgs) args: GoodsArgs,
    @Ctx() context: RequestContext,
  ) {
    await assertMaySeeDeleted(context, company.companyId, "goods", args.withDeleted);
    return goodListService.listGoodsOfBranchGroup(company, branchGroupId, args);
  }

  @RequirePermission("access_goods")
  @Query(() => GoodConnection, { description: "Goods of a category among those of a branch." })
  async goodsOfCategory(
    @Company() company: CompanyScope,
    @EntityId("branchId", "Branch") branchId: number,
    @EntityId("categoryId", "Category") categoryId: number,
    @Args(() => GoodsArgs) args: GoodsArgs,
    @Ctx() context: RequestContext,
  ) {
    await assertMaySeeDeleted(context, company.companyId, "goods", args.withDeleted);
    return goodListService.listGoodsOfCategory(company, branchId, categoryId, args);
  }

  @RequirePermission("access_goods")
  @Query(() => [Good], { description: "All goods that carry a tag, newest first, at most 10,000." })
  async goodsOfTag(
    @Company() company: CompanyScope,
    @EntityId("goodTagId", "GoodTag") goodTagId: number,
    @Arg("withDeleted", () => Boolean, {
      nullable: true,
      description: "Also deleted ones; for admins who may see or edit goods.",
    })
    withDeleted: boolean | null | undefined,
    @Ctx() context: RequestContext,
  ) {
    await assertMaySeeDeleted(context, company.companyId, "goods", withDeleted);
    return goodListService.listGoodsOfTag(company, goodTagId, withDeleted);
  }

  @Open()
  @Query(() => GoodConnection, { description: "Goods of one good type." })
  async goodsOfType(
    @Company() company: CompanyScope,
    @EntityId("goodTypeId", "GoodType") goodTypeId: number,
    @Args(() => GoodsArgs) args: GoodsArgs,
    @Ctx() context: RequestContext,
  ) {
    await assertMaySeeDeleted(context, company.companyId, "goods", args.withDeleted);
    return goodListService.listGoodsOfType(company, goodTypeId, args);
  }

  @RequirePermission("access_properties")
  @Query(() => GoodConnection, { description: "Goods that have a property." })
  async goodsOfProperty(
    @Company() company: CompanyScope,
    @EntityId("propertyId", "Property") propertyId: number,
    @Args(() => GoodsArgs) args: GoodsArgs,
    @Ctx() context: RequestContext,
  ) {
    await assertMaySeeDeleted(context, company.companyId, "goods", args.withDeleted);
    return goodListService.listGoodsOfProperty(company, propertyId, args);
  }

  @RequirePermission("access_goods")
  @Query(() => [Provider], {
    description: "Enabled providers of the good's shop; none for a good of the whole company.",
  })
  allowedProviders(@Company() company: CompanyScope, @EntityId("goodId", "Good") goodId: number) {
    return goodListService.listAllowedProviders(company, goodId);
  }
}
