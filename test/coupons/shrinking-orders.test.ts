import { createCompany, createGood, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, startGateway, type Gateway } from "../support/gateway.js";
import { createOrder, runningCoupon, tally } from "./running-coupon.js";

describe("an order that becomes smaller", () => {
  let gateway: Gateway;
  let company: TestCompany;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    company = await createCompany(gateway);
  });
  afterAll(() => gateway.close());

  const run = (document: string, variables: object) =>
    company.owner.run(document, { companyId: company.id, ...variables });
  const consume = (input: object) =>
    run(
      `mutation ($companyId: Int!, $input: ConsumeCouponInput!) {
        consumeCoupon(companyId: $companyId, input: $input) { amountE2 } }`,
      { input },
    );
  const change = (id: number, input: object) =>
    run(
      `mutation ($companyId: Int!, $id: Int!, $input: UpdateOrderInput!) {
        updateOrder(companyId: $companyId, id: $id, input: $input) {
          id discountWarnings { couponId reason detail } couponUses { couponId amountE2 returnedAt } } }`,
      { id, input },
    );

  it("keeps a coupon whose smallest purchase it is below by then, and says so", async () => {
    const { id, codes } = await runningCoupon(gateway, company.id, { minPurchaseE2: 5_000n });
    const fine = await runningCoupon(gateway, company.id, { priceE2: 100 });
    const { id: orderId } = await createOrder(gateway, company.id, {
      ...{ subtotalE2: 8_000, deliveryE2: 0, totalE2: 8_000 },
    });
    for (const code of [codes[0], fine.codes[0]]) dataOf(await consume({ code, orderId }));

    const before = dataOf(await change(orderId, { source: null })).updateOrder.discountWarnings;
    const smaller = dataOf(await change(orderId, { subtotalE2: 4_999, totalE2: 4_999 })).updateOrder;
    const again = dataOf(await change(orderId, { subtotalE2: 5_000, totalE2: 5_000 })).updateOrder;

    expect(before).toEqual([]);
    expect(smaller.discountWarnings).toEqual([
      {
        ...{ couponId: id, reason: "COUPON_MIN_PURCHASE" },
        detail: "The purchase is too small: needed at least 50.00, was 49.99.",
      },
    ]);
    expect(smaller.couponUses).toEqual([
      { couponId: id, amountE2: 1_000, returnedAt: null },
      { couponId: fine.id, amountE2: 100, returnedAt: null },
    ]);
    expect(again.discountWarnings).toEqual([]);
    expect((await tally(gateway, company.id, id)).counters).toMatchObject({ spent: 1, given: 1_000 });
    expect(errorCodes(await change(orderId, { subtotalE2: 1_099 }))).toEqual(["VALIDATION_FAILED"]);
  });

  const mutation = (name: string, fields: string) => (input: object) =>
    run(
      `mutation ($companyId: Int!, $input: ${name[0]?.toUpperCase()}${name.slice(1)}Input!) {
        ${name}(companyId: $companyId, input: $input) { ${fields} } }`,
      { input },
    );
  const hold = mutation("holdCoupon", "amountE2");
  const giveBack = mutation("returnCoupon", "couponId");
  const order = async (lines: readonly number[], deliveryE2: number) => {
    const goods = [];
    for (const priceE2 of lines) goods.push((await createGood(gateway, company.id, { priceE2 })).id);
    const items = goods.map((goodId, n) => ({ goodId, quantity: 1, totalPriceE2: lines[n] }));
    const subtotalE2 = lines.reduce((sum, line) => sum + line, 0);
    const { id } = dataOf(await mutation("createOrder", "id")({ subtotalE2, deliveryE2, items })).createOrder;
    return { orderId: id as number, items, subtotalE2 };
  };
  const standing = (orderId: number) =>
    gateway.db.couponRedemption.findMany({
      where: { companyId: company.id, orderId, returnedAt: null },
      orderBy: { id: "asc" },
      select: { couponId: true, amountE2: true, companyAmountE2: true, deliveryE2: true, items: true },
    });
  const counters = async (id: number) => {
    const { counters: told, rows } = await tally(gateway, company.id, id);
    expect(rows).toEqual(told);
    return told;
  };

  it("gives back what exceeds a line that became less, to the budget and to the client", async () => {
    const { id, codes } = await runningCoupon(gateway, company.id, {
      ...{ priceE2: 0, pricePrc: "0.5" },
      config: { amountLimitE2: 2_000, companyAssumptionPrc: 50 },
    });
    const { orderId, items, subtotalE2 } = await order([1_000, 3_000], 0);
    dataOf(await consume({ code: codes[0], orderId }));
    const before = await counters(id);
    const [first, second] = items;

    const smaller = await change(orderId, {
      ...{ subtotalE2: subtotalE2 - 2_000, totalE2: subtotalE2 - 2_000 },
      items: [first, { ...second, totalPriceE2: 1_000 }],
    });
    const after = await counters(id);
    const other = await order([1_000], 0);
    const used = dataOf(await consume({ code: codes[0], orderId: other.orderId })).consumeCoupon;

    expect(before).toEqual({ spent: 1, given: 2_000, held: 0, reserved: 0 });
    expect(errorCodes(smaller)).toEqual([]);
    expect(after).toEqual({ spent: 1, given: 1_500, held: 0, reserved: 0 });
    expect(await standing(orderId)).toEqual([
      {
        ...{ couponId: id, amountE2: 1_500n, companyAmountE2: 750n, deliveryE2: 0n },
        items: [
          { goodId: first?.goodId, quantity: 1, amountE2: 500 },
          { goodId: second?.goodId, quantity: 1, amountE2: 1_000 },
        ],
      },
    ]);
    expect(used.amountE2).toBe(500);
    dataOf(await giveBack({ code: codes[0], orderId }));
    expect(await counters(id)).toEqual({ spent: 1, given: 500, held: 0, reserved: 0 });
  });

  it("gives back a use whose line went, and its code is free again", async () => {
    const { id: goodId } = await createGood(gateway, company.id, { priceE2: 700 });
    const { id, codes } = await runningCoupon(gateway, company.id, {
      ...{ type: "personal", totalCount: 1, priceE2: 300 },
      config: { goods: { include: { goodIds: [goodId] } } },
    });
    const { orderId, items } = await order([2_000], 0);
    const own = { goodId, quantity: 1, totalPriceE2: 700 };
    dataOf(await change(orderId, { subtotalE2: 2_700, totalE2: 2_700, items: [...items, own] }));
    dataOf(await consume({ code: codes[0], orderId }));

    dataOf(await change(orderId, { subtotalE2: 2_000, totalE2: 2_000, items }));

    expect(await standing(orderId)).toEqual([]);
    expect(await counters(id)).toEqual({ spent: 0, given: 0, held: 0, reserved: 0 });
    const ticket = await gateway.db.couponCode.findFirstOrThrow({
      where: { companyId: company.id, couponId: id },
    });
    expect(ticket.usedAt).toBeNull();
  });

  it("gives back what exceeds a delivery that became less, of the latest first, of holds as of uses", async () => {
    const fee = { priceE2: 200n, appliesTo: "delivery" };
    const one = await runningCoupon(gateway, company.id, fee);
    const two = await runningCoupon(gateway, company.id, fee);
    const { orderId } = await order([1_000], 500);
    dataOf(await consume({ code: one.codes[0], orderId }));
    dataOf(await hold({ code: two.codes[0], orderId }));

    dataOf(await change(orderId, { deliveryE2: 250, totalE2: 1_250 }));
    const first = [await counters(one.id), await counters(two.id)];
    dataOf(await change(orderId, { deliveryE2: 100, totalE2: 1_100 }));
    const second = [await counters(one.id), await counters(two.id)];

    expect(first).toEqual([
      { spent: 1, given: 200, held: 0, reserved: 0 },
      { spent: 0, given: 0, held: 1, reserved: 50 },
    ]);
    expect(second).toEqual([
      { spent: 1, given: 100, held: 0, reserved: 0 },
      { spent: 0, given: 0, held: 1, reserved: 0 },
    ]);
  });

  it("stays as it is when it would be smaller than what its coupons give, and so do they", async () => {
    const { id, codes } = await runningCoupon(gateway, company.id, { priceE2: 900n });
    const { id: orderId } = await createOrder(gateway, company.id, {
      ...{ subtotalE2: 1_000, deliveryE2: 0, totalE2: 1_000 },
    });
    dataOf(await consume({ code: codes[0], orderId }));

    const refused = await change(orderId, { subtotalE2: 899 });

    expect(errorCodes(refused)).toEqual(["VALIDATION_FAILED"]);
    expect(await counters(id)).toEqual({ spent: 1, given: 900, held: 0, reserved: 0 });
    const stored = await gateway.db.order.findFirstOrThrow({ where: { companyId: company.id, id: orderId } });
    expect(stored.subtotalE2).toBe(1_000n);
  });

  it("leaves uses as they are in place of a hold that has expired", async () => {
    const [held, used] = [
      await runningCoupon(gateway, company.id, { priceE2: 700 }),
      await runningCoupon(gateway, company.id, { priceE2: 600 }),
    ];
    const { orderId } = await order([1_000], 0);
    dataOf(await hold({ orderId, code: held.codes[0] }));
    await gateway.db.couponHold.updateMany({
      where: { companyId: company.id, orderId },
      data: { expiresAt: new Date(Date.now() - 1_000) },
    });
    dataOf(await consume({ code: used.codes[0], orderId }));

    const changed = dataOf(await change(orderId, { subtotalE2: 900, totalE2: 900 })).updateOrder;

    expect(changed.couponUses).toEqual([{ couponId: used.id, amountE2: 600, returnedAt: null }]);
    expect((await tally(gateway, company.id, used.id)).counters).toMatchObject({ spent: 1, given: 600 });
  });
});
