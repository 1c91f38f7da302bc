import { MAX_INT } from "../../../core/integers.js";
import type { Candidate } from "../checks/coupon-facts.js";
import { UNCONDITIONAL } from "../checks/coupon-conditions.sql.js";
import type { CreateCouponInput } from "../coupon.inputs.js";
import { columnsOf } from "../coupon.service.js";
import type { SimulatedCompany } from "./simulated-orders.sql.js";

/**
 * A coupon that is not stored, as if it ran. Of equal discounts the older coupon is the better one, so its id is the last one. A
 * code of its own waits for each order.
 */
export function draftOf(
  { company }: { readonly company: SimulatedCompany },
  input: CreateCouponInput,
): Candidate {
  const { config, ...columns } = columnsOf({ company }, input, {});
  return {
    ...UNCONDITIONAL,
    ...{ inSegments: false, inExcludedSegments: false },
    ...{ companyId: company.id, id: MAX_INT, name: "", promoCode: null, type: input.type, status: "running" },
    ...{
      pricePrc: 0,
      totalCount: input.totalCount,
      appliesTo: "subtotal",
      targetType: "company",
      whitelist: [],
    },
    ...columns,
    priceE2: BigInt(columns.priceE2 ?? 0),
    minPurchaseE2: BigInt(columns.minPurchaseE2 ?? 0),
    config: config ?? {},
    ...{ spentCount: 0, heldCount: 0, voidedCount: 0, spentAmountE2: 0n, heldAmountE2: 0n },
    ...{ campaignId: null, campaignRoomE2: null, campaignCurrencyIso: null },
    ...{ startsAt: null, endsAt: null, pausedAt: null },
    ...{ branchId: null, branchGroupId: null, currencyIso: null, deletedAt: null },
    ...{ updatedAt: new Date(0), codeId: null, code: null, codeUsedAt: null, codeVoidedAt: null, use: null },
  };
}
