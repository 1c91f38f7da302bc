import type { CouponConfig } from "../../src/slices/coupons/coupon-config.model.js";
import { createBranch, createBranchGroup, createCompany, createGood } from "../support/factories.js";
import { startGateway, type Client, type Gateway, type GraphqlResult } from "../support/gateway.js";
import { createOrder, runningCoupon, tally } from "./running-coupon.js";
import { randomly } from "../support/randomly.js";

const CHECK = /* GraphQL */ `
  mutation ($companyId: Int!, $input: CheckCouponInput!) {
    answer: checkCoupon(companyId: $companyId, input: $input) {
      amountE2: discountE2
      companyE2: companyDiscountE2
      explanation {
        rules {
          code
          passed
          judged
        }
      }
    }
  }
`;
const CHECK_AT_BRANCH = CHECK.replace("($companyId", "($branchId: Int!, $companyId").replace(
  "checkCoupon(",
  "checkCouponForBranch(branchId: $branchId, ",
);
const CONSUME = /* GraphQL */ `
  mutation ($companyId: Int!, $input: ConsumeCouponInput!) {
    answer: consumeCoupon(companyId: $companyId, input: $input) {
      amountE2
      companyE2: companyAmountE2
    }
  }
`;
/** At least so many cases are tried, then more until each reason was answered: which are answered depends on the hour, too. */
const CASES = 200;
const MOST_CASES = 1_000;
/** How many reasons a coupon that is used alone can have. */
const REASONS = 15;
const DAY_MS = 86_400_000;

const feeRule = (terms: object) =>
  ({ name: "rule", ...terms }) as NonNullable<CouponConfig["feeRules"]>[number];

interface Found {
  readonly code: string;
  readonly passed: boolean;
  readonly judged: boolean;
}

describe("a check and a use of the same purchase", () => {
  let gateway: Gateway;
  let companyId: number;
  let owner: Client;
  let shops: number[];
  let branches: { id: number; shop: number | null }[];
  let goods: { id: number; shop: number | null }[];
  let clients: number[];
  beforeAll(async () => {
    gateway = await startGateway();
    ({ id: companyId, owner } = await createCompany(gateway));
    shops = [];
    branches = [];
    goods = [];
    for (let n = 0; n < 3; n += 1) shops.push((await createBranchGroup(gateway, companyId)).id);
    for (const shop of [...shops, ...shops, null]) {
      const ofShop = shop === null ? {} : { branchGroupId: shop };
      branches.push({ id: (await createBranch(gateway, companyId, ofShop)).id, shop });
      goods.push({
        id: (await createGood(gateway, companyId, { type: goods.length % 2, ...ofShop })).id,
        shop,
      });
    }
    const ages = [0, 10, 100, 400];
    const rows = await gateway.db.client.createManyAndReturn({
      data: ages.map((days) => ({
        companyId,
        name: `${days} days`,
        registeredAt: new Date(Date.now() - days * DAY_MS),
      })),
    });
    clients = rows.map(({ id }) => id);
  });
  afterAll(() => gateway.close());

  it("give the same reason or the same discount, whatever coupon and purchase", async () => {
    const random = randomly(14);
    const seldom = (chance = 0.15): boolean => random() < chance;
    const upTo = (most: number): number => Math.floor(random() * (most + 1));
    const oneOf = <T>(values: readonly T[]): T => values[upTo(values.length - 1)] as T;
    const someOf = <T>(values: readonly T[]): T[] => values.filter(() => random() < 0.5);
    const clock = (): string => `${String(upTo(23)).padStart(2, "0")}:00`;
    const ago = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();
    const told = new Map<string, number>();
    let given = 0;

    const configOf = (): CouponConfig => ({
      ...(seldom() && { limit: upTo(2) }),
      ...(seldom() && { amountLimitE2: 1 + upTo(2_000) }),
      ...(seldom(0.3) && { maxDiscountE2: upTo(2_000) }),
      ...(seldom() && { usersRegisteredSince: ago(50) }),
      ...(seldom() && { usersRegisteredUntil: ago(50) }),
      ...(seldom() && { onlyFirstPurchase: true }),
      ...(seldom(0.1) && { excludeFirstPurchase: true }),
      ...(seldom(0.5) && { firstPurchaseMode: oneOf(["company", "branch_group", "branch"] as const) }),
      ...(seldom() && { onlyDeliveries: true }),
      ...(seldom(0.3) && { companyAssumptionPrc: upTo(100) }),
      ...(seldom() && { days: someOf([0, 1, 2, 3, 4, 5, 6]) }),
      ...(seldom() && { hourBeg: clock(), hourEnd: clock() }),
      ...(seldom(0.3) && { applyForUnit: true }),
      ...(seldom(0.1) && { sourceWhitelist: ["web"] }),
      ...(seldom() && { targetBlacklist: [oneOf(shops), oneOf(branches).id] }),
      ...(seldom() && { feeRules: [feeRule({ priceMinE2: upTo(10_000), hourBeg: clock() })] }),
    });
    const couponOf = async () => {
      const type = oneOf(["batch", "batch", "personal"]);
      const targetType = oneOf(["company", "company", "branch_group", "branch"]);
      const coupon = await runningCoupon(gateway, companyId, {
        type,
        targetType,
        totalCount: seldom(0.1) ? 1 : 20,
        priceE2: upTo(3_000),
        pricePrc: (upTo(10_000) / 10_000).toFixed(4),
        appliesTo: oneOf(["total", "subtotal", "base_price", "service", "delivery"]),
        minPurchaseE2: seldom(0.3) ? upTo(12_000) : 0,
        ...(seldom(0.1) && { branchGroupId: oneOf(shops) }),
        ...(seldom() && { whitelist: someOf(clients) }),
        ...(seldom(0.05) && { status: "finished" }),
        ...(seldom(0.05) && { deletedAt: new Date() }),
        config: configOf(),
      });
      const link = { companyId, couponId: coupon.id };
      if (targetType === "branch_group")
        await gateway.db.couponBranchGroup.createMany({
          data: someOf(shops).map((branchGroupId) => ({ ...link, branchGroupId })),
        });
      if (targetType === "branch")
        await gateway.db.couponBranch.createMany({
          data: someOf(branches).map(({ id: branchId }) => ({ ...link, branchId })),
        });
      return coupon;
    };
    const purchaseOf = () => {
      const branch = seldom(0.7) ? oneOf(branches) : null;
      const sold = goods.filter(({ shop }) => branch === null || shop === null || shop === branch.shop);
      const goodIds = someOf(sold).map(({ id }) => id);
      return {
        order: {
          branchId: branch?.id ?? null,
          clientId: seldom(0.8) ? oneOf(clients) : null,
          source: oneOf(["web", "app", null]),
          subtotalE2: 1 + upTo(20_000),
          deliveryE2: seldom(0.5) ? upTo(900) : 0,
        },
        circumstances: {
          ...(seldom(0.5) && { time: clock() }),
          ...(seldom(0.5) && { datetime: new Date(Date.now() + (1 + upTo(9)) * DAY_MS).toISOString() }),
          ...(seldom(0.3) && { goods: goodIds }),
          ...(seldom(0.3) && { items: goodIds.map((goodId) => ({ goodId, quantity: 1 + upTo(2) })) }),
        },
      };
    };

    const isEnough = (tried: number): boolean => tried >= CASES && told.size >= REASONS;
    for (let number = 0; number < MOST_CASES && !isEnough(number); number += 1) {
      const { id: couponId, codes } = await couponOf();
      const before = seldom(0.3) ? [purchaseOf(), purchaseOf()] : [purchaseOf()];
      for (const { order, circumstances } of before) {
        const { branchId, ...facts } = order;
        const purchase = { ...circumstances, ...facts };
        const checked = await owner.run(branchId === null ? CHECK : CHECK_AT_BRANCH, {
          companyId,
          branchId: branchId ?? undefined,
          input: { ...purchase, couponCode: codes[0], explain: true },
        });
        const { id: orderId } = await createOrder(gateway, companyId, {
          ...order,
          totalE2: order.subtotalE2 + order.deliveryE2,
        });
        const { counters } = await tally(gateway, companyId, couponId);
        const used = await owner.run(CONSUME, {
          companyId,
          input: { ...circumstances, code: codes[0], orderId },
        });

        const expected = expectedOf(checked);
        const reason = used.errors?.[0]?.extensions["code"] as string | undefined;
        expect({ number, ...(reason === undefined ? used.data?.["answer"] : { reason }) }).toEqual({
          number,
          ...expected,
        });
        if (reason === undefined) given += 1;
        else {
          told.set(reason, (told.get(reason) ?? 0) + 1);
          expect((await tally(gateway, companyId, couponId)).counters).toEqual(counters);
        }
      }
    }

    expect(given).toBeGreaterThan(CASES / 10);
    expect(told.size).toBe(REASONS);
  }, 300_000);

  /** What a use has to answer: a check leaves open what a use refuses, and reports no more than the first refusal. */
  function expectedOf({ data, errors }: GraphqlResult): object {
    const { explanation, ...amounts } = data?.["answer"] ?? {
      explanation: errors?.[0]?.extensions["explanation"],
    };
    const rules = explanation.rules as readonly Found[];
    const refused = rules.find(({ passed, judged }) => !passed || !judged);
    return refused === undefined ? amounts : { reason: refused.code };
  }
});
