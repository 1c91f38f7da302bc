import { createCompany, createGood, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, startGateway, type Gateway } from "../support/gateway.js";
import { createOrder, runningCoupon, tally } from "./running-coupon.js";

const SHOWN = `totalDiscountE2 applied { coupon { id } discountE2 items { amountE2 } } refused { coupon { id } reason detail }`;
const UNUSED = { spent: 0, given: 0, held: 0, reserved: 0 };
const HALF = { priceE2: 0, pricePrc: "0.5" } as const;
const MOST = { priceE2: 0, pricePrc: "0.6" } as const;
const FREE_DELIVERY = { priceE2: 0, pricePrc: "1", appliesTo: "delivery" } as const;

describe("what discounts leave of each thing of an order", () => {
  let gateway: Gateway;
  let company: TestCompany;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    company = await createCompany(gateway);
  });
  afterAll(() => gateway.close());

  const send = (document: string, input: object) =>
    company.owner.run(document, { companyId: company.id, input });
  const mutation = (name: string, fields: string) => (input: object) =>
    send(
      `mutation ($companyId: Int!, $input: ${name[0]?.toUpperCase()}${name.slice(1)}Input!) {
        ${name}(companyId: $companyId, input: $input) { ${fields} } }`,
      input,
    );
  const consume = mutation("consumeCoupon", "amountE2");
  const hold = mutation("holdCoupon", "amountE2");
  const giveBack = mutation("returnCoupon", "couponId");
  const consumeAll = mutation("consumeCoupons", `${SHOWN} uses { id couponId amountE2 }`);
  const discounts = (input: object) =>
    send(
      `query ($companyId: Int!, $input: DiscountsInput!) { discounts(companyId: $companyId, input: $input) { ${SHOWN} } }`,
      input,
    );
  const coupon = (terms: Parameters<typeof runningCoupon>[2] = {}) =>
    runningCoupon(gateway, company.id, terms);
  const order = (subtotalE2: number, deliveryE2 = 0) =>
    createOrder(gateway, company.id, { subtotalE2, deliveryE2, totalE2: subtotalE2 + deliveryE2 });
  const counters = async (id: number) => (await tally(gateway, company.id, id)).counters;
  const usesOf = (orderId: number) =>
    gateway.db.couponRedemption.findMany({
      where: { companyId: company.id, orderId, returnedAt: null },
      orderBy: { id: "asc" },
      select: { couponId: true, amountE2: true, deliveryE2: true, items: true },
    });
  const codesOf = (coupons: readonly { codes: readonly string[] }[]) =>
    coupons.map(({ codes }) => codes[0] as string);

  it("is asked of services that the order has alone", async () => {
    const [service, good] = [
      (await createGood(gateway, company.id, { type: 1 })).id,
      (await createGood(gateway, company.id)).id,
    ];
    const free = await coupon({ priceE2: 0, pricePrc: "1" });
    const ofServices = await coupon({ ...HALF, appliesTo: "service" });
    const codes = codesOf([free, ofServices]);
    const placed = async (...lines: readonly (readonly [goodId: number, totalPriceE2: number])[]) => {
      const items = lines.map(([goodId, totalPriceE2]) => ({ goodId, quantity: 1, totalPriceE2 }));
      const subtotalE2 = lines.reduce((sum, [, price]) => sum + price, 0);
      return dataOf(await mutation("createOrder", "id")({ subtotalE2, items })).createOrder.id as number;
    };
    const without = [await placed([good, 1_000]), await placed([good, 1_000], [service, 0])];

    for (const orderId of without)
      expect(dataOf(await consumeAll({ codes, orderId })).consumeCoupons).toMatchObject({
        ...{ totalDiscountE2: 1_000, applied: [{ discountE2: 1_000 }, { discountE2: 0 }] },
        uses: [{ couponId: free.id, amountE2: 1_000 }],
      });
    const refused = await consumeAll({ codes, orderId: await placed([good, 900], [service, 100]) });

    expect(errorCodes(refused)).toEqual(["COUPON_NOT_COMBINABLE"]);
    expect(await counters(ofServices.id)).toEqual(UNUSED);
  });

  it("is nothing of a delivery that is free already", async () => {
    const all = [await coupon(FREE_DELIVERY), await coupon(FREE_DELIVERY), await coupon(FREE_DELIVERY)];
    const codes = codesOf(all);
    const [first, second] = [await order(1000, 300), await order(1000, 300)];

    const shown = dataOf(await discounts({ codes, orderId: first.id })).discounts;
    const refused = await consumeAll({ codes, orderId: first.id });
    const given = dataOf(await consume({ code: codes[0], orderId: second.id })).consumeCoupon.amountE2;
    const again = await Promise.all(codes.slice(1).map((code) => hold({ code, orderId: second.id })));

    expect(shown.totalDiscountE2).toBe(300);
    expect(shown.refused.map(({ reason }: { reason: string }) => reason)).toEqual([
      "COUPON_NOT_COMBINABLE",
      "COUPON_NOT_COMBINABLE",
    ]);
    expect(shown.refused[0].detail).toContain("0.00 left");
    expect(errorCodes(refused)).toEqual(["COUPON_NOT_COMBINABLE"]);
    expect(given).toBe(300);
    expect(again.flatMap(errorCodes)).toEqual(["COUPON_NOT_COMBINABLE", "COUPON_NOT_COMBINABLE"]);
    expect(await usesOf(first.id)).toEqual([]);
    expect(await usesOf(second.id)).toMatchObject([{ amountE2: 300n, deliveryE2: 300n }]);
  });

  it("bounds the shares of a line, whether the codes come at once, in turn or without items at first", async () => {
    const goods = [
      await createGood(gateway, company.id, { priceE2: 1000 }),
      await createGood(gateway, company.id, { priceE2: 500 }),
    ];
    const items = goods.map(({ id }) => ({ goodId: id, quantity: 1 }));
    const [one, two] = [await coupon(MOST), await coupon(MOST)];
    const codes = codesOf([one, two]);
    const sharesOf = async (orderId: number) =>
      (await usesOf(orderId)).map((use) =>
        (use.items as { amountE2: number }[] | null)?.map(({ amountE2 }) => amountE2),
      );

    const atOnce = await order(1500);
    const { consumeCoupons } = dataOf(await consumeAll({ codes, orderId: atOnce.id, items }));
    const inTurn = await order(1500);
    for (const code of codes) dataOf(await consume({ code, orderId: inTurn.id, items }));
    const bare = await order(1500);
    dataOf(await consume({ code: codes[0], orderId: bare.id }));
    dataOf(await hold({ code: codes[1], orderId: bare.id, items }));
    dataOf(await consume({ code: codes[1], orderId: bare.id, items }));

    expect(consumeCoupons.applied.map(({ discountE2 }: { discountE2: number }) => discountE2)).toEqual([
      900, 600,
    ]);
    expect(await sharesOf(atOnce.id)).toEqual([
      [600, 300],
      [400, 200],
    ]);
    expect(await sharesOf(inTurn.id)).toEqual([
      [600, 300],
      [400, 200],
    ]);
    expect(await sharesOf(bare.id)).toEqual([undefined, [400, 200]]);
  });

  it("counts a discount of the total on goods and delivery alike", async () => {
    const [total, delivery] = [await coupon({ ...HALF, appliesTo: "total" }), await coupon(FREE_DELIVERY)];
    const { id: orderId } = await order(1000, 300);

    dataOf(await consume({ code: total.codes[0], orderId }));
    const rest = dataOf(await consume({ code: delivery.codes[0], orderId })).consumeCoupon.amountE2;

    expect(rest).toBe(150);
    expect(await usesOf(orderId)).toMatchObject([
      { amountE2: 650n, deliveryE2: 150n },
      { amountE2: 150n, deliveryE2: 150n },
    ]);
  });

  it("is not changed by a code that is refused", async () => {
    const slot = { collisionSlot: 1 };
    const promo = await coupon({ type: "promo", priceE2: 900, config: slot });
    const small = await coupon({ priceE2: 100, config: slot });
    const alone = await coupon({ priceE2: 800, minPurchaseE2: 5000, config: { usableInPromos: false } });
    const { id: orderId } = await order(1000);
    const input = { codes: codesOf([small, alone]), withPromos: true, orderId };

    const shown = dataOf(await discounts(input)).discounts;

    expect(shown.applied).toMatchObject([{ coupon: { id: promo.id }, discountE2: 900 }]);
    expect(shown.refused.map(({ reason }: { reason: string }) => reason).sort()).toEqual([
      "COUPON_MIN_PURCHASE",
      "COUPON_NOT_COMBINABLE",
    ]);
  });

  it("is not used up by what gives nothing, which takes no use", async () => {
    const free = await coupon({ ...FREE_DELIVERY, config: { limit: 1, collisionSlot: 2 } });
    const promo = await coupon({ type: "promo", priceE2: 100, config: { collisionSlot: 3 } });
    const { id: clientId } = await gateway.db.client.create({ data: { companyId: company.id, name: "Ada" } });
    const { id: orderId } = await createOrder(gateway, company.id, {
      subtotalE2: 1000,
      deliveryE2: 0,
      totalE2: 1000,
      clientId,
    });
    const input = { codes: codesOf([free]), withPromos: true, orderId };

    const taken = dataOf(await consumeAll(input)).consumeCoupons;
    const again = dataOf(await consumeAll(input)).consumeCoupons;

    expect(taken.totalDiscountE2).toBe(100);
    expect(taken.applied).toMatchObject([{ discountE2: 100 }, { coupon: { id: free.id }, discountE2: 0 }]);
    expect(taken.uses).toMatchObject([{ couponId: promo.id, amountE2: 100 }]);
    expect(again.uses).toEqual(taken.uses);
    expect(await counters(free.id)).toEqual(UNUSED);
  });

  it("is given to an order as it was held", async () => {
    const { id, codes } = await coupon(HALF);
    const { id: orderId } = await order(2000);
    const [code] = codes;
    expect(dataOf(await hold({ code, orderId })).holdCoupon.amountE2).toBe(1000);
    await gateway.db.order.update({
      where: { companyId_id: { companyId: company.id, id: orderId } },
      data: { subtotalE2: 1200, totalE2: 1200 },
    });

    expect(dataOf(await discounts({ codes, orderId })).discounts.totalDiscountE2).toBe(1000);
    expect(dataOf(await consume({ code, orderId })).consumeCoupon.amountE2).toBe(1000);
    expect(await counters(id)).toEqual({ spent: 1, given: 1000, held: 0, reserved: 0 });
  });

  describe("a basket", () => {
    it("takes what is missing where a code of it was used before, and ends where it was shown", async () => {
      const code = await coupon({ priceE2: 300 });
      const promo = await coupon({ type: "promo", priceE2: 200 });
      const { id: orderId } = await order(1000);
      const input = { codes: codesOf([code]), withPromos: true, orderId };
      dataOf(await consume({ code: code.codes[0], orderId }));

      const shown = dataOf(await discounts(input)).discounts;
      const taken = dataOf(await consumeAll(input)).consumeCoupons;

      expect([shown.totalDiscountE2, taken.totalDiscountE2]).toEqual([500, 500]);
      expect((await usesOf(orderId)).map(({ couponId }) => couponId)).toEqual([code.id, promo.id]);
    });

    it("takes again what was given back, and a promo that began since then for another wish alone", async () => {
      const code = await coupon({ priceE2: 300 });
      const promo = await coupon({ type: "promo", priceE2: 200 });
      const { id: orderId } = await order(1000);
      const input = { codes: codesOf([code]), withPromos: true, orderId };
      const first = dataOf(await consumeAll(input)).consumeCoupons;
      const later = await coupon({ type: "promo", priceE2: 50 });

      const repeated = dataOf(await consumeAll(input)).consumeCoupons;
      expect(repeated.uses).toEqual(first.uses);
      expect(await counters(later.id)).toEqual(UNUSED);

      const other = dataOf(await consumeAll({ codes: [], withPromos: true, orderId })).consumeCoupons;
      expect(other.uses.map(({ couponId }: { couponId: number }) => couponId)).toEqual([promo.id, later.id]);

      dataOf(await giveBack({ couponId: promo.id, orderId }));
      const answers = await Promise.all(Array.from({ length: 4 }, () => consumeAll(input)));
      for (const answer of answers) expect(dataOf(answer).consumeCoupons.totalDiscountE2).toBe(550);
      expect(dataOf(await discounts(input)).discounts.totalDiscountE2).toBe(550);
      expect(await counters(promo.id)).toMatchObject({ spent: 1, given: 200 });
      expect(await usesOf(orderId)).toHaveLength(3);
    });
  });
});
