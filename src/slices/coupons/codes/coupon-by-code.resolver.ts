import { Args, ArgsType, Query, Resolver } from "type-graphql";
import { RequirePermission } from "../../../core/access/access.js";
import { TextField } from "../../../core/inputs/input-fields.js";
import { Company, WithDeleted } from "../../../core/operations/operation-arguments.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { Coupon } from "../coupon.model.js";
import { getCouponByCode } from "./coupon-code.service.js";

@ArgsType()
class CouponByCodeArgs {
  @TextField({ description: "The code, in any case.", min: 5, max: 20 })
  code!: string;
}

@Resolver(() => Coupon)
export class CouponByCodeResolver {
  @RequirePermission("access_coupons")
  @Query(() => Coupon, {
    description: "The coupon that a code belongs to, whatever its status. NOT_FOUND when there is none.",
  })
  couponByCode(
    @Company() company: CompanyScope,
    @Args(() => CouponByCodeArgs) { code }: CouponByCodeArgs,
    @WithDeleted("coupons") withDeleted: boolean,
  ) {
    return getCouponByCode(company, code, { withDeleted });
  }
}
