import { Args, ArgsType, Extensions, Field, Int, Mutation, Query, Resolver } from "type-graphql";
import { RequirePermission } from "../../../core/access/access.js";
import { Audited } from "../../../core/operations/audited.js";
import { ExpectedWork } from "../../../core/operations/expected-work.js";
import { Company, EntityId, Input } from "../../../core/operations/operation-arguments.js";
import type { Filter } from "../../../core/lists/list-definition.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { goodList } from "../good.model.js";
import { RepriceGoodsInput } from "./repricing.inputs.js";
import { GoodRepricing, MOST_PREVIEWED, MOST_WAITING, RepricingPreview } from "./repricing.model.js";
import * as repricingService from "./repricing.service.js";

const CHANGE = { description: "How the prices change." };

@ArgsType()
class RepricedGoodsArgs {
  @Field(goodList.Filter as () => typeof String, {
    nullable: true,
    description: "Which of the goods; all when absent.",
  })
  filter?: Filter | null;
}

@ArgsType()
class RepricingPreviewArgs extends RepricedGoodsArgs {
  @Extensions({ jsonSchema: { nullable: true, minimum: 1, maximum: MOST_PREVIEWED } })
  @Field(() => Int, {
    nullable: true,
    description: `How many goods a page has: 1 to ${MOST_PREVIEWED}, 100 when absent.`,
  })
  first?: number | null;

  @Extensions({ jsonSchema: { nullable: true, minimum: 0 } })
  @Field(() => Int, { nullable: true, description: "Goods behind this one alone, for the next page." })
  afterGoodId?: number | null;
}

@Resolver()
export class RepricingResolver {
  @RequirePermission("access_goods")
  @ExpectedWork(20)
  @Query(() => RepricingPreview, {
    description:
      "What `repriceGoods` would do by now: goods that fit the filter, with their prices before and after; changes nothing. " +
      "VALIDATION_FAILED as `repriceGoods`; FORBIDDEN for admins who are bound to shops.",
  })
  previewRepricing(
    @Company() company: CompanyScope,
    @Input(() => RepriceGoodsInput, CHANGE) input: RepriceGoodsInput,
    @Args(() => RepricingPreviewArgs) { filter, first, afterGoodId }: RepricingPreviewArgs,
  ): Promise<RepricingPreview> {
    const page = { first: first ?? 100, afterGoodId: afterGoodId ?? 0 };
    return repricingService.previewRepricing(company, filter ?? null, input, page);
  }

  @RequirePermission("can_edit_goods")
  @Audited()
  @ExpectedWork(20)
  @Mutation(() => GoodRepricing, {
    description:
      "Changes the prices of the goods that fit a filter, by a job: `goodRepricing` says how it stands, and `job` how far " +
      "`repricing-7` has come. Each price is worked out exactly from the one that the good has when its turn comes, and rounded " +
      "once, a half up; one that would be below 0 or too large stays. Goods that are made later, and prices of branches, are left alone. " +
      `VALIDATION_FAILED without \`percent\` and \`amountE2\`, and with both; RATE_LIMITED when ${MOST_WAITING} changes of the company wait or run already; FORBIDDEN for admins who are bound to shops, since the job goes by goods of all.`,
  })
  repriceGoods(
    @Company() company: CompanyScope,
    @Input(() => RepriceGoodsInput, CHANGE) input: RepriceGoodsInput,
    @Args(() => RepricedGoodsArgs) { filter }: RepricedGoodsArgs,
  ): Promise<GoodRepricing> {
    return repricingService.repriceGoods(company, filter ?? null, input);
  }

  @RequirePermission("access_goods")
  @Query(() => GoodRepricing, {
    description:
      "A change of the prices of many goods. It is kept for 30 days after its end. NOT_FOUND when there is none.",
  })
  goodRepricing(
    @Company() company: CompanyScope,
    @EntityId("id", "GoodRepricing") id: number,
  ): Promise<GoodRepricing> {
    return repricingService.getRepricing(company, id);
  }
}
