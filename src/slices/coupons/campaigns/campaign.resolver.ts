import { Arg, createParameterDecorator, Extensions, Int, Mutation, Query, Resolver } from "type-graphql";
import { RequirePermission } from "../../../core/access/access.js";
import { Audited } from "../../../core/operations/audited.js";
import { describe } from "../../../core/inputs/input-fields.js";
import { ARGUMENT_SCHEMA, Company, EntityId, Input } from "../../../core/operations/operation-arguments.js";
import type { OperationContext } from "../../../core/operations/operation-context.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { assignCode } from "../codes/assigned-code.service.js";
import { CouponCode } from "../codes/coupon-code.model.js";
import { Coupon } from "../coupon.model.js";
import { promoCodeIsFree } from "../promo-code.rule.js";
import { CopyCouponInput, UploadCouponCodesInput } from "./campaign.inputs.js";
import { CouponCodeUpload } from "./code-upload.model.js";
import * as uploadService from "./code-upload.service.js";
import { addCodes } from "./coupon-add-codes.service.js";
import { copyCoupon } from "./coupon-copy.service.js";
import * as pauseService from "./coupon-pause.service.js";
import { voidCode, voidCodes } from "./coupon-void.service.js";
import { MOST_VOIDED, VoidedCouponCode } from "./voided-code.model.js";

const COPY = { nullable: true, description: "What the copy has of its own.", stored: promoCodeIsFree };

/** The argument `count`, a number of codes. */
function CodeCount(): ParameterDecorator {
  const parameter = createParameterDecorator<OperationContext>(({ args }) => args["count"] as unknown, {
    arg: { name: "count", typeFunc: () => Int, options: { description: "How many codes are added." } },
  });
  return (prototype, method, index) => {
    const bounds = { [`${ARGUMENT_SCHEMA}count`]: { minimum: 1 } };
    (Extensions(bounds) as MethodDecorator)(prototype, method as string, {});
    parameter(prototype, method as string, index);
  };
}

/** The argument `codes`, a list of codes. */
function Codes(): ParameterDecorator {
  const codes = { minItems: 1, maxItems: MOST_VOIDED, items: { text: "line", minLength: 1, maxLength: 20 } };
  const description = describe(`The codes, at most ${MOST_VOIDED}, in any case.`, codes);
  const parameter = createParameterDecorator<OperationContext>(({ args }) => args["codes"] as unknown, {
    arg: { name: "codes", typeFunc: () => [String], options: { description } },
  });
  return (prototype, method, index) => {
    const bounds = { [`${ARGUMENT_SCHEMA}codes`]: codes };
    (Extensions(bounds) as MethodDecorator)(prototype, method as string, {});
    parameter(prototype, method as string, index);
  };
}

@Resolver()
export class CampaignResolver {
  @RequirePermission("can_edit_coupons")
  @Audited()
  @Mutation(() => Coupon, {
    description:
      "Makes a new, pending coupon with all terms and linked targets of another one, whatever its status, but without its " +
      "codes, uses and times.",
  })
  copyCoupon(
    @Company() company: CompanyScope,
    @EntityId("couponId", "Coupon") couponId: number,
    @Input(() => CopyCouponInput, COPY) input: CopyCouponInput | null | undefined,
  ) {
    return copyCoupon(company, couponId, input ?? {});
  }

  @RequirePermission("can_edit_coupons")
  @Audited()
  @Mutation(() => Coupon, {
    description:
      "Pauses a coupon: it keeps its status, and nothing of it can be used, not even what is held. INVALID_STATE unless it " +
      "runs and is not paused.",
  })
  pauseCoupon(@Company() company: CompanyScope, @EntityId("couponId", "Coupon") couponId: number) {
    return pauseService.pauseCoupon(company, couponId);
  }

  @RequirePermission("can_edit_coupons")
  @Audited()
  @Mutation(() => Coupon, {
    description: "Lets a paused coupon be used again. INVALID_STATE unless it runs and is paused.",
  })
  resumeCoupon(@Company() company: CompanyScope, @EntityId("couponId", "Coupon") couponId: number) {
    return pauseService.resumeCoupon(company, couponId);
  }

  @RequirePermission("can_edit_coupons")
  @Audited()
  @Mutation(() => Coupon, {
    description:
      "Adds codes to a running personal coupon or gift card: `totalCount` is raised at once, then a job makes the codes, as " +
      "`generation` shows. INVALID_STATE for other coupons; rule `code_space` when codes of its length are too few.",
  })
  addCouponCodes(
    @Company() company: CompanyScope,
    @EntityId("couponId", "Coupon") couponId: number,
    @CodeCount() count: number,
  ) {
    return addCodes(company, couponId, count);
  }

  @RequirePermission("can_edit_coupons")
  @Audited()
  @Mutation(() => CouponCodeUpload, {
    description:
      "Adds the codes of a list to a personal coupon or gift card that is pending or runs. The answer comes before the lines " +
      "are read. INVALID_STATE for other coupons.",
  })
  uploadCouponCodes(
    @Company() company: CompanyScope,
    @EntityId("couponId", "Coupon") couponId: number,
    @Input(() => UploadCouponCodesInput, { description: "The list." }) input: UploadCouponCodesInput,
  ) {
    return uploadService.uploadCodes(company, couponId, input);
  }

  @RequirePermission("can_edit_coupons")
  @Audited()
  @Mutation(() => CouponCodeUpload, {
    description:
      "Voids the codes of a list, as `voidCouponCodes` does. The answer comes before the lines are read; a code that is used, " +
      "held or none of the coupon is reported with its line and stops no other. INVALID_STATE for a coupon with a promo code.",
  })
  voidUploadedCouponCodes(
    @Company() company: CompanyScope,
    @EntityId("couponId", "Coupon") couponId: number,
    @Input(() => UploadCouponCodesInput, { description: "The list." }) input: UploadCouponCodesInput,
  ) {
    return uploadService.uploadVoidedCodes(company, couponId, input);
  }

  @RequirePermission("access_coupons")
  @Query(() => CouponCodeUpload, {
    description:
      "What came of a list of codes so far. It is kept for 30 days after its end. NOT_FOUND when there is none.",
  })
  couponCodeUpload(@Company() company: CompanyScope, @EntityId("id", "CouponCodeUpload") id: number) {
    return uploadService.getUpload(company, id);
  }

  @RequirePermission("can_edit_coupons")
  @Audited()
  @Mutation(() => CouponCode, {
    description:
      "Voids an unused code of a personal coupon or gift card, which cannot be used any more; again: the same answer. " +
      "INVALID_STATE when it is used or held; NOT_FOUND when it is no code of the coupon.",
  })
  voidCouponCode(
    @Company() company: CompanyScope,
    @EntityId("couponId", "Coupon") couponId: number,
    @Arg("code", () => String, { description: "The code, in any case." }) code: string,
  ) {
    return voidCode(company, couponId, code);
  }

  @RequirePermission("can_edit_coupons")
  @Audited()
  @Mutation(() => [VoidedCouponCode], {
    description:
      "Voids unused codes of a personal coupon or gift card, each as `voidCouponCode` does, with a result for each in the order " +
      "in which they were sent; one that is refused stops no other.",
  })
  voidCouponCodes(
    @Company() company: CompanyScope,
    @EntityId("couponId", "Coupon") couponId: number,
    @Codes() codes: string[],
  ) {
    return voidCodes(company, couponId, codes);
  }

  @RequirePermission("can_edit_coupons")
  @Audited()
  @Mutation(() => CouponCode, {
    description:
      "Gives a client the next free code of a personal coupon or gift card, the same one for the same client each time until it " +
      "is voided; who may use it does not change. COUPON_EXHAUSTED when no code is free; INVALID_STATE for other coupons.",
  })
  assignCouponCode(
    @Company() company: CompanyScope,
    @EntityId("couponId", "Coupon") couponId: number,
    @EntityId("clientId", "Client") clientId: number,
  ) {
    return assignCode(company, couponId, clientId);
  }
}
