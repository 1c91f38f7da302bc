import { Args, Query, Resolver } from "type-graphql";
import { RequirePermission } from "../../../core/access/access.js";
import { ExpectedWork } from "../../../core/operations/expected-work.js";
import { Company } from "../../../core/operations/operation-arguments.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { CouponStats, CouponStatsArgs, MOST_GROUPS, MOST_USES_READ } from "./coupon-stats.model.js";
import { couponStats } from "./coupon-stats.service.js";

@Resolver()
export class CouponStatsResolver {
  @RequirePermission("access_coupons")
  @ExpectedWork(5)
  @Query(() => [CouponStats], {
    description:
      "Sums of uses of coupons, deleted ones too, and of refused attempts, in the company's time zone: a row for each group " +
      `that has any, in the order of the keys. VALIDATION_FAILED on \`groupBy\` for more than ${MOST_GROUPS} rows, and on \`until\` for more than about ${MOST_USES_READ} uses ` +
      "but where the sums are kept: those of whole days, weeks and months that are over, of all uses or by coupon, campaign, type " +
      "or branch, or of one of these.",
  })
  couponStats(@Company() company: CompanyScope, @Args(() => CouponStatsArgs) args: CouponStatsArgs) {
    return couponStats(company, args);
  }
}
