import { invalidField } from "../../../core/errors/domain-error.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import type { ReturnCouponItemsInput } from "./coupon-use.inputs.js";
import { assertWritten } from "../../../core/scope/row-reach.sql.js";
import { returnItems } from "./return-items.sql.js";
import type { StoredUse } from "./use-coupon.sql.js";

/** What was given back of the uses of an order. */
export interface ReturnedItems {
  readonly amountE2: bigint;
  readonly companyAmountE2: bigint;
  readonly uses: readonly StoredUse[];
}

/**
 * Gives back what the uses of an order give on units of goods; each unit once, all or nothing.
 *
 * @returns the uses of which the caller reaches the coupons, and the sums of all.
 * @throws DomainError NOT_FOUND; FORBIDDEN for an order that is only read; VALIDATION_FAILED on `items` for more units than are left.
 */
export async function returnCouponItems(
  scope: CompanyScope,
  { orderId, items }: ReturnCouponItemsInput,
): Promise<ReturnedItems> {
  await assertWritten(scope, "Order", orderId);
  const rows = await returnItems(scope, orderId, items);
  const [first] = rows;
  if (first?.shortGoodId != null) {
    const wanted = items.reduce(
      (sum, { goodId, quantity }) => (goodId === first.shortGoodId ? sum + quantity : sum),
      0,
    );
    throw invalidField(
      "items",
      "left",
      `has more of good ${first.shortGoodId} than is left to give back: ${wanted} of ${first.unitsLeft}`,
    );
  }
  return {
    amountE2: rows.reduce((sum, { givenBackE2 }) => sum + givenBackE2, 0n),
    companyAmountE2: rows.reduce((sum, { givenBackByCompanyE2 }) => sum + givenBackByCompanyE2, 0n),
    uses: rows.filter(({ isReached }) => isReached === true),
  };
}
