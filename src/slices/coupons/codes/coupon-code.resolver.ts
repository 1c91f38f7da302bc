import { Args, Query, Resolver } from "type-graphql";
import { RequirePermission } from "../../../core/access/access.js";
import { Company, EntityId, Offset, WithDeleted } from "../../../core/operations/operation-arguments.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { availableCodeList, CouponCode, couponCodeList, useList } from "./coupon-code.model.js";
import * as codeService from "./coupon-code.service.js";

const { Args: CodesArgs, Connection: CodeConnection } = couponCodeList;
type CodesArgs = InstanceType<typeof CodesArgs>;
const { Args: AvailableArgs, Connection: AvailableConnection } = availableCodeList;
type AvailableArgs = InstanceType<typeof AvailableArgs>;
const { Args: UsedArgs, Connection: UsedConnection } = useList;
type UsedArgs = InstanceType<typeof UsedArgs>;

@Resolver(() => CouponCode)
export class CouponCodeResolver {
  @RequirePermission("access_coupons")
  @Query(() => CodeConnection, {
    description: "A coupon's codes, in the order in which they were made; none before it is ready.",
  })
  couponCodes(
    @Company() company: CompanyScope,
    @EntityId("couponId", "Coupon") couponId: number,
    @Args(() => CodesArgs) args: CodesArgs,
  ) {
    return codeService.listCodes(company, couponId, args);
  }

  @RequirePermission("access_coupons")
  @Query(() => [CouponCode], {
    description: "A coupon's codes at once, at most 10,000; none before it is ready.",
  })
  allCouponCodes(
    @Company() company: CompanyScope,
    @EntityId("couponId", "Coupon") couponId: number,
    @Offset() offset: number,
    @WithDeleted("coupons") withDeleted: boolean,
  ) {
    return codeService.listAllCodes(company, couponId, { offset, withDeleted });
  }

  @RequirePermission("access_coupons")
  @Query(() => AvailableConnection, {
    description:
      "Codes of a coupon that are neither used nor held; the promo code of a batch coupon while uses are left. " +
      "INVALID_STATE for a promo, which has no codes.",
  })
  couponAvailableTickets(
    @Company() company: CompanyScope,
    @EntityId("couponId", "Coupon") couponId: number,
    @Args(() => AvailableArgs) args: AvailableArgs,
  ) {
    return codeService.listAvailableCodes(company, couponId, args);
  }

  @RequirePermission("access_coupons")
  @Query(() => UsedConnection, {
    description: "Uses of a coupon that were not given back, the latest first unless ordered.",
  })
  couponUsedTickets(
    @Company() company: CompanyScope,
    @EntityId("couponId", "Coupon") couponId: number,
    @Args(() => UsedArgs) args: UsedArgs,
  ) {
    return codeService.listUses(company, couponId, args);
  }
}
