import { Mutation, Resolver } from "type-graphql";
import { RequirePermission } from "../../core/access/access.js";
import { Audited } from "../../core/operations/audited.js";
import { Company, EntityId, Input } from "../../core/operations/operation-arguments.js";
import { resourceResolvers } from "../../core/resources/resource-resolver.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { changedTargetExists, newTargetExists } from "./banner-target.rule.js";
import {
  CreatePromotedBannerInput,
  UpdatePromotedBannerInput,
  UploadBannerInput,
} from "./promoted-banner.inputs.js";
import { PromotedBanner, promotedBannerList } from "./promoted-banner.model.js";
import * as bannerService from "./promoted-banner.service.js";

/** Lists, shows, creates, changes and deletes banners. */
export const promotedBannerCrud = resourceResolvers({
  model: "PromotedBanner",
  type: PromotedBanner,
  list: promotedBannerList,
  plural: "promotedBanners",
  area: "banners",
  openTo: "everyone",
  create: CreatePromotedBannerInput,
  createRule: newTargetExists,
  update: UpdatePromotedBannerInput,
  updateRule: changedTargetExists,
  service: bannerService.promotedBannerService,
});

@Resolver(() => PromotedBanner)
export class PromotedBannerResolver {
  @RequirePermission("can_edit_banners")
  @Audited()
  @Mutation(() => PromotedBanner, {
    description: "Links a banner to a branch category, on whose page it is shown; again: the same.",
  })
  linkPromotedBanner(
    @Company() company: CompanyScope,
    @EntityId("branchCategoryId", "BranchCategory") branchCategoryId: number,
    @EntityId("promotedBannerId", "PromotedBanner") promotedBannerId: number,
  ) {
    return bannerService.linkCategory(company, branchCategoryId, promotedBannerId);
  }

  @RequirePermission("can_edit_banners")
  @Audited()
  @Mutation(() => PromotedBanner, {
    description: "Unlinks a banner from a branch category. NOT_FOUND when it is not linked to it.",
  })
  unlinkPromotedBanner(
    @Company() company: CompanyScope,
    @EntityId("branchCategoryId", "BranchCategory") branchCategoryId: number,
    @EntityId("promotedBannerId", "PromotedBanner") promotedBannerId: number,
  ) {
    return bannerService.unlinkCategory(company, branchCategoryId, promotedBannerId);
  }

  @RequirePermission("can_edit_banners")
  @Audited()
  @Mutation(() => PromotedBanner, {
    description: "Gives a banner another picture; the old one is removed.",
  })
  uploadBanner(
    @Company() company: CompanyScope,
    @EntityId("promotedBannerId", "PromotedBanner") promotedBannerId: number,
    @Input(() => UploadBannerInput, { description: "The picture." }) { image }: UploadBannerInput,
  ) {
    return bannerService.setPicture(company, promotedBannerId, { bannerKey: image.key });
  }

  @RequirePermission("can_edit_banners")
  @Audited()
  @Mutation(() => PromotedBanner, {
    description: "Gives a banner another vertical picture; the old one is removed.",
  })
  uploadVerticalBanner(
    @Company() company: CompanyScope,
    @EntityId("promotedBannerId", "PromotedBanner") promotedBannerId: number,
    @Input(() => UploadBannerInput, { description: "The picture." }) { image }: UploadBannerInput,
  ) {
    return bannerService.setPicture(company, promotedBannerId, { verticalBannerKey: image.key });
  }
}
