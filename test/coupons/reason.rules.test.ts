import { isDeepStrictEqual } from "node:util";
import {
  firstFailed,
  judge,
  judgeGiftCard,
  judgeUse,
  type Judgement,
} from "../../src/slices/coupons/checks/coupon-judgement.rules.js";
import type { CouponConfig } from "../../src/slices/coupons/coupon-config.model.js";
import { RULES as CONDITION_RULES } from "../../src/slices/coupons/conditions/conditions.js";
import type { Situation } from "../../src/slices/coupons/conditions/judged.js";
import type { Candidate } from "../../src/slices/coupons/checks/coupon-facts.js";
import { TakenCoupons } from "../../src/slices/coupons/amounts/taken-coupons.js";
import { boundedBy, candidate, situation } from "./candidates.js";

type Terms = Partial<Candidate> & { config?: CouponConfig };
const refusal = (
  terms: Terms | null,
  circumstances: Partial<Situation> = {},
  discountE2 = 1000n,
): string | undefined =>
  firstFailed(judge(terms === null ? null : candidate(terms), situation(circumstances), discountE2))?.code;

const minute = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
const at = (weekday: number, clock: string) => ({ local: { weekday, minute: minute(clock) } });
const moment = (text: string) => new Date(text);
const clientSince = (text: string) => ({ client: { id: 7, registeredAt: moment(text) } });
const bought = (subtotalE2: bigint, deliveryE2: bigint | null = null) => ({
  purchase: { subtotalE2, subtotalFullE2: null, basePriceE2: null, deliveryE2, items: null },
});
const nowhere = { branchId: null, shopIds: [] };
const bySeveralShops = { branchId: null, shopIds: [3, 4] };
const hold = {
  id: 1n,
  code: "ABCDE",
  clientId: 7,
  amountE2: 400n,
  companyAmountE2: 0n,
  expiresAt: moment("2026-03-11T12:10:00Z"),
  createdAt: moment("2026-03-11T11:00:00Z"),
};
const feeRule = (rule: object) =>
  ({ name: "rule", ...rule }) as NonNullable<CouponConfig["feeRules"]>[number];

/** Each rule with coupons and purchases that it lets pass, and with those that it finds failing. */
/** What the order has used already. */
const others = new TakenCoupons([
  {
    coupon: candidate({ id: 1 }),
    discountE2: 10_000n,
    isHeld: false,
    parts: { goodsE2: 10_000n, deliveryE2: 0n, lines: [] },
  },
]);

const RULES: Record<
  string,
  { passes: [Terms, Partial<Situation>?, bigint?][]; refuses: [Terms | null, Partial<Situation>?, bigint?][] }
> = {
  COUPON_NOT_FOUND: { passes: [[{}]], refuses: [[null], [{ deletedAt: moment("2026-01-01T00:00:00Z") }]] },
  COUPON_NOT_RUNNING: {
    passes: [
      [{ status: "ready", startsAt: moment("2026-03-11T12:00:00Z") }],
      [{ endsAt: moment("2026-03-11T12:00:00.001Z") }],
    ],
    refuses: [
      [{ status: "pending" }],
      [{ status: "generating" }],
      [{ status: "finished" }],
      [{ status: "ready", startsAt: moment("2026-03-11T12:00:00.001Z") }],
      [{ endsAt: moment("2026-03-11T12:00:00Z") }],
    ],
  },
  COUPON_EXHAUSTED: {
    passes: [
      [{ totalCount: 2, spentCount: 1 }],
      [{ totalCount: 2, spentCount: 1, heldCount: 1, expiredCount: 1 }],
      [{ totalCount: 2, spentCount: 1, heldCount: 1, hold }],
    ],
    refuses: [
      [{ totalCount: 0 }],
      [{ totalCount: 2, spentCount: 2 }],
      [{ totalCount: 2, spentCount: 1, heldCount: 1 }],
    ],
  },
  COUPON_CODE_USED: {
    passes: [[{ type: "personal" }], [{ type: "batch", codeUsedAt: moment("2026-01-01T00:00:00Z") }]],
    refuses: [
      [{ type: "personal", codeUsedAt: moment("2026-01-01T00:00:00Z") }],
      [{ type: "gift_card", codeUsedAt: moment("2026-01-01T00:00:00Z") }],
      [{ type: "personal", isCodeHeld: true }],
    ],
  },
  COUPON_WRONG_TARGET: {
    passes: [
      [{ branchGroupId: 3 }],
      [{ branchId: 5 }],
      [{ targetGroupIds: [2, 3] }],
      [{ targetBranchIds: [5, 6], targetBranchGroupIds: [3] }],
      [{ branchGroupId: 9, targetGroupIds: [8] }, nowhere],
      [{ targetBranchIds: [6], targetBranchGroupIds: [3] }, { branchId: null }],
      [{ branchId: 6 }, { branchId: null }],
      [{ targetGroupIds: [2, 3, 4] }, bySeveralShops],
      [{ targetBranchIds: [6, 7], targetBranchGroupIds: [3, 4] }, bySeveralShops],
      [{}, { ...nowhere, isUse: true }],
    ],
    refuses: [
      [{ branchGroupId: 4 }],
      [{ branchGroupId: 3 }, { shopIds: [] }],
      [{ branchGroupId: 3 }, bySeveralShops],
      [{ targetGroupIds: [2, 3] }, bySeveralShops],
      [{ targetBranchIds: [6], targetBranchGroupIds: [3] }, bySeveralShops],
      [{ branchGroupId: 9 }, { ...nowhere, isUse: true }],
      [{ branchId: 6 }, { branchId: null, isUse: true }],
      [
        { targetBranchIds: [6], targetBranchGroupIds: [3] },
        { branchId: null, isUse: true },
      ],
      [{ branchId: 6 }],
      [{ targetGroupIds: [4] }],
      [{ targetBranchIds: [6], targetBranchGroupIds: [3] }],
      [{ targetBranchIds: [6], targetBranchGroupIds: [4] }, { branchId: null }],
      [{ branchGroupId: 3, targetBranchIds: [6], targetBranchGroupIds: [3] }],
    ],
  },
  COUPON_CURRENCY: {
    passes: [
      [{ currencyIso: "USD" }],
      [{}],
      [{ currencyIso: "EUR" }, { currencyIso: "EUR" }],
      [{ currencyIso: "EUR", priceE2: 0n, pricePrc: "0.1" }],
    ],
    refuses: [
      [{ currencyIso: "EUR" }],
      [{}, { currencyIso: "EUR" }],
      [{ currencyIso: "EUR", priceE2: 0n, minPurchaseE2: 1n }],
      ...[{ maxDiscountE2: 0 }, { amountLimitE2: 10_000 }, { clientAmountLimitE2: 10_000 }].map(
        (config): [Terms] => [{ currencyIso: "EUR", priceE2: 0n, pricePrc: "0.1", config }],
      ),
    ],
  },
  COUPON_NOT_WHITELISTED: {
    passes: [
      [{ whitelist: [7, 8] }],
      [{ config: { sourceWhitelist: ["web", "app"] } }],
      [{ whitelist: [] }, { client: null }],
    ],
    refuses: [
      [{ whitelist: [8] }],
      [{ whitelist: [7] }, { client: null }],
      [{ config: { sourceWhitelist: ["app"] } }],
      [{ config: { sourceWhitelist: ["Web"] } }],
      [{ config: { sourceWhitelist: ["web"] } }, { source: null }],
      [{ whitelist: [7], config: { sourceWhitelist: ["app"] } }],
    ],
  },
  COUPON_BLACKLISTED: {
    passes: [
      [{ config: { targetBlacklist: [4, 6] } }],
      [{ targetType: "branch", config: { targetBlacklist: [3] } }],
      [{ targetType: "branch_group", config: { targetBlacklist: [5] } }],
      [{ config: { targetBlacklist: [3, 5] } }, nowhere],
      [{ targetType: "branch", config: { targetBlacklist: [3] } }, { branchId: null }],
      [
        { targetType: "branch_group", config: { targetBlacklist: [5] } },
        { ...bySeveralShops, isUse: true },
      ],
    ],
    refuses: [
      [{ config: { targetBlacklist: [3] } }],
      [{ config: { targetBlacklist: [5] } }],
      [{ targetType: "branch", config: { targetBlacklist: [5] } }],
      [{ targetType: "branch_group", config: { targetBlacklist: [3] } }],
      [{ config: { targetBlacklist: [4] } }, bySeveralShops],
      [{ config: { targetBlacklist: [6] } }, { ...nowhere, isUse: true }],
      [
        { targetType: "branch", config: { targetBlacklist: [6] } },
        { branchId: null, isUse: true },
      ],
    ],
  },
  COUPON_MIN_PURCHASE: {
    passes: [
      [{ minPurchaseE2: 10_000n }],
      [{ config: { feeRules: [feeRule({ priceMinE2: 20_000 }), feeRule({ priceMaxE2: 10_000 })] } }],
      [{ config: { feeRules: [feeRule({ priceMinE2: 20_000, isEnabled: false })] } }],
    ],
    refuses: [
      [{ minPurchaseE2: 10_001n }],
      [{ config: { feeRules: [feeRule({ priceMinE2: 10_001 }), feeRule({ priceMaxE2: 9_999 })] } }],
      [{ config: { feeRules: [feeRule({ priceMinE2: 20_000 }), feeRule({ isEnabled: false })] } }],
    ],
  },
  COUPON_OUTSIDE_DAYS: {
    passes: [
      [{ config: { days: [] } }],
      [{ config: { days: [3] } }],
      [{ config: { days: [6], hourBeg: "22:00", hourEnd: "02:00" } }, at(0, "02:00")],
      [{ config: { days: [0], hourBeg: "22:00", hourEnd: "02:00" } }, at(0, "22:00")],
    ],
    refuses: [
      [{ config: { days: [0, 1, 2, 4, 5, 6] } }],
      [{ config: { days: [0], hourBeg: "22:00", hourEnd: "02:00" } }, at(0, "02:00")],
      [{ config: { days: [6], hourBeg: "22:00", hourEnd: "02:00" } }, at(0, "02:01")],
    ],
  },
  COUPON_OUTSIDE_HOURS: {
    passes: [
      [{ config: { hourBeg: "12:00", hourEnd: "13:00" } }],
      [{ config: { hourBeg: "11:00", hourEnd: "12:00" } }],
      [{ config: { hourBeg: "12:00" } }, at(3, "23:59")],
      [{ config: { hourEnd: "23:59" } }, at(3, "00:00")],
      [{ config: { hourBeg: "15:00", hourEnd: "15:00" } }],
      [{ config: { hourBeg: "22:00", hourEnd: "02:00" } }, at(3, "00:30")],
      [
        {
          config: {
            feeRules: [feeRule({ hourBeg: "08:00", hourEnd: "09:00" }), feeRule({ hourBeg: "11:00" })],
          },
        },
      ],
    ],
    refuses: [
      [{ config: { hourBeg: "12:01", hourEnd: "13:00" } }],
      [{ config: { hourBeg: "11:00", hourEnd: "11:59" } }],
      [{ config: { hourBeg: "22:00", hourEnd: "02:00" } }, at(3, "02:01")],
      [{ config: { hourBeg: "22:00", hourEnd: "02:00" } }, at(3, "21:59")],
      [{ config: { feeRules: [feeRule({ hourBeg: "08:00", hourEnd: "09:00" })] } }],
      // The shop is open now, but for other prices.
      [{ config: { feeRules: [feeRule({ hourEnd: "09:00" }), feeRule({ priceMinE2: 20_000 })] } }],
    ],
  },
  COUPON_REGISTRATION: {
    passes: [
      [{ config: { usersRegisteredSince: "2026-01-01T00:00:00.000Z" } }, clientSince("2026-01-01T00:00:00Z")],
      [{ config: { usersRegisteredUntil: "2026-01-01T00:00:00.000Z" } }, clientSince("2026-01-01T00:00:00Z")],
      [{}, { client: null }],
    ],
    refuses: [
      [{ config: { usersRegisteredSince: "2026-01-01T00:00:00.001Z" } }, clientSince("2026-01-01T00:00:00Z")],
      [{ config: { usersRegisteredUntil: "2025-12-31T23:59:59.999Z" } }, clientSince("2026-01-01T00:00:00Z")],
      [{ config: { usersRegisteredSince: "2020-01-01T00:00:00.000Z" } }, { client: null }],
    ],
  },
  COUPON_FIRST_PURCHASE: {
    passes: [
      [{ config: { onlyFirstPurchase: true }, hasOrdered: false }],
      [{ config: { excludeFirstPurchase: true }, hasOrdered: true }],
      [{ config: { onlyFirstPurchase: false, excludeFirstPurchase: false } }, { client: null }],
    ],
    refuses: [
      [{ config: { onlyFirstPurchase: true }, hasOrdered: true }],
      [{ config: { excludeFirstPurchase: true }, hasOrdered: false }],
      [{ config: { onlyFirstPurchase: true } }, { client: null }],
      [{ config: { excludeFirstPurchase: true } }, { client: null }],
    ],
  },
  COUPON_ONLY_DELIVERIES: {
    passes: [
      [{ config: { onlyDeliveries: true } }, bought(10_000n, 1n)],
      [{ config: { onlyDeliveries: false } }],
    ],
    refuses: [
      [{ config: { onlyDeliveries: true } }],
      [{ config: { onlyDeliveries: true } }, bought(10_000n, 0n)],
    ],
  },
  COUPON_LIMIT: {
    passes: [
      [{ config: { limit: 2 }, clientUses: 1 }],
      [{ clientUses: 1000 }, { client: null, isUse: true }],
    ],
    refuses: [
      [{ config: { limit: 2 }, clientUses: 2 }],
      [{ config: { limit: 0 } }],
      [{ config: { limit: 2 } }, { client: null, isUse: true }],
      [{ config: { limit: 2 } }, { client: null }],
    ],
  },
  COUPON_AMOUNT_LIMIT: {
    passes: [
      [{ config: { amountLimitE2: 1000 } }],
      [{ config: { amountLimitE2: 2000 }, spentAmountE2: 1000n }],
      [{ config: { amountLimitE2: 1000 }, heldAmountE2: 500n, expiredE2: 500n }],
      [{ config: { amountLimitE2: 1000 }, heldCount: 1, heldAmountE2: 400n, hold }],
      [{ config: { clientAmountLimitE2: 2000 }, clientGivenE2: 1000n }],
    ],
    refuses: [
      [{ config: { amountLimitE2: 999 } }],
      [{ config: { amountLimitE2: 2000 }, spentAmountE2: 1001n }],
      [{ config: { amountLimitE2: 1000 }, heldAmountE2: 1n }],
      [{ config: { clientAmountLimitE2: 2000 }, clientGivenE2: 1001n }],
      [{ config: { clientAmountLimitE2: 2000 } }, { client: null }],
    ],
  },
  COUPON_NOT_COMBINABLE: {
    passes: [[{}], [{ id: 2 }, { taken: others, ...boundedBy(10_001n) }]],
    refuses: [
      [{ id: 1 }, { taken: others }],
      [{ id: 2 }, { taken: others, ...boundedBy(10_000n) }],
    ],
  },
};

/** What failed, with its words. */
function read(judgement: Judgement | undefined) {
  if (judgement?.failed === undefined) return undefined;
  const { rule, code, passed, judged, actual, required } = judgement.failed;
  return { rule, code, passed, judged, actual, required };
}

describe("the rules of a coupon", () => {
  const codes = Object.keys(RULES);

  it.each(codes)("%s", (code) => {
    const { passes, refuses } = RULES[code] as (typeof RULES)[string];
    expect(passes.map((args) => refusal(...args))).toEqual(passes.map(() => undefined));
    expect(refuses.map((args) => refusal(...args))).toEqual(refuses.map(() => code));
  });

  it("are judged no further than the first refusal", () => {
    const finished = {
      ...candidate({ status: "finished" }),
      get whitelist(): never {
        throw new Error("the list is looked at");
      },
    };

    expect(firstFailed(judge(finished, situation(), 0n))?.code).toBe("COUPON_NOT_RUNNING");
  });

  it("are judged in the order of the contract", () => {
    const worst = candidate({
      status: "finished",
      totalCount: 0,
      type: "personal",
      codeUsedAt: moment("2026-01-01T00:00:00Z"),
      branchGroupId: 99,
      currencyIso: "EUR",
      whitelist: [99],
      minPurchaseE2: 10n ** 9n,
      clientUses: 1,
      clientGivenE2: 2n,
      hasOrdered: true,
      inExcludedSegments: true,
      spentAmountE2: 1n,
      config: {
        targetBlacklist: [5],
        segmentIds: [1],
        excludedSegmentIds: [2],
        days: [0],
        hourBeg: "01:00",
        hourEnd: "02:00",
        usersRegisteredSince: "2099-01-01T00:00:00.000Z",
        onlyFirstPurchase: true,
        onlyDeliveries: true,
        limit: 1,
        amountLimitE2: 1,
        clientAmountLimitE2: 2,
        goods: { include: { goodIds: [1] } },
      },
    });

    const judged = [...judge(worst, situation({ taken: others, ...boundedBy(10_000n) }), 1n)];

    const once = (some: typeof judged) => [...new Set(some.map(({ code }) => code))];
    expect(judged.filter(({ passed }) => passed).map(({ rule }) => rule)).toEqual(["found"]);
    expect(once(judged)).toEqual(codes);
    expect(firstFailed(judged)?.code).toBe("COUPON_NOT_RUNNING");
  });

  it("tell what each saw and needed, and nothing of what a coupon does not ask", () => {
    const judged = [...judge(candidate({ config: { limit: 3 }, clientUses: 1 }), situation(), 0n)];

    expect(judged.find(({ rule }) => rule === "limit")).toEqual({
      rule: "limit",
      code: "COUPON_LIMIT",
      passed: true,
      judged: true,
      actual: "1 use",
      required: "less than 3 uses by the client",
    });
    expect(judged.find(({ rule }) => rule === "hours")).toMatchObject({ actual: "12:00", required: null });
  });

  it.each([
    [6, true, "at least 1 use left"],
    [0, true, "0 uses left"],
    [6, false, "6 uses left"],
    [0, false, "0 uses left"],
  ])("of %i uses left tell a client (%s) no number: %s", (left, isForClient, actual) => {
    const coupon = candidate({ totalCount: 10, spentCount: 10 - left });
    const judged = [...judge(coupon, situation({ isForClient }), 0n)];

    expect(judged.find(({ rule }) => rule === "total_count")).toMatchObject({ passed: left > 0, actual });
  });

  it("hold where a coupon asks for nothing, and fail the same with an explanation and without", () => {
    const cases = Object.values(RULES).flatMap(({ passes, refuses }) => [...passes, ...refuses]);
    const coupons = cases.flatMap(([terms]) => (terms === null ? [] : [candidate(terms)]));
    const purchases = cases.map(([, circumstances]) => situation(circumstances));
    const judgements = coupons.flatMap((coupon) =>
      purchases.map((now) => [false, true].map((isExplained) => judgeUse(coupon, now, { isExplained }))),
    );

    const rules = judgements.flatMap(([, explained]) => explained?.explanation?.rules ?? []);
    expect(rules.length).toBeGreaterThan(10_000);
    expect(rules.filter(({ required, passed }) => required === null && !passed)).toEqual([]);
    expect(
      judgements.filter(([plain, explained]) => !isDeepStrictEqual(read(plain), read(explained))),
    ).toEqual([]);
  });

  it("are put into words without the coupons that are taken, unless they say that they read these", () => {
    const cases = Object.values(RULES).flatMap(({ passes, refuses }) => [...passes, ...refuses]);
    const readers = new Set<string>();
    for (const [terms, circumstances] of cases)
      for (const rule of CONDITION_RULES) {
        const now = situation(circumstances);
        const watched = Object.defineProperty({ ...now }, "taken", {
          get: () => (readers.add(rule.name), now.taken),
        });
        if (terms !== null) rule.words(candidate(terms), watched, 1n);
      }

    expect([...readers]).toEqual(
      CONDITION_RULES.filter(({ readsTaken }) => readsTaken).map(({ name }) => name),
    );
    expect([...readers]).toEqual(["combination"]);
  });

  it("leave out, for a gift card, those that only a purchase can meet", () => {
    const card = candidate({
      type: "gift_card",
      minPurchaseE2: 1n,
      branchGroupId: 99,
      config: { onlyDeliveries: true, onlyFirstPurchase: true, amountLimitE2: 0, targetBlacklist: [5] },
    });

    expect([...judgeGiftCard(card, situation())].map(({ rule }) => rule)).toEqual([
      "found",
      "running",
      "total_count",
      "code",
      "whitelist",
      "segments",
      "excluded_segments",
      "days",
      "hours",
      "registration",
      "limit",
    ]);
    expect(firstFailed(judgeGiftCard(card, situation()))).toBeUndefined();
  });
});
