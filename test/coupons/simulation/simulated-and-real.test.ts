import { Random } from "../../../src/demo/random.js";
import { createBranch, createCompany, createGood, signedInClient } from "../../support/factories.js";
import { startGateway, type Gateway } from "../../support/gateway.js";
import { runningCoupon } from "../running-coupon.js";
import { STATS, told, WhatIf } from "./what-if.js";

type Draft = Parameters<typeof runningCoupon>[2];

describe("a draft and the coupon that it becomes", () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  it("give the same for the same orders, to the hundredth", async () => {
    const company = await createCompany(gateway, { settings: { currencyIso: "USD" } });
    const { id: companyId } = company;
    const whatIf = new WhatIf(gateway, companyId, company.owner);
    const random = new Random(7);
    const clients = await Promise.all([1, 2, 3].map(() => signedInClient(gateway, companyId)));
    const goods = await Promise.all([1, 2, 3].map(() => createGood(gateway, companyId)));
    const branch = await createBranch(gateway, companyId);
    const orders: number[] = [];
    for (let n = 0; n < 30; n += 1) {
      const lines = random.sample(goods, random.int(0, 3)).map(({ id: goodId }) => {
        const quantity = random.int(1, 6);
        return { companyId, goodId, quantity, totalPriceE2: random.int(quantity * 30, 2_000) };
      });
      const ofLines = lines.reduce((sum, { totalPriceE2 }) => sum + totalPriceE2, 0);
      const subtotalE2 = lines.length === 0 ? random.int(300, 4_000) : ofLines;
      const deliveryE2 = random.int(1, 400);
      const { id } = await whatIf.order(new Date(Date.UTC(2026, 8, 1, n)).toISOString(), subtotalE2, {
        ...{ deliveryE2, totalE2: subtotalE2 + deliveryE2, currencyIso: random.chance(0.85) ? "USD" : "EUR" },
        clientId: random.chance(0.8) ? random.pick(clients).id : null,
        branchId: random.chance(0.5) ? branch.id : null,
      });
      await gateway.db.orderItem.createMany({ data: lines.map((one) => ({ ...one, orderId: id })) });
      orders.push(id);
    }
    const some = { include: { goodIds: goods.slice(0, 2).map(({ id }) => id) } };
    const drafts: Draft[] = [
      {
        priceE2: 0,
        pricePrc: "0.07",
        config: { amountLimitE2: 2_345, companyAssumptionPrc: 33 },
      },
      { priceE2: 333, config: { limit: 3, maxDiscountE2: 250 } },
      { priceE2: 90, pricePrc: "0.11", appliesTo: "total", totalCount: 9 },
      { priceE2: 0, pricePrc: "0.25", config: { goods: some, clientAmountLimitE2: 900 } },
      { priceE2: 0, config: { bundle: { buy: 2, get: 1, pricePrc: 0.5 } } },
      { priceE2: 150, appliesTo: "delivery", config: { usableInPromos: false } },
      {
        priceE2: 0,
        pricePrc: "0.9",
        minPurchaseE2: 1_000n,
        config: { onlyFirstPurchase: true },
      },
    ];

    for (const draft of drafts) {
      const { pricePrc = "0", minPurchaseE2 = 0n, ...rest } = draft ?? {};
      const input = {
        ...rest,
        type: "batch",
        promoCode: "DRAFT",
        pricePrc: Number(pricePrc),
        minPurchaseE2: Number(minPurchaseE2),
      };
      const groupings = [[], ["client", "currency"], ["branch", "type"]];
      const simulated = [];
      for (const groupBy of groupings) simulated.push(await whatIf.rows(input, { groupBy }));
      const { id, codes } = await runningCoupon(gateway, companyId, draft);
      for (const orderId of orders)
        await company.owner.run(
          `mutation ($companyId: Int!, $input: ConsumeCouponsInput!) {
            consumeCoupons(companyId: $companyId, input: $input) { totalDiscountE2 } }`,
          { companyId, input: { orderId, codes } },
        );
      const real = [];
      for (const groupBy of groupings)
        real.push(
          told(await company.owner.run(STATS, { companyId, groupBy, filter: { couponId: { eq: id } } })),
        );

      // Uses are made now, after those of the earlier drafts: who is new differs from then on.
      const isFirst = draft === drafts[0];
      const comparable = (rows: object[][]) =>
        rows.map((all) => all.map((row) => (isFirst ? row : { ...row, newClients: undefined })));
      expect(comparable(simulated)).toEqual(comparable(real));
      expect(simulated[0]?.[0]).toMatchObject({
        uses: expect.any(Number),
        refusedAttempts: expect.any(Number),
      });
    }
  });
});
