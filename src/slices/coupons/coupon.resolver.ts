import { Args, Ctx, FieldResolver, Float, Int, Query, Resolver, Root } from "type-graphql";
import type { OperationContext } from "../../core/operations/operation-context.js";
import { RequirePermission } from "../../core/access/access.js";
import { holdsPermission } from "../../core/access/held-permission.js";
import { Company, EntityId, WithDeleted } from "../../core/operations/operation-arguments.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { actionsIn, type CouponAction } from "./coupon-actions.rules.js";
import type { CouponConfig } from "./coupon-config.js";
import { CouponConfigView } from "./coupon-config.model.js";
import { describeConfig } from "./coupon-config.rules.js";
import { codesToMake, statusOf, stateOf } from "./coupon-lifecycle.rules.js";
import {
  AnyCoupon,
  Coupon,
  CouponActionEnum,
  CouponGeneration,
  couponList,
  type CouponRow,
} from "./coupon.model.js";
import * as couponService from "./coupon.service.js";

const { Args: CouponsArgs, Connection: CouponConnection } = couponList;
type CouponsArgs = InstanceType<typeof CouponsArgs>;

@Resolver(() => AnyCoupon)
export class CouponResolver {
  @RequirePermission("access_coupons")
  @Query(() => CouponConnection, { description: "The company's coupons, newest first unless ordered." })
  coupons(@Company() company: CompanyScope, @Args(() => CouponsArgs) args: CouponsArgs) {
    return couponService.listCoupons(company, args);
  }

  @RequirePermission("access_coupons")
  @Query(() => Coupon, { description: "One coupon. NOT_FOUND when there is none." })
  coupon(
    @Company() company: CompanyScope,
    @EntityId("id", "Coupon") id: number,
    @WithDeleted("coupons") withDeleted: boolean,
  ) {
    return couponService.getCoupon(company, id, { withDeleted });
  }

  @FieldResolver(() => String, {
    description:
      "`pending`, `generating` (its codes are made), `ready`, `running` or `finished`, by its exact times.",
  })
  status(@Root() coupon: CouponRow, @Ctx() { at }: OperationContext): string {
    return statusOf(coupon, at);
  }

  @FieldResolver(() => CouponConfigView, { description: "Its conditions and bounds." })
  config(@Root() { config }: CouponRow) {
    return describeConfig(config as CouponConfig);
  }

  @FieldResolver(() => [Int], { nullable: true, description: "Clients who may use it; null: all." })
  whitelist(@Root() { whitelist }: CouponRow): readonly number[] | null {
    return whitelist.length === 0 ? null : whitelist;
  }

  @FieldResolver(() => Float, { description: "`priceE2` as a decimal number." })
  humanPriceE2(@Root() { priceE2 }: CouponRow): number {
    return Number(priceE2) / 100;
  }

  @FieldResolver(() => Float, { description: "`pricePrc` as a percentage, 0 to 100." })
  humanPricePrc(@Root() { pricePrc }: CouponRow): number {
    // Four decimals at most, so the nearest ten-thousandth is the exact value.
    return Math.round(Number(pricePrc) * 10_000) / 100;
  }

  @FieldResolver(() => Float, { description: "`minPurchaseE2` as a decimal number." })
  humanMinPurchaseE2(@Root() { minPurchaseE2 }: CouponRow): number {
    return Number(minPurchaseE2) / 100;
  }

  @FieldResolver(() => CouponGeneration, { description: "How far the making of its codes has come." })
  generation(@Root() coupon: CouponRow): CouponGeneration {
    return { generated: coupon.generatedCount, total: codesToMake(coupon) };
  }

  @FieldResolver(() => [CouponActionEnum], {
    description: "What its state and the caller's permissions allow to do with it.",
  })
  async allowedActions(
    @Root() coupon: CouponRow,
    @Ctx() context: OperationContext,
  ): Promise<readonly CouponAction[]> {
    const mayEdit = await holdsPermission(context, coupon.companyId, "can_edit_coupons");
    return mayEdit ? actionsIn(stateOf(coupon, context.at), coupon.targetType) : [];
  }
}
