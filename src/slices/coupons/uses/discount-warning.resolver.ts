import { Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import type { OperationContext } from "../../../core/operations/operation-context.js";
import { batched } from "../../../core/relations/batched.js";
import { Order } from "../../orders/order.model.js";
import { subtotalOf } from "../../orders/order-price.rules.js";
import { purchaseFails } from "../conditions/purchase.conditions.js";
import { OrderDiscountWarning } from "./discount-warning.model.js";
import { readKeptCoupons, type KeptCoupon } from "./discount-warning.sql.js";

const findWarnings = batched<OrderDiscountWarning[]>(async (scope, orderIds) => {
  const warnings = new Map<number, OrderDiscountWarning[]>();
  for (const kept of await readKeptCoupons(scope, orderIds)) {
    const found = warningOf(kept);
    if (found !== null) warnings.set(kept.orderId, [...(warnings.get(kept.orderId) ?? []), found]);
  }
  return warnings;
});

/** An order that became smaller keeps its coupons; what they would ask for by now is shown. */
@Resolver(() => Order)
export class DiscountWarningResolver {
  @FieldResolver(() => [OrderDiscountWarning], {
    description:
      "Coupons that it has used or holds and would not get by now, since it became smaller than they ask for: it keeps them.",
  })
  async discountWarnings(
    @Root() { companyId, id }: Order & { readonly companyId: number },
    @Ctx() context: OperationContext,
  ): Promise<OrderDiscountWarning[]> {
    return (await findWarnings(context.companyScope(companyId), id)) ?? [];
  }
}

function warningOf({ couponId, ...kept }: KeptCoupon): OrderDiscountWarning | null {
  const { deliveryE2, totalE2 } = kept;
  const subtotalE2 = subtotalOf(kept);
  // What the order comes to beside its delivery holds its taxes.
  const withTaxes = totalE2 - deliveryE2 > subtotalE2 ? totalE2 - deliveryE2 : subtotalE2;
  const failed = purchaseFails(kept, { subtotalE2, subtotalFullE2: withTaxes });
  return failed === null ? null : { couponId, ...failed };
}
