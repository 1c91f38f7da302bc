import { Args, Query, Resolver } from "type-graphql";
import { RequirePermission } from "../../../core/access/access.js";
import { Company } from "../../../core/operations/operation-arguments.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { ATTEMPT_DAYS, couponAttemptList } from "./coupon-attempt.model.js";
import { listAttempts } from "./coupon-attempt.service.js";

const { Args: AttemptsArgs, Connection: AttemptConnection } = couponAttemptList;
type AttemptsArgs = InstanceType<typeof AttemptsArgs>;

@Resolver()
export class CouponAttemptResolver {
  @RequirePermission("access_coupons")
  @Query(() => AttemptConnection, {
    description:
      "Uses and holds that a rule of their coupon refused, the latest first unless ordered. Checks are none. They are kept " +
      `for ${ATTEMPT_DAYS} days.`,
  })
  couponAttempts(@Company() company: CompanyScope, @Args(() => AttemptsArgs) args: AttemptsArgs) {
    return listAttempts(company, args);
  }
}
