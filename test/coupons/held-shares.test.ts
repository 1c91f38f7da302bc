import { createCompany, createGood, type TestCompany } from "../support/factories.js";
import { dataOf, startGateway, type Gateway } from "../support/gateway.js";
import { createOrder, runningCoupon, tally } from "./running-coupon.js";

const USE = "amountE2 items { goodId quantity amountE2 }";
const UNUSED = { spent: 0, given: 0, held: 0, reserved: 0 };

describe("how a hold is split over the lines", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let goods: number[];
  beforeAll(async () => {
    gateway = await startGateway();
    company = await createCompany(gateway);
    goods = [];
    for (let n = 0; n < 2; n += 1) goods.push((await createGood(gateway, company.id)).id);
  });
  afterAll(() => gateway.close());

  const mutation = (name: string, fields: string) => async (input: object) => {
    const document = `mutation ($companyId: Int!, $input: ${name[0]?.toUpperCase()}${name.slice(1)}Input!) {
        ${name}(companyId: $companyId, input: $input) { ${fields} } }`;
    return dataOf(await company.owner.run(document, { companyId: company.id, input }))[name];
  };
  const consume = mutation("consumeCoupon", USE);
  const consumeAll = mutation("consumeCoupons", `uses { ${USE} }`);
  const hold = mutation("holdCoupon", "amountE2");
  const giveBack = mutation("returnCoupon", "amountE2");
  const giveItemsBack = mutation("returnCouponItems", "amountE2");
  const discounts = async (input: object) => {
    const { discounts } = dataOf(
      await company.owner.run(
        `query ($companyId: Int!, $input: DiscountsInput!) {
          discounts(companyId: $companyId, input: $input) { applied { discountE2 items { amountE2 } } } }`,
        { companyId: company.id, input },
      ),
    );
    return discounts.applied;
  };
  const itemsOf = (...prices: readonly number[]) =>
    prices.map((totalPriceE2, n) => ({ goodId: goods[n % goods.length], quantity: 1, totalPriceE2 }));
  const order = async (...prices: readonly number[]) => {
    const subtotalE2 = prices.reduce((sum, price) => sum + price, 0);
    const { id } = await mutation("createOrder", "id")({ subtotalE2, items: itemsOf(...prices) });
    return id as number;
  };
  const change = async (id: number, items: ReturnType<typeof itemsOf>) => {
    const subtotalE2 = items.reduce((sum, { totalPriceE2 }) => sum + (totalPriceE2 ?? 0), 0);
    const document = `mutation ($companyId: Int!, $id: Int!, $input: UpdateOrderInput!) {
        updateOrder(companyId: $companyId, id: $id, input: $input) { id } }`;
    const input = { subtotalE2, totalE2: subtotalE2, items };
    dataOf(await company.owner.run(document, { companyId: company.id, id, input }));
  };
  const coupon = async (terms: Parameters<typeof runningCoupon>[2]) => {
    const { id, codes } = await runningCoupon(gateway, company.id, terms);
    return { id, code: codes[0] as string };
  };
  const amounts = ({ items }: { items: readonly { amountE2: number }[] }) =>
    items.map(({ amountE2 }) => amountE2);
  const counters = async (id: number) => {
    const { counters: told, rows } = await tally(gateway, company.id, id);
    expect(rows).toEqual(told);
    return told;
  };

  it("stays, cut to what each line can bear, where the order becomes smaller", async () => {
    const { id, code } = await coupon({ priceE2: 500 });
    const orderId = await order(1_000, 1_000);
    await hold({ code, orderId });

    await change(orderId, itemsOf(100, 1_000));
    const held = await counters(id);
    const shown = await discounts({ codes: [code], orderId });
    const used = await consume({ code, orderId });

    expect(held).toEqual({ ...UNUSED, held: 1, reserved: 350 });
    expect(shown).toEqual([{ discountE2: 350, items: [{ amountE2: 100 }, { amountE2: 250 }] }]);
    expect([used.amountE2, amounts(used)]).toEqual([350, [100, 250]]);
    expect(await giveItemsBack({ orderId, items: [{ goodId: goods[0], quantity: 1 }] })).toEqual({
      amountE2: 100,
    });
    expect(await counters(id)).toEqual({ ...UNUSED, spent: 1, given: 250 });
    expect(await giveItemsBack({ orderId, items: [{ goodId: goods[1], quantity: 1 }] })).toEqual({
      amountE2: 250,
    });
    expect(await counters(id)).toEqual(UNUSED);
  });

  it.each([
    ["alone", async (code: string, orderId: number) => consume({ code, orderId })],
    [
      "in a basket",
      async (code: string, orderId: number) => (await consumeAll({ codes: [code], orderId })).uses[0],
    ],
  ])("stays where another use was given back meanwhile: taken %s", async (_, take) => {
    const first = await coupon({
      priceE2: 900,
      config: { goods: { include: { goodIds: [goods[0] as number] } } },
    });
    const { id, code } = await coupon({ priceE2: 500 });
    const orderId = await order(1_000, 1_000);
    await consume({ code: first.code, orderId });
    await hold({ code, orderId });

    await giveBack({ code: first.code, orderId });
    const used = await take(code, orderId);

    expect([used.amountE2, amounts(used)]).toEqual([500, [45, 455]]);
    expect(await giveItemsBack({ orderId, items: [{ goodId: goods[1], quantity: 1 }] })).toEqual({
      amountE2: 455,
    });
    expect(await counters(id)).toEqual({ ...UNUSED, spent: 1, given: 45 });
  });

  it("is found anew with its amount where it is held anew, and stays with an amount that stays", async () => {
    const free = await coupon({ priceE2: 500 });
    const bound = await coupon({ priceE2: 0, pricePrc: "0.5", config: { amountLimitE2: 1_000 } });
    const orderIds = [await order(1_000, 1_000), await order(1_000, 1_000)] as const;
    await hold({ code: free.code, orderId: orderIds[0] });
    await hold({ code: bound.code, orderId: orderIds[1] });
    for (const orderId of orderIds) await change(orderId, itemsOf(4_000, 1_000));

    await hold({ code: free.code, orderId: orderIds[0] });
    await hold({ code: bound.code, orderId: orderIds[1] });

    expect(amounts(await consume({ code: free.code, orderId: orderIds[0] }))).toEqual([400, 100]);
    expect(amounts(await consume({ code: bound.code, orderId: orderIds[1] }))).toEqual([500, 500]);
  });

  it("stays where the use of an order without lines does not name the items of the hold", async () => {
    const { code } = await coupon({ priceE2: 500 });
    const { id: orderId } = await createOrder(gateway, company.id, { subtotalE2: 2_000, totalE2: 2_500 });
    await hold({ code, orderId, items: itemsOf(1_600, 400) });

    const used = await consume({ code, orderId });

    expect(used.items).toEqual([
      { goodId: goods[0], quantity: 1, amountE2: 400 },
      { goodId: goods[1], quantity: 1, amountE2: 100 },
    ]);
    expect(await giveItemsBack({ orderId, items: [{ goodId: goods[0], quantity: 1 }] })).toEqual({
      amountE2: 400,
    });
  });

  it("is made when it is taken where the hold named no items, of what it held for the goods", async () => {
    const other = await coupon({ priceE2: 1_800 });
    const { code } = await coupon({ priceE2: 500, appliesTo: "total" });
    const { id: orderId } = await createOrder(gateway, company.id, {
      ...{ subtotalE2: 2_000, deliveryE2: 800, totalE2: 2_800 },
    });
    await consume({ code: other.code, orderId });
    await hold({ code, orderId });
    await giveBack({ code: other.code, orderId });

    const used = await consume({ code, orderId, items: itemsOf(1_500, 500) });

    // 400 of it were held for the delivery.
    expect([used.amountE2, amounts(used)]).toEqual([500, [75, 25]]);
  });

  it("goes to another item of the same good where its own cannot bear it any more", async () => {
    const other = await coupon({ priceE2: 900 });
    const { code } = await coupon({ priceE2: 500 });
    const { id: orderId } = await createOrder(gateway, company.id, { subtotalE2: 1_000, totalE2: 1_000 });
    const alike = (...prices: readonly number[]) =>
      itemsOf(...prices).map((item) => ({ ...item, goodId: goods[0] }));
    await hold({ code, orderId, items: alike(950, 50) });

    const used = await consume({ code, orderId, items: alike(50, 950) });
    const rest = await consume({ code: other.code, orderId, items: alike(50, 950) });

    expect(amounts(used)).toEqual([50, 450]);
    expect([rest.amountE2, amounts(rest)]).toEqual([500, [0, 500]]);
  });
});
