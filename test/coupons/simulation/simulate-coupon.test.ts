import {
  adminWith,
  createBranch,
  createCompany,
  createGood,
  signedInClient,
} from "../../support/factories.js";
import { dataOf, errorCodes, startGateway, wrongFields, type Gateway } from "../../support/gateway.js";
import { runningCoupon, tally } from "../running-coupon.js";
import { WhatIf } from "./what-if.js";

describe("what a draft would have given", () => {
  let gateway: Gateway;
  let companyId: number;
  let whatIf: WhatIf;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    const company = await createCompany(gateway, {
      timeZoneOffset: "-04:00",
      settings: { currencyIso: "USD" },
    });
    companyId = company.id;
    whatIf = new WhatIf(gateway, companyId, company.owner);
  });
  afterAll(() => gateway.close());

  it("is nothing of a time without orders", async () => {
    await whatIf.order("2026-06-30T23:59:59Z", 1_000);
    await whatIf.order("2026-11-01T00:00:00Z", 1_000);

    expect(await whatIf.rows({ priceE2: 100 })).toEqual([{}]);
    expect(await whatIf.rows({ priceE2: 100 }, { groupBy: ["day"] })).toEqual([]);
  });

  it("goes by the order of the orders in time, up to a budget that ends in the middle", async () => {
    await whatIf.order("2026-07-04T12:00:00Z", 9_000);
    await whatIf.order("2026-07-01T12:00:00Z", 5_000);
    await whatIf.order("2026-07-02T03:00:00Z", 300);
    await whatIf.order("2026-07-03T12:00:00Z", 6_000);
    const draft = { priceE2: 1_000, config: { amountLimitE2: 2_400, companyAssumptionPrc: 25 } };

    expect(await whatIf.rows(draft)).toEqual([
      { uses: 3, discountE2: 2_300, companyDiscountE2: 575, subtotalE2: 11_300, refusedAttempts: 1 },
    ]);
    expect(await whatIf.rows(draft, { groupBy: ["type", "day"] })).toEqual([
      {
        type: "promo",
        day: "2026-07-01",
        uses: 2,
        discountE2: 1_300,
        companyDiscountE2: 325,
        subtotalE2: 5_300,
      },
      {
        type: "promo",
        day: "2026-07-03",
        uses: 1,
        discountE2: 1_000,
        companyDiscountE2: 250,
        subtotalE2: 6_000,
      },
      { type: "promo", day: "2026-07-04", refusedAttempts: 1 },
    ]);
    expect(await whatIf.rows({ ...draft, totalCount: 1 })).toEqual([
      { uses: 1, discountE2: 1_000, companyDiscountE2: 250, subtotalE2: 5_000, refusedAttempts: 3 },
    ]);
  });

  it("counts the uses of a client by the company's days, also where the clocks change", async () => {
    await gateway.db.company.update({ where: { id: companyId }, data: { timeZone: "Europe/Berlin" } });
    const { id: clientId } = await signedInClient(gateway, companyId);
    const { id: otherId } = await signedInClient(gateway, companyId);
    // The 25th has 25 hours: from 22:00 to 23:00 UTC.
    for (const moment of ["24T21:59", "24T22:01", "25T22:59", "25T23:01"])
      await whatIf.order(`2026-10-${moment}:00Z`, 2_000, { clientId });
    await whatIf.order("2026-10-25T12:00:00Z", 3_000, { clientId: otherId });
    await whatIf.order("2026-10-25T13:00:00Z", 3_000);
    const draft = { pricePrc: 0.1, config: { limit: 1, limitPeriod: "day" } };

    expect(await whatIf.rows(draft, { groupBy: ["day"] })).toEqual([
      { day: "2026-10-24", uses: 1, discountE2: 200, subtotalE2: 2_000, clients: 1, newClients: 1 },
      {
        ...{ day: "2026-10-25", uses: 2, discountE2: 500, subtotalE2: 5_000, clients: 2, newClients: 1 },
        refusedAttempts: 2,
      },
      { day: "2026-10-26", uses: 1, discountE2: 200, subtotalE2: 2_000, clients: 1 },
    ]);
    expect(await whatIf.rows({ ...draft, config: { limit: 1, limitPeriod: "month" } })).toEqual([
      { uses: 2, discountE2: 500, subtotalE2: 5_000, clients: 2, newClients: 2, refusedAttempts: 4 },
    ]);
    const budget = { pricePrc: 0.1, config: { clientAmountLimitE2: 450 } };
    expect(await whatIf.rows(budget, { groupBy: ["client"] })).toEqual([
      {
        clientId,
        uses: 2,
        discountE2: 400,
        subtotalE2: 4_000,
        clients: 1,
        newClients: 1,
        refusedAttempts: 2,
      },
      { clientId: otherId, uses: 1, discountE2: 300, subtotalE2: 3_000, clients: 1, newClients: 1 },
      { refusedAttempts: 1 },
    ]);
  });

  it("is for its goods and bundles, and for the currency of its amounts", async () => {
    const [apple, pear] = [await createGood(gateway, companyId), await createGood(gateway, companyId)];
    const branch = await createBranch(gateway, companyId);
    const line = (orderId: number, goodId: number, quantity: number, totalPriceE2: number) =>
      gateway.db.orderItem.create({ data: { companyId, orderId, goodId, quantity, totalPriceE2 } });
    const fruit = await whatIf.order("2026-08-01T12:00:00Z", 3_700, { branchId: branch.id });
    await line(fruit.id, apple.id, 5, 2_500);
    await line(fruit.id, pear.id, 1, 1_200);
    const pears = await whatIf.order("2026-08-02T12:00:00Z", 1_200);
    await line(pears.id, pear.id, 1, 1_200);
    await whatIf.order("2026-08-03T12:00:00Z", 4_000, { currencyIso: "EUR" });
    const goods = { include: { goodIds: [apple.id] } };

    expect(await whatIf.rows({ pricePrc: 0.2, config: { goods } }, { groupBy: ["branch"] })).toEqual([
      { branchId: branch.id, uses: 1, discountE2: 500, subtotalE2: 3_700 },
      { refusedAttempts: 2 },
    ]);
    // Of five apples at 5.00 one is free; of all six units two sets, the cheapest of them.
    const bundle = { buy: 2, get: 1, pricePrc: 1 };
    expect(await whatIf.rows({ config: { goods, bundle } })).toEqual([
      { uses: 1, discountE2: 500, subtotalE2: 3_700, refusedAttempts: 2 },
    ]);
    expect(await whatIf.rows({ config: { bundle } })).toEqual([
      { uses: 1, discountE2: 1_000, subtotalE2: 3_700, refusedAttempts: 1 },
    ]);
    expect(await whatIf.rows({ priceE2: 100 }, { groupBy: ["currency"] })).toEqual([
      { currencyIso: "EUR", refusedAttempts: 1 },
      { currencyIso: "USD", uses: 2, discountE2: 200, subtotalE2: 4_900 },
    ]);
    expect(await whatIf.rows({ pricePrc: 0.5 }, { groupBy: ["currency"] })).toEqual([
      { currencyIso: "EUR", uses: 1, discountE2: 2_000, subtotalE2: 4_000 },
      { currencyIso: "USD", uses: 2, discountE2: 2_450, subtotalE2: 4_900 },
    ]);
  });

  it("is for clients of its lists and for first purchases", async () => {
    const [one, two] = [await signedInClient(gateway, companyId), await signedInClient(gateway, companyId)];
    for (const { id: clientId } of [one, two])
      for (const day of ["01", "02"]) await whatIf.order(`2026-09-${day}T12:00:00Z`, 1_000, { clientId });
    await whatIf.order("2026-09-03T12:00:00Z", 1_000);
    const segment = async (clientIds: number[], filter?: object): Promise<number> => {
      const data = { companyId, name: "Segment", listedCount: clientIds.length, ...(filter && { filter }) };
      const { id } = await gateway.db.clientSegment.create({ data });
      await gateway.db.clientSegmentMember.createMany({
        data: clientIds.map((clientId) => ({ companyId, segmentId: id, clientId })),
      });
      return id;
    };
    const sums = (uses: number, clients: number, refusedAttempts: number) => [
      {
        uses,
        discountE2: uses * 100,
        subtotalE2: uses * 1_000,
        clients,
        newClients: clients,
        refusedAttempts,
      },
    ];
    const draft = (config: object) => ({ priceE2: 100, config });

    expect(await whatIf.rows({ priceE2: 100, whitelist: [two.id] })).toEqual(sums(2, 1, 3));
    expect(await whatIf.rows(draft({ segmentIds: [await segment([one.id])] }))).toEqual(sums(2, 1, 3));
    const fitting = await segment([], { id: { eq: two.id } });
    expect(await whatIf.rows(draft({ segmentIds: [fitting], limit: 1 }))).toEqual(sums(1, 1, 4));
    expect(await whatIf.rows(draft({ excludedSegmentIds: [fitting] }))).toEqual(sums(3, 1, 2));
    expect(await whatIf.rows(draft({ onlyFirstPurchase: true }))).toEqual(sums(2, 2, 3));
    expect(await whatIf.rows(draft({ excludeFirstPurchase: true }))).toEqual(sums(2, 2, 3));
  });

  it("comes beside what orders have, leaves out canceled ones, and changes nothing", async () => {
    const { id: clientId } = await signedInClient(gateway, companyId);
    const orders = [
      await whatIf.order("2026-07-01T12:00:00Z", 2_000, { clientId }),
      await whatIf.order("2026-07-02T12:00:00Z", 2_000, { clientId }),
      await whatIf.order("2026-07-03T12:00:00Z", 0),
    ];
    await whatIf.order("2026-07-04T12:00:00Z", 2_000, { status: "canceled" });
    const coupon = await runningCoupon(gateway, companyId, { priceE2: 1_500, config: { collisionSlot: 4 } });
    const act = (name: string, orderId: number | undefined) =>
      gateway.platform.run(
        `mutation ($companyId: Int!, $input: ${name[0]?.toUpperCase()}${name.slice(1)}Input!) {
          answer: ${name}(companyId: $companyId, input: $input) { id } }`,
        { companyId, input: { orderId, code: coupon.codes[0] } },
      );
    dataOf(await act("consumeCoupon", orders[0]?.id));
    dataOf(await act("consumeCoupon", orders[1]?.id));
    dataOf(await act("returnCoupon", orders[1]?.id));
    const stored = async () => ({
      coupons: await gateway.db.coupon.findMany({ where: { companyId } }),
      tally: await tally(gateway, companyId, coupon.id),
      attempts: await gateway.db.couponAttempt.count({ where: { companyId } }),
      orders: await gateway.db.order.findMany({ where: { companyId }, orderBy: { id: "asc" } }),
    });
    const before = await stored();

    expect(await whatIf.rows({ priceE2: 900 })).toEqual([
      { uses: 2, discountE2: 1_400, subtotalE2: 4_000, clients: 1, newClients: 1 },
    ]);
    expect(await whatIf.rows({ priceE2: 900, config: { collisionSlot: 4 } })).toEqual([
      { uses: 1, discountE2: 900, subtotalE2: 2_000, clients: 1, newClients: 1, refusedAttempts: 1 },
    ]);
    expect(await stored()).toEqual(before);
  });

  it("is asked by whoever may see coupons, of a draft that may be used", async () => {
    const stranger = new WhatIf(gateway, companyId, await adminWith(gateway, companyId, "access_clients"));
    const seer = new WhatIf(gateway, companyId, await adminWith(gateway, companyId, "access_coupons"));
    const fields = async (draft: object, more: object = {}) => {
      const { errors } = await seer.ask(draft, more);
      return wrongFields(
        errors?.flatMap(({ extensions }) => extensions["errors"] as { field: string; rule: string }[]),
      );
    };

    expect(errorCodes(await stranger.ask({ priceE2: 100 }))).toEqual(["FORBIDDEN"]);
    expect(await seer.rows({ priceE2: 100 })).toEqual([{}]);
    expect(await fields({ type: "gift_card", priceE2: 100 })).toEqual(["type:type"]);
    expect(await fields({ type: "batch" })).toEqual(["promoCode:required"]);
    expect(await fields({ priceE2: -1 })).toEqual(["priceE2:min"]);
    expect(await fields({}, { from: "2025-01-01T00:00:00Z" })).toEqual(["until:max"]);
    expect(await fields({}, { from: "2026-12-01T00:00:00Z" })).toEqual(["until:after"]);
  });
});
