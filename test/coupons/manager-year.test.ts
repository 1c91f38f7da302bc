import { createBranchGroup, createGood, signedInClient } from "../support/factories.js";
import { beginOf } from "../../src/core/time/zones.js";
import { dataOf, startGateway, type Gateway } from "../support/gateway.js";
import { openDesk } from "./campaign-desk.js";
import { createOrder, tally } from "./running-coupon.js";

describe("a manager's year of campaigns, for goods and clients", () => {
  let gateway: Gateway;
  let desk: Awaited<ReturnType<typeof openDesk>>;
  let companyId: number;
  beforeAll(async () => {
    gateway = await startGateway({ own: "database", environment: { RATE_LIMIT: "0" } });
  });
  beforeEach(async () => {
    desk = await openDesk(gateway);
    companyId = desk.company.id;
  });
  afterAll(() => gateway.close());

  const good = async (priceE2: number, more: Record<string, unknown> = {}) =>
    (await createGood(gateway, companyId, { priceE2, ...more })).id;
  const category = async (parentId: number | null = null) =>
    (await gateway.db.category.create({ data: { companyId, name: "Category", parentId } })).id;
  const inCategory = (goodId: number, categoryId: number) =>
    gateway.db.goodCategory.create({ data: { companyId, goodId, categoryId } });
  const tagged = async (goodId: number) => {
    const { id: goodTagId } = await gateway.db.goodTag.create({ data: { companyId, name: "Sale" } });
    await gateway.db.goodTagGood.create({ data: { companyId, goodId, goodTagId } });
    return goodTagId;
  };
  const buy = (...lines: readonly (readonly [goodId: number, quantity: number])[]) =>
    lines.map(([goodId, quantity]) => ({ goodId, quantity }));
  const sharesOf = async (orderId: number) =>
    (
      await gateway.db.couponRedemption.findMany({
        where: { companyId, orderId, returnedAt: null },
        orderBy: { id: "asc" },
      })
    ).map(({ items }) => (items as { amountE2: number }[]).map(({ amountE2 }) => amountE2));

  describe("3 for 2, the cheapest free", () => {
    const terms = { type: "promo", config: { bundle: { buy: 2, get: 1, price_prc: 1 } } };

    it("counts sets over all items, and takes the cheapest units of all", async () => {
      const { campaign, order, consumed } = desk;
      const { id } = await campaign(terms);
      const [dear, middle, cheap] = [await good(1_000), await good(600), await good(400)];
      const given = async (subtotalE2: number, items: ReturnType<typeof buy>) =>
        (await consumed({ couponId: id, orderId: await order(subtotalE2, { items }) })).amountE2;

      expect(await given(2_000, buy([dear, 2]))).toBe(0);
      expect(await given(3_000, buy([dear, 3]))).toBe(1_000);
      expect(await given(2_400, buy([dear, 2], [cheap, 1]))).toBe(400);
      expect(await given(3_000, buy([dear, 1], [middle, 1], [cheap, 1], [await good(1_000), 1]))).toBe(400);
      expect(await given(4_600, buy([dear, 3], [middle, 2], [cheap, 1]))).toBe(1_000);
      expect(await given(9_000, buy([dear, 9]))).toBe(3_000);
    });

    it("shares it among all items by their prices", async () => {
      const { campaign, order, consumed } = desk;
      const { id } = await campaign(terms);
      const orderId = await order(2_400, { items: buy([await good(1_000), 2], [await good(400), 1]) });

      await consumed({ couponId: id, orderId });

      expect(await sharesOf(orderId)).toEqual([[333, 67]]);
    });

    it("is shown for a basket without an order, in a cart, and for none without items", async () => {
      const { campaign, checked } = desk;
      const { codes } = await campaign({ ...terms, type: "batch", promo_code: "THREETWO" });
      const items = buy([await good(500), 6]);

      expect(await checked({ couponCode: codes[0], subtotalE2: 3_000, items })).toMatchObject({
        discountE2: 1_000,
      });
      expect(await checked({ couponCode: codes[0], subtotalE2: 3_000 })).toBe("COUPON_WRONG_TARGET");
    });
  });

  it("2 for 1 on the dearest, and the second at half price", async () => {
    const { campaign, checked } = desk;
    const dearest = await campaign({
      ...{ type: "batch", promo_code: "DEAREST" },
      config: { bundle: { buy: 1, get: 1, price_prc: 1, cheapest: false } },
    });
    const half = await campaign({
      ...{ type: "batch", promo_code: "SECONDHALF" },
      config: { bundle: { buy: 1, get: 1, price_prc: 0.5 } },
    });
    const items = buy([await good(999), 1], [await good(401), 1]);

    expect(await checked({ couponCode: dearest.codes[0], subtotalE2: 1_400, items })).toMatchObject({
      discountE2: 999,
    });
    expect(await checked({ couponCode: half.codes[0], subtotalE2: 1_400, items })).toMatchObject({
      discountE2: 201,
    });
  });

  it("20 % of a category and those below it, but for what is on sale, from 50.00 of everything on", async () => {
    const { campaign, order, consumed } = desk;
    const [food, cheese] = [await category(), await category()];
    await gateway.db.category.update({
      where: { companyId_id: { companyId, id: cheese } },
      data: { parentId: food },
    });
    const [bread, brie, onSale, soap] = [
      await good(1_000),
      await good(700),
      await good(800),
      await good(3_000),
    ];
    await inCategory(bread, food);
    await inCategory(brie, cheese);
    await inCategory(onSale, food);
    const sale = await tagged(onSale);
    const { id, codes } = await campaign({
      ...{ type: "batch", promo_code: "FOOD20", price_prc: 0.2, applies_to: "total", min_purchase_e2: 5_000 },
      config: { goods: { include: { category_ids: [food] }, exclude: { good_tag_ids: [sale] } } },
    });
    const basket = buy([bread, 1], [brie, 2], [onSale, 1], [soap, 1]);
    const used = await order(6_200, { deliveryE2: 500, items: basket });
    const small = await order(1_700, { items: buy([bread, 1], [brie, 1]) });
    const other = await order(6_800, { items: buy([onSale, 1], [soap, 2]) });

    expect(await consumed({ code: codes[0], orderId: used })).toMatchObject({ amountE2: 480 });
    const before = await tally(gateway, companyId, id);
    expect(await consumed({ code: codes[0], orderId: small })).toBe("COUPON_MIN_PURCHASE");
    expect(await consumed({ code: codes[0], orderId: other })).toBe("COUPON_WRONG_TARGET");
    expect(await tally(gateway, companyId, id)).toEqual(before);
    expect(await sharesOf(used)).toEqual([[200, 280, 0, 0]]);
  });

  it("by goods, types and shops, one list sufficing", async () => {
    const { campaign, checked } = desk;
    const { id: shop } = await createBranchGroup(gateway, companyId);
    const { id: type } = await gateway.db.goodType.create({ data: { companyId, name: "Type" } });
    const [named, typed, ofShop, none] = [
      await good(100),
      await good(200, { goodTypeId: type }),
      await good(400, { branchGroupId: shop }),
      await good(800),
    ];
    const { codes } = await campaign({
      ...{ type: "batch", promo_code: "LISTS", price_prc: 1 },
      config: { goods: { include: { good_ids: [named], good_type_ids: [type], branch_group_ids: [shop] } } },
    });
    const gives = (goodId: number) =>
      checked({ couponCode: codes[0], subtotalE2: 1_000, items: buy([goodId, 1], [none, 1]) });

    expect(await gives(named)).toMatchObject({ discountE2: 100 });
    expect(await gives(typed)).toMatchObject({ discountE2: 200 });
    expect(await gives(ofShop)).toMatchObject({ discountE2: 400 });
    expect(await gives(none)).toBe("COUPON_WRONG_TARGET");
  });

  it("free delivery with a good of a brand", async () => {
    const { campaign, order, consumed } = desk;
    const brand = await good(1_000);
    const { codes } = await campaign({
      ...{ type: "batch", promo_code: "BRANDED", price_prc: 1, applies_to: "delivery" },
      config: { goods: { include: { good_ids: [brand] } } },
    });
    const [withBrand, without] = [
      await order(3_000, { deliveryE2: 450, items: buy([brand, 1], [await good(2_000), 1]) }),
      await order(3_000, { deliveryE2: 450, items: buy([await good(3_000), 1]) }),
    ];

    expect(await consumed({ code: codes[0], orderId: withBrand })).toMatchObject({ amountE2: 450 });
    expect(await consumed({ code: codes[0], orderId: without })).toBe("COUPON_WRONG_TARGET");
  });

  it("of two for the same goods the second gets what is left of these", async () => {
    const { campaign, order, consumedAll } = desk;
    const own = await good(1_000);
    const terms = { type: "batch", price_prc: 0.6, config: { goods: { include: { good_ids: [own] } } } };
    const [one, two] = [
      await campaign({ ...terms, promo_code: "SIXTY1" }),
      await campaign({ ...terms, promo_code: "SIXTY2" }),
    ];
    const orderId = await order(6_000, { items: buy([own, 1], [await good(5_000), 1]) });

    const taken = await consumedAll({ orderId, codes: [one.codes[0], two.codes[0]] });

    expect(taken).toMatchObject({ totalDiscountE2: 1_000, uses: [{ amountE2: 600 }, { amountE2: 400 }] });
    expect(await sharesOf(orderId)).toEqual([
      [600, 0],
      [400, 0],
    ]);
  });

  it.each(["day", "week", "month"] as const)("once a %s for each client", async (period) => {
    const { campaign, order, consumed, checked } = desk;
    const [{ id: clientId }, { id: another }] = [
      await signedInClient(gateway, companyId),
      await signedInClient(gateway, companyId),
    ];
    const { id, codes } = await campaign({
      ...{ type: "batch", promo_code: "ONCE1", price_e2: 100 },
      config: { limit: 1, limit_period: period },
    });
    const begin = beginOf(period, "-04:00", new Date());
    const usedAt = async (client: number, createdAt: Date) =>
      gateway.db.couponRedemption.create({
        data: {
          ...{ companyId, couponId: id, code: "ONCE1", clientId: client, amountE2: 100, createdAt },
          orderId: (await createOrder(gateway, companyId)).id,
        },
      });
    await usedAt(clientId, new Date(begin.getTime() - 1));
    await usedAt(another, begin);
    await gateway.db.coupon.update({
      where: { companyId_id: { companyId, id } },
      data: { spentCount: 2, spentAmountE2: 200 },
    });
    const use = async (client: number) =>
      consumed({ code: codes[0], orderId: await order(1_000, { clientId: client }) });
    const check = (client: number) => checked({ couponCode: codes[0], clientId: client, subtotalE2: 1_000 });

    expect([await check(clientId), await check(another)]).toMatchObject([
      { discountE2: 100 },
      "COUPON_LIMIT",
    ]);
    expect([await use(clientId), await use(clientId), await use(another)]).toEqual([
      { amountE2: 100, companyAmountE2: 0 },
      ...["COUPON_LIMIT", "COUPON_LIMIT"],
    ]);
    expect((await tally(gateway, companyId, id)).counters.spent).toBe(3);
  });

  it("once a day for each client, however many orders ask at once", async () => {
    const { campaign, order, consumed } = desk;
    const { id: clientId } = await signedInClient(gateway, companyId);
    const { codes } = await campaign({
      ...{ type: "batch", promo_code: "ONCEADAY", price_e2: 100 },
      config: { limit: 1, limit_period: "day" },
    });
    const orders = await Promise.all(Array.from({ length: 8 }, () => order(1_000, { clientId })));

    const outcomes = await Promise.all(orders.map((orderId) => consumed({ code: codes[0], orderId })));

    expect(outcomes.filter((outcome) => outcome === "COUPON_LIMIT")).toHaveLength(7);
  });

  it("10 % up to 30.00 for each client, held and used together", async () => {
    const { campaign, order, consumed, held, returned } = desk;
    const { id: clientId } = await signedInClient(gateway, companyId);
    const { id: another } = await signedInClient(gateway, companyId);
    const { id, codes } = await campaign({
      ...{ type: "batch", promo_code: "THIRTY", price_prc: 0.1 },
      config: { client_amount_limit_e2: 3_000 },
    });
    const [code] = codes;
    const first = await order(15_000, { clientId });
    const second = await order(10_000, { clientId });

    expect(await consumed({ code, orderId: first })).toMatchObject({ amountE2: 1_500 });
    expect(await held({ code, orderId: second })).toMatchObject({ amountE2: 1_000 });
    expect(await consumed({ code, orderId: await order(5_010, { clientId }) })).toBe("COUPON_AMOUNT_LIMIT");
    expect(await consumed({ code, orderId: await order(5_000, { clientId }) })).toMatchObject({
      amountE2: 500,
    });
    expect(await consumed({ code, orderId: second })).toMatchObject({ amountE2: 1_000 });
    expect(await consumed({ code, orderId: await order(100, { clientId }) })).toBe("COUPON_AMOUNT_LIMIT");
    expect(await consumed({ code, orderId: await order(30_000, { clientId: another }) })).toMatchObject({
      amountE2: 3_000,
    });
    expect(await consumed({ code, orderId: await order(1_000) })).toBe("COUPON_AMOUNT_LIMIT");
    expect(await returned({ code, orderId: first })).toMatchObject({ amountE2: 1_500 });
    expect(await consumed({ code, orderId: await order(15_000, { clientId }) })).toMatchObject({
      amountE2: 1_500,
    });
    expect((await tally(gateway, companyId, id)).counters).toMatchObject({ given: 6_000, held: 0 });
  });

  it("a client's budget that holds, however many orders ask at once", async () => {
    const { campaign, order, consumed } = desk;
    const { id: clientId } = await signedInClient(gateway, companyId);
    const { id, codes } = await campaign({
      ...{ type: "batch", promo_code: "BUDGET", price_e2: 400 },
      config: { client_amount_limit_e2: 1_000 },
    });
    const orders = await Promise.all(Array.from({ length: 8 }, () => order(1_000, { clientId })));

    const outcomes = await Promise.all(orders.map((orderId) => consumed({ code: codes[0], orderId })));

    expect(outcomes.filter((outcome) => outcome === "COUPON_AMOUNT_LIMIT")).toHaveLength(6);
    expect((await tally(gateway, companyId, id)).counters).toMatchObject({ spent: 2, given: 800 });
  });

  it("tiers: 5 % from 20.00, 10 % from 50.00, 15 % from 100.00 on, one of them", async () => {
    const { campaign, order, consumedAll } = desk;
    for (const [min_purchase_e2, price_prc] of [
      [2_000, 0.05],
      [5_000, 0.1],
      [10_000, 0.15],
    ])
      await campaign({ type: "promo", price_prc, min_purchase_e2, config: { collision_slot: 7 } });
    const given = async (subtotalE2: number) =>
      (await consumedAll({ orderId: await order(subtotalE2), withPromos: true })).totalDiscountE2;

    const all = [];
    for (const subtotalE2 of [1_999, 2_000, 4_999, 5_000, 9_999, 10_000]) all.push(await given(subtotalE2));
    expect(all).toEqual([0, 100, 250, 500, 1_000, 1_500]);
  });

  it("a happy hour from 17:00 to 18:59, by the clock of Berlin before and after it is changed", async () => {
    const { campaign, checked, company } = desk;
    dataOf(
      await company.owner.run(
        `mutation ($id: Int!) { updateCompany(companyId: $id, input: { timeZone: "Europe/Berlin" }) { timeZone } }`,
        { id: companyId },
      ),
    );
    const { codes } = await campaign({
      ...{ type: "batch", promo_code: "HAPPY", price_e2: 100 },
      config: { hour_beg: "17:00", hour_end: "18:59" },
    });
    const at = async (datetime: string) => {
      const found = await checked({ couponCode: codes[0], subtotalE2: 1_000, datetime });
      return found === "COUPON_OUTSIDE_HOURS" ? null : (found.discountE2 as number);
    };

    const told = [];
    for (const moment of [
      ...["2027-03-27T15:59:59Z", "2027-03-27T16:00:00Z", "2027-03-27T17:59:59Z", "2027-03-27T18:00:00Z"],
      ...["2027-03-28T14:59:59Z", "2027-03-28T15:00:00Z", "2027-03-28T16:59:59Z", "2027-03-28T17:00:00Z"],
      // Without an offset it is local.
      ...["2027-03-28 17:00:00", "2027-03-28 19:00:00"],
    ])
      told.push(await at(moment));

    expect(told).toEqual([null, 100, 100, null, null, 100, 100, null, 100, null]);
  });
});
