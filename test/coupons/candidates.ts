import type { CouponConfig } from "../../src/slices/coupons/coupon-config.model.js";
import { TakenCoupons, type TakenCoupon } from "../../src/slices/coupons/amounts/taken-coupons.js";
import type { ConditionRule } from "../../src/slices/coupons/conditions/condition.js";
import type { Situation } from "../../src/slices/coupons/conditions/judged.js";
import type { Candidate } from "../../src/slices/coupons/checks/coupon-facts.js";

const NOW = new Date("2026-03-11T12:00:00Z");

/** A coupon without any condition by default. */
export function candidate({
  config = {},
  ...overrides
}: Partial<Candidate> & { config?: CouponConfig } = {}): Candidate {
  return {
    companyId: 1,
    id: 1,
    name: "",
    promoCode: null,
    type: "batch",
    status: "running",
    priceE2: 1000n,
    pricePrc: "0",
    minPurchaseE2: 0n,
    totalCount: 10,
    spentCount: 0,
    heldCount: 0,
    voidedCount: 0,
    spentAmountE2: 0n,
    heldAmountE2: 0n,
    campaignId: null,
    campaignRoomE2: null,
    campaignCurrencyIso: null,
    startsAt: null,
    endsAt: null,
    pausedAt: null,
    branchId: null,
    branchGroupId: null,
    appliesTo: "subtotal",
    targetType: "company",
    config,
    currencyIso: null,
    whitelist: [],
    updatedAt: NOW,
    deletedAt: null,
    codeId: 1n,
    code: "ABCDE",
    codeUsedAt: null,
    codeVoidedAt: null,
    isCodeHeld: false,
    expiredCount: 0,
    expiredE2: 0n,
    clientUses: 0,
    clientGivenE2: 0n,
    inSegments: false,
    inExcludedSegments: false,
    hasOrdered: null,
    targetGroupIds: [],
    targetBranchIds: [],
    targetBranchGroupIds: [],
    hold: null,
    use: null,
    ...overrides,
  };
}

/** A purchase on a Wednesday at noon by default: client 7 buys for 100.00 at branch 5 of shop 3. */
export function situation(overrides: Partial<Situation> = {}): Situation {
  const { client = { id: 7, registeredAt: new Date("2026-01-01T00:00:00Z") } } = overrides;
  return {
    at: NOW,
    local: { weekday: 3, minute: 12 * 60 },
    client,
    clientId: client?.id ?? null,
    branchId: 5,
    shopIds: [3],
    source: "web",
    purchase: { subtotalE2: 10_000n, subtotalFullE2: null, basePriceE2: null, deliveryE2: null, items: null },
    currencyIso: "USD",
    companyCurrencyIso: "USD",
    isPriced: true,
    taken: new TakenCoupons(),
    items: [],
    isBounded: false,
    isUse: false,
    isForClient: false,
    ...overrides,
  };
}

/** A purchase of goods for that much, in hundredths, which bounds what coupons give together. */
export function boundedBy(subtotalE2: bigint): Pick<Situation, "isBounded" | "purchase"> {
  return { isBounded: true, purchase: { ...situation().purchase, subtotalE2 } };
}

/** A coupon that an order has already, and what it gives on the goods. */
export function takenCoupon(coupon: Candidate, discountE2: bigint, isHeld = false): TakenCoupon {
  return { coupon, discountE2, isHeld, parts: { goodsE2: discountE2, deliveryE2: 0n, lines: [] } };
}

/** Whether a rule holds, and its words. */
export function seenBy<Config>(
  { holds, words }: Pick<ConditionRule<string, string, Config>, "holds" | "words">,
  ...use: Parameters<ConditionRule<string, string, Config>["holds"]>
) {
  return { passed: holds(...use), ...words(...use) };
}
