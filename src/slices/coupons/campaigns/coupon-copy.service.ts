import { invalidField, validationFailed } from "../../../core/errors/domain-error.js";
import { mergeTimes } from "../../../core/schedule/schedule.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { NO_JSON, type JsonObject } from "../../../core/db/db.js";
import { assertEndsLater } from "../coupon-input.rules.js";
import type { CouponRow } from "../coupon.model.js";
import { keepSegmentsOf } from "../coupon-segments.service.js";
import { getCoupon } from "../coupon.service.js";
import { claimPromoCode } from "../coupon.sql.js";
import { PROMO_CODE_TAKEN } from "../promo-code.rule.js";
import type { CopyCouponInput } from "./campaign.inputs.js";

/** What is other than usual where a copy is made for a campaign. */
interface PlaceOfCopy {
  /** The campaign that the copy is in; none unless given. */
  readonly campaignId?: number;
  /** The path of a promo code that is taken, where the input has it at another place. */
  readonly promoCodeField?: string | undefined;
}

/**
 * Makes a pending coupon with the terms and linked targets of another one. It has codes, uses and times of its own; codes that came
 * by lists are not made anew.
 *
 * @throws DomainError NOT_FOUND; VALIDATION_FAILED for a promo code that is missing, taken or not allowed, and for times out
 *   of order; CONFLICT when a segment that it names is gone.
 */
export function copyCoupon(
  scope: CompanyScope,
  id: number,
  input: CopyCouponInput,
  { campaignId, promoCodeField = PROMO_CODE_TAKEN.field }: PlaceOfCopy = {},
): Promise<CouponRow> {
  return scope.transaction(async (inside) => {
    const { db, companyId, company, at } = inside;
    const original = await getCoupon(inside, id);
    const promoCode = input.promoCode ?? null;
    assertPromoCodeFits(original.type, promoCode);
    const times = mergeTimes(
      { startsAt: null, endsAt: null },
      input,
      input.timezone ?? company.timeZoneOffset,
    );
    assertEndsLater(times, at);
    await keepSegmentsOf(inside, original);
    const copy = await db.coupon.create({
      data: {
        companyId,
        ...termsOf(original),
        ...times,
        promoCode,
        name: input.name ?? original.name,
        ...(campaignId !== undefined && { campaignId }),
      },
    });
    if (promoCode !== null && !(await claimPromoCode(inside, copy.id, promoCode)))
      throw validationFailed([{ ...PROMO_CODE_TAKEN, field: promoCodeField }]);
    await copyTargets(inside, id, copy.id);
    return copy;
  });
}

function assertPromoCodeFits(type: string, promoCode: string | null): void {
  if (type === "batch" && promoCode === null)
    throw invalidField("promoCode", "required", "is required for a batch coupon");
  if (type !== "batch" && promoCode !== null)
    throw invalidField("promoCode", "forbidden", `is not allowed for a coupon of type ${type}`);
}

/** All that a coupon says of its uses. Neither its states nor what was counted are among it. */
function termsOf(coupon: CouponRow) {
  return {
    type: coupon.type,
    priceE2: coupon.priceE2,
    pricePrc: String(coupon.pricePrc),
    minPurchaseE2: coupon.minPurchaseE2,
    // Codes of lists belong to the original: no others are made in their place.
    totalCount: coupon.totalCount - coupon.uploadedCount,
    appliesTo: coupon.appliesTo,
    targetType: coupon.targetType,
    branchId: coupon.branchId,
    branchGroupId: coupon.branchGroupId,
    config: coupon.config as JsonObject,
    whitelist: [...coupon.whitelist],
    loopConfig: (coupon.loopConfig as JsonObject | null) ?? NO_JSON,
  };
}

async function copyTargets({ db, companyId }: CompanyScope, from: number, couponId: number): Promise<void> {
  const where = { companyId, couponId: from };
  const shops = await db.couponBranchGroup.findMany({ where, select: { branchGroupId: true } });
  const branches = await db.couponBranch.findMany({ where, select: { branchId: true } });
  await db.couponBranchGroup.createMany({ data: shops.map((shop) => ({ companyId, couponId, ...shop })) });
  await db.couponBranch.createMany({ data: branches.map((branch) => ({ companyId, couponId, ...branch })) });
}
