import { Ctx, FieldResolver, Int, Mutation, Resolver, Root } from "type-graphql";
import { RequirePermission } from "../../../core/access/access.js";
import { Audited } from "../../../core/operations/audited.js";
import { Company, EntityId, Input } from "../../../core/operations/operation-arguments.js";
import type { OperationContext } from "../../../core/operations/operation-context.js";
import { batched } from "../../../core/relations/batched.js";
import { resourceResolvers } from "../../../core/resources/resource-resolver.js";
import { SafeInt } from "../../../core/scalars/safe-int.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { CopyCampaignInput, CreateCampaignInput, UpdateCampaignInput } from "./campaign.inputs.js";
import { Campaign, campaignList, type CampaignRow } from "./campaign.model.js";
import * as campaignService from "./campaign.service.js";
import { readCampaigns, type CampaignGiven } from "./campaign.sql.js";

/** Lists, shows, creates and changes campaigns. */
export const campaignCrud = resourceResolvers({
  model: "Campaign",
  type: Campaign,
  list: campaignList,
  plural: "campaigns",
  area: "coupons",
  create: CreateCampaignInput,
  update: UpdateCampaignInput,
  deletable: false,
  descriptions: {
    create:
      "Creates a campaign: no use or hold of its coupons takes more than its budget, however many ask at once, or it is " +
      "COUPON_AMOUNT_LIMIT. VALIDATION_FAILED for a gift card (rule `type`) and a coupon of another campaign (`unique`).",
    update:
      "Changes a campaign; what is absent stays as it is, coupons are replaced. VALIDATION_FAILED as for `createCampaign`, and " +
      "with rule `used` where one would leave that has given or holds something; INVALID_STATE after it is finished.",
  },
  service: {
    create: (scope, input) => campaignService.createCampaign(scope, input as CreateCampaignInput),
    update: (scope, id, input) => campaignService.updateCampaign(scope, id, input),
  },
});

const findGiven = batched(readCampaigns);

@Resolver(() => Campaign)
export class JointCampaignResolver {
  @RequirePermission("can_edit_coupons")
  @Audited()
  @Mutation(() => Campaign, {
    description:
      "Pauses all coupons of a campaign, those that only begin later too: nothing of them can be used. INVALID_STATE when it is " +
      "paused or finished.",
  })
  pauseCampaign(@Company() company: CompanyScope, @EntityId("campaignId", "Campaign") campaignId: number) {
    return campaignService.pauseCampaign(company, campaignId);
  }

  @RequirePermission("can_edit_coupons")
  @Audited()
  @Mutation(() => Campaign, {
    description:
      "Lets the coupons be used again that were paused with their campaign; one that was paused by itself stays so. " +
      "INVALID_STATE unless it is paused.",
  })
  resumeCampaign(@Company() company: CompanyScope, @EntityId("campaignId", "Campaign") campaignId: number) {
    return campaignService.resumeCampaign(company, campaignId);
  }

  @RequirePermission("can_edit_coupons")
  @Audited()
  @Mutation(() => Campaign, {
    description:
      "Ends a campaign: its coupons that run are finished, those that are ready never begin, and those that are pending cannot be " +
      "set ready. INVALID_STATE when it is finished, and while codes of one of them are made.",
  })
  finishCampaign(@Company() company: CompanyScope, @EntityId("campaignId", "Campaign") campaignId: number) {
    return campaignService.finishCampaign(company, campaignId);
  }

  @RequirePermission("can_edit_coupons")
  @Audited()
  @Mutation(() => Campaign, {
    description:
      "Makes a campaign with copies of all coupons of another one, which are pending, each as `copyCoupon` makes it.",
  })
  copyCampaign(
    @Company() company: CompanyScope,
    @EntityId("campaignId", "Campaign") campaignId: number,
    @Input(() => CopyCampaignInput, { nullable: true, description: "What the copy has of its own." })
    input: CopyCampaignInput | null | undefined,
  ) {
    return campaignService.copyCampaign(company, campaignId, input ?? {});
  }

  @FieldResolver(() => [Int], { description: "Ids of its coupons that are not deleted." })
  async couponIds(@Root() campaign: CampaignRow, @Ctx() context: OperationContext) {
    return (await givenBy(campaign, context)).couponIds;
  }

  @FieldResolver(() => SafeInt, {
    description:
      "What the uses of its coupons gave in their lives, without what was given back, in hundredths.",
  })
  async spentAmountE2(@Root() campaign: CampaignRow, @Ctx() context: OperationContext) {
    return (await givenBy(campaign, context)).spentE2;
  }

  @FieldResolver(() => SafeInt, { description: "What the holds of its coupons would give, in hundredths." })
  async heldAmountE2(@Root() campaign: CampaignRow, @Ctx() context: OperationContext) {
    return (await givenBy(campaign, context)).heldE2;
  }

  @FieldResolver(() => SafeInt, {
    nullable: true,
    description: "What is left of its budget after both, at least 0, in hundredths; null without a budget.",
  })
  async remainingAmountE2(@Root() campaign: CampaignRow, @Ctx() context: OperationContext) {
    const { roomE2 } = await givenBy(campaign, context);
    return roomE2 === null || roomE2 > 0n ? roomE2 : 0n;
  }
}

async function givenBy({ companyId, id }: CampaignRow, context: OperationContext): Promise<CampaignGiven> {
  const given = await findGiven(context.companyScope(companyId), id);
  if (given === null) throw new Error("campaigns are never removed");
  return given;
}
