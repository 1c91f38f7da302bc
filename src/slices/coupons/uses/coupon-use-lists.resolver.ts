import { Args, Ctx, FieldResolver, Float, Int, Query, Resolver, Root } from "type-graphql";
import { RequirePermission } from "../../../core/access/access.js";
import { Company } from "../../../core/operations/operation-arguments.js";
import type { OperationContext } from "../../../core/operations/operation-context.js";
import { SafeInt } from "../../../core/scalars/safe-int.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { couponUseList } from "./coupon-use-list.model.js";
import * as couponUseLists from "./coupon-use-lists.service.js";
import { CouponUseItem } from "../checks/coupon-check.model.js";
import { CouponRedemption, type CouponUseRow } from "./coupon-use.model.js";

const { Args: UsesArgs, Connection: UseConnection } = couponUseList;
type UsesArgs = InstanceType<typeof UsesArgs>;

@Resolver(() => CouponRedemption)
export class CouponUseListsResolver {
  @RequirePermission("access_coupons")
  @Query(() => UseConnection, {
    description:
      "Uses of all coupons, those that were given back too, the latest first unless ordered. Those of deleted coupons " +
      "come with `withDeleted`.",
  })
  couponUses(@Company() company: CompanyScope, @Args(() => UsesArgs) args: UsesArgs) {
    return couponUseLists.listCouponUses(company, args);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: "The code, a promo code as it was entered; null of a promo.",
  })
  code(@Root() use: CouponUseRow, @Ctx() context: OperationContext) {
    return couponUseLists.codeOfUse(context.companyScope(use.companyId), use);
  }

  @FieldResolver(() => Float, { description: "`amountE2` as a decimal number." })
  humanAmountE2(@Root() { amountE2 }: CouponUseRow): number {
    return Number(amountE2) / 100;
  }

  @FieldResolver(() => SafeInt, {
    description:
      "What was given back of it in parts, in hundredths: by `returnCouponItems`, or because the order became less. What the last part gave back stays in `amountE2`, beside `returnedAt`.",
  })
  returnedAmountE2(@Root() { returnedAmountE2 }: CouponUseRow): bigint {
    return returnedAmountE2 ?? 0n;
  }

  @FieldResolver(() => [CouponUseItem], {
    description: "How much of the discount each item of the purchase got; empty when none were named.",
  })
  items(@Root() { items }: CouponUseRow): readonly CouponUseItem[] {
    return items ?? [];
  }
}

@Resolver(() => CouponUseItem)
export class CouponUseItemResolver {
  @FieldResolver(() => Int, {
    description:
      "How many of it were given back: what they got is no part of `amountE2` any more, but for what was given back last of a use that has `returnedAt`.",
  })
  returnedQuantity(
    @Root() { returnedQuantity }: CouponUseItem & { readonly returnedQuantity?: number },
  ): number {
    return returnedQuantity ?? 0;
  }
}
