import { Arg, Int, Mutation, Resolver } from "type-graphql";
import { RequirePermission } from "../../core/access/access.js";
import { Audited } from "../../core/operations/audited.js";
import { Company, EntityId, Input } from "../../core/operations/operation-arguments.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import * as lifecycleService from "./coupon-lifecycle.service.js";
import * as targetsService from "./coupon-targets.service.js";
import { CreateCouponInput, SetCouponReadyInput, UpdateRunningCouponInput } from "./coupon.inputs.js";
import { Coupon } from "./coupon.model.js";
import * as couponService from "./coupon.service.js";
import { newCouponFits } from "./new-coupon.rule.js";

const TARGET_ID = "Id of the shop or the branch, whichever the coupon's `targetType` says.";

const NEW_COUPON = { description: "The coupon.", stored: newCouponFits };

@Resolver(() => Coupon)
export class CouponAdminResolver {
  @RequirePermission("can_edit_coupons")
  @Audited()
  @Mutation(() => Coupon, { description: "Creates a coupon that can be used in one shop alone." })
  createCouponForBranchGroup(
    @Company() company: CompanyScope,
    @EntityId("branchGroupId", "BranchGroup") branchGroupId: number,
    @Input(() => CreateCouponInput, NEW_COUPON) input: CreateCouponInput,
  ) {
    return couponService.createCouponForBranchGroup(company, branchGroupId, input);
  }

  @RequirePermission("can_edit_coupons")
  @Audited()
  @Mutation(() => Coupon, {
    description:
      "Brings a deleted coupon back as it was. INVALID_STATE when it is not deleted; CONFLICT when another coupon " +
      "has its promo code by now.",
  })
  restoreCoupon(
    @Company() company: CompanyScope,
    @EntityId("id", "Coupon", { includesDeleted: true }) id: number,
  ) {
    return lifecycleService.restoreCoupon(company, id);
  }

  @RequirePermission("can_edit_coupons")
  @Audited()
  @Mutation(() => Coupon, {
    description:
      "Links a shop or branch as a target of a coupon. INVALID_STATE unless it is pending and its targets are aggregated " +
      "by branch_group or branch.",
  })
  linkCouponTarget(
    @Company() company: CompanyScope,
    @EntityId("couponId", "Coupon") couponId: number,
    @Arg("targetId", () => Int, { description: TARGET_ID }) targetId: number,
  ) {
    return targetsService.linkTarget(company, couponId, targetId);
  }

  @RequirePermission("can_edit_coupons")
  @Audited()
  @Mutation(() => Coupon, {
    description:
      "Unlinks a target of a coupon. NOT_FOUND when it is not linked; INVALID_STATE as for linking.",
  })
  unlinkCouponTarget(
    @Company() company: CompanyScope,
    @EntityId("couponId", "Coupon") couponId: number,
    @Arg("targetId", () => Int, { description: TARGET_ID }) targetId: number,
  ) {
    return targetsService.unlinkTarget(company, couponId, targetId);
  }

  @RequirePermission("can_edit_coupons")
  @Audited()
  @Mutation(() => Coupon, {
    description:
      "Sets a coupon ready: it answers at once with `generating`, its codes are made, then it is ready, or runs " +
      "when its time has come. VALIDATION_FAILED for terms by which it could never be used; INVALID_STATE unless it is " +
      "pending, and when its campaign is finished.",
  })
  setReady(
    @Company() company: CompanyScope,
    @EntityId("couponId", "Coupon") couponId: number,
    @Input(() => SetCouponReadyInput, {
      nullable: true,
      description: "When it runs; as soon as possible when absent.",
    })
    input: SetCouponReadyInput | null | undefined,
  ) {
    return lifecycleService.setReady(company, couponId, input ?? {});
  }

  @RequirePermission("can_edit_coupons")
  @Audited()
  @Mutation(() => Coupon, {
    description: "Ends a coupon: nothing of it can be used any more. INVALID_STATE unless it runs.",
  })
  setFinished(@Company() company: CompanyScope, @EntityId("couponId", "Coupon") couponId: number) {
    return lifecycleService.setFinished(company, couponId);
  }

  @RequirePermission("can_edit_coupons")
  @Audited()
  @Mutation(() => Coupon, {
    description: "Changes what may change while a coupon runs. INVALID_STATE unless it runs.",
  })
  updateRunning(
    @Company() company: CompanyScope,
    @EntityId("couponId", "Coupon") couponId: number,
    @Input(() => UpdateRunningCouponInput, { description: "The changes." }) input: UpdateRunningCouponInput,
  ) {
    return lifecycleService.updateRunning(company, couponId, input);
  }
}
