import { Args, Mutation, Query, Resolver } from "type-graphql";
import { RequirePermission } from "../../../core/access/access.js";
import { NotAudited } from "../../../core/operations/audited.js";
import { ExpectedWork } from "../../../core/operations/expected-work.js";
import { Company, EntityId, Input } from "../../../core/operations/operation-arguments.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { CreateCouponInput } from "../coupon.inputs.js";
import { CouponStats, StatsTimeArgs } from "../stats/coupon-stats.model.js";
import { excludedPlacesExist } from "../target-blacklist.rule.js";
import { CouponSimulation, MOST_AT_ONCE, MOST_ORDERS, MOST_WAITING } from "./simulation.model.js";
import * as simulationService from "./simulation.service.js";

const DRAFT = {
  description: "The draft, as a coupon is created; its promo code may be that of another coupon.",
  stored: excludedPlacesExist,
};

@Resolver()
export class CouponSimulationResolver {
  @RequirePermission("access_coupons")
  @ExpectedWork(50)
  @Query(() => [CouponStats], {
    description:
      "What a draft of a coupon would have given, had it run for the orders of a time, in the rows of `couponStats`; changes " +
      "nothing. The orders are judged one after the other as they were made and as they stand by now, each as `consumeCoupon` " +
      "would judge it at its moment, beside the coupons that it has and has not given back: limits and budgets go by what the " +
      "draft gave before. `refusedAttempts` are the orders that a rule refuses. Orders that are canceled or tell no price are " +
      "left out, and so are those that would get nothing; `returned` is 0. A draft has no linked targets, and a filter of a " +
      "segment counts as it fits by now. VALIDATION_FAILED for a gift card, on `until` for more than " +
      `${MOST_AT_ONCE} orders, which are left to \`startCouponSimulation\`, and on \`groupBy\` for too many rows; FORBIDDEN for admins who are bound to shops.`,
  })
  simulateCoupon(
    @Company() company: CompanyScope,
    @Input(() => CreateCouponInput, DRAFT) input: CreateCouponInput,
    @Args(() => StatsTimeArgs) args: StatsTimeArgs,
  ) {
    return simulationService.simulateCoupon(company, input, args);
  }

  @RequirePermission("access_coupons")
  @NotAudited("It changes nothing but the list of simulations.")
  @Mutation(() => CouponSimulation, {
    description:
      `What \`simulateCoupon\` answers, worked out by a job, for up to ${MOST_ORDERS} orders: \`couponSimulation\` has the answer, ` +
      "and `job` says how far `coupon-simulation-7` has come. VALIDATION_FAILED as `simulateCoupon`; RATE_LIMITED when " +
      `${MOST_WAITING} simulations of the company wait or run already; FORBIDDEN for admins who are bound to shops.`,
  })
  startCouponSimulation(
    @Company() company: CompanyScope,
    @Input(() => CreateCouponInput, DRAFT) input: CreateCouponInput,
    @Args(() => StatsTimeArgs) args: StatsTimeArgs,
  ) {
    return simulationService.startSimulation(company, input, args);
  }

  @RequirePermission("access_coupons")
  @Query(() => CouponSimulation, {
    description:
      "A simulation and its answer. It is kept for 30 days after its end. NOT_FOUND when there is none.",
  })
  couponSimulation(@Company() company: CompanyScope, @EntityId("id", "CouponSimulation") id: number) {
    return simulationService.getSimulation(company, id);
  }
}
