import { adminWith, createCompany, createGood, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, startGateway, type Gateway } from "../support/gateway.js";
import { runningCoupon, tally } from "./running-coupon.js";

describe("parts of uses that are given back by line", () => {
  let gateway: Gateway;
  let company: TestCompany;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    company = await createCompany(gateway);
  });
  afterAll(() => gateway.close());

  const mutation = (name: string, fields: string) => (input: object) =>
    company.owner.run(
      `mutation ($companyId: Int!, $input: ${name[0]?.toUpperCase()}${name.slice(1)}Input!) {
        ${name}(companyId: $companyId, input: $input) { ${fields} } }`,
      { companyId: company.id, input },
    );
  const consume = (input: object) => mutation("consumeCoupon", "amountE2")(input);
  const giveBack = (orderId: number, ...units: readonly (readonly [goodId: number, quantity: number])[]) =>
    mutation(
      "returnCouponItems",
      "amountE2 companyAmountE2 uses { couponId amountE2 returnedAmountE2 returnedAt items { goodId quantity amountE2 returnedQuantity } }",
    )({ orderId, items: units.map(([goodId, quantity]) => ({ goodId, quantity })) });
  const returned = async (...args: Parameters<typeof giveBack>) =>
    dataOf(await giveBack(...args)).returnCouponItems;
  const fieldErrors = ({ errors }: { errors?: readonly { extensions: Record<string, unknown> }[] }) =>
    errors?.flatMap(({ extensions }) => extensions["errors"]);
  const order = async (lines: readonly (readonly [priceE2: number, quantity: number])[], deliveryE2 = 0) => {
    const goods: number[] = [];
    for (const [priceE2] of lines) goods.push((await createGood(gateway, company.id, { priceE2 })).id);
    const items = lines.map(([, quantity], n) => ({ goodId: goods[n], quantity }));
    const subtotalE2 = lines.reduce((sum, [priceE2, quantity]) => sum + priceE2 * quantity, 0);
    const { id } = dataOf(await mutation("createOrder", "id")({ subtotalE2, deliveryE2, items })).createOrder;
    return { orderId: id as number, goods };
  };
  const counters = async (id: number) => {
    const { counters: told, rows } = await tally(gateway, company.id, id);
    expect(rows).toEqual(told);
    return told;
  };
  const stats = async () => {
    const { status, body } = await company.owner.rest("GET", `/companies/${company.id}/coupon-stats`);
    expect(status).toBe(200);
    return body[0] as Record<string, number>;
  };

  it("belong to uses that have no movement, whatever answers them", async () => {
    const [one, other] = [await runningCoupon(gateway, company.id), await runningCoupon(gateway, company.id)];
    const first = await order([[1_000, 2]]);
    const second = await order([[1_000, 1]]);
    const use = { code: one.codes[0], orderId: first.orderId };
    const taken = { orderId: second.orderId, codes: [other.codes[0]] };
    const units = { orderId: first.orderId, items: [{ goodId: first.goods[0], quantity: 1 }] };

    const data = [
      dataOf(await mutation("consumeCoupon", "movement { id }")(use)),
      dataOf(await mutation("consumeCoupon", "movement { id }")(use)),
      dataOf(await mutation("consumeCoupons", "uses { movement { id } }")(taken)),
      dataOf(await mutation("consumeCoupons", "uses { movement { id } }")(taken)),
      dataOf(await mutation("returnCouponItems", "uses { movement { id } }")(units)),
      dataOf(await mutation("returnCoupon", "movement { id }")(use)),
    ];
    const rest = await company.owner.rest("POST", `/companies/${company.id}/coupons/return?load=movement`, {
      body: { code: use.code, order_id: use.orderId },
    });

    expect(
      data.flatMap((answer) => Object.values(answer)).flatMap(({ uses, ...use }) => uses ?? use),
    ).toEqual(data.map(() => ({ movement: null })));
    expect([rest.status, rest.body.movement]).toEqual([200, null]);
  });

  it("gives back the shares of units, first those with a hundredth more, until the use is returned", async () => {
    const { id, codes } = await runningCoupon(gateway, company.id, {
      ...{ priceE2: 0, pricePrc: "0.1", totalCount: 5 },
      config: { companyAssumptionPrc: 50, limit: 1 },
    });
    const { orderId, goods } = await order([
      [335, 3],
      [1_000, 1],
    ]);
    const [three, one] = goods as [number, number];
    const clientId = (await gateway.db.client.create({ data: { companyId: company.id, name: "Ana" } })).id;
    dataOf(await consume({ code: codes[0], orderId, clientId }));
    expect(await counters(id)).toMatchObject({ spent: 1, given: 201 });

    const first = await returned(orderId, [three, 1]);
    expect(await counters(id)).toMatchObject({ spent: 1, given: 167 });
    const sums = await stats();
    const second = await returned(orderId, [three, 1], [three, 1]);
    const spent = await counters(id);
    const last = await returned(orderId, [one, 1]);

    expect(first).toEqual({
      ...{ amountE2: 34, companyAmountE2: 17 },
      uses: [
        {
          ...{ couponId: id, amountE2: 167, returnedAmountE2: 34, returnedAt: null },
          items: [
            { goodId: three, quantity: 3, amountE2: 67, returnedQuantity: 1 },
            { goodId: one, quantity: 1, amountE2: 100, returnedQuantity: 0 },
          ],
        },
      ],
    });
    expect(sums).toMatchObject({ uses: 1, returned: 0, discount_e2: 167, company_discount_e2: 84 });
    expect(second).toMatchObject({ amountE2: 67, companyAmountE2: 34 });
    expect(spent).toMatchObject({ spent: 1, given: 100 });
    expect(last).toMatchObject({ amountE2: 100, companyAmountE2: 50 });
    expect(last.uses[0]).toMatchObject({
      amountE2: 100,
      returnedAmountE2: 101,
      returnedAt: expect.any(String),
    });
    expect(await counters(id)).toMatchObject({ spent: 0, given: 0 });
    expect(await stats()).toMatchObject({ uses: 1, returned: 1, discount_e2: 0, company_discount_e2: 0 });
    // The client's limit is as it was before.
    const other = await order([[1_000, 1]]);
    expect(
      dataOf(await consume({ code: codes[0], orderId: other.orderId, clientId })).consumeCoupon.amountE2,
    ).toBe(100);
  });

  it("gives back of all uses of the order, and keeps what the delivery got", async () => {
    const total = await runningCoupon(gateway, company.id, {
      priceE2: 0,
      pricePrc: "0.5",
      appliesTo: "total",
    });
    const fixed = await runningCoupon(gateway, company.id, { type: "personal", totalCount: 1, priceE2: 300 });
    const { orderId, goods } = await order([[1_000, 2]], 500);
    for (const { codes } of [total, fixed]) dataOf(await consume({ code: codes[0], orderId }));
    const [good] = goods as [number];

    const half = await returned(orderId, [good, 1]);
    const rest = await returned(orderId, [good, 1]);

    expect(half.amountE2).toBe(650);
    expect(half.uses).toMatchObject([
      { couponId: total.id, amountE2: 750, returnedAt: null },
      { couponId: fixed.id, amountE2: 150, returnedAt: null },
    ]);
    expect(rest.amountE2).toBe(650);
    expect(await counters(total.id)).toMatchObject({ spent: 1, given: 250 });
    expect(await counters(fixed.id)).toMatchObject({ spent: 0, given: 0 });
    const code = await gateway.db.couponCode.findFirstOrThrow({
      where: { companyId: company.id, couponId: fixed.id },
    });
    expect(code.usedAt).toBeNull();
  });

  it("refuses more units than are left, also of a use that was returned, and then changes nothing", async () => {
    const { id, codes } = await runningCoupon(gateway, company.id, { priceE2: 0, pricePrc: "0.5" });
    const only = await runningCoupon(gateway, company.id, { priceE2: 0, pricePrc: "0.5" });
    const { orderId, goods } = await order([
      [1_000, 2],
      [500, 1],
    ]);
    const [two, one] = goods as [number, number];
    await gateway.db.coupon.update({
      where: { companyId_id: { companyId: company.id, id: only.id } },
      data: { config: { goods: { include: { goodIds: [one] } } } },
    });
    for (const code of [codes[0], only.codes[0]]) dataOf(await consume({ code, orderId }));
    dataOf(await giveBack(orderId, [one, 1]));
    const before = [await counters(id), await counters(only.id)];

    const more = await giveBack(orderId, [two, 3]);
    const twice = await giveBack(orderId, [two, 1], [one, 1]);
    const added = await giveBack(orderId, [two, 1], [two, 2]);
    const strange = await giveBack(orderId, [(await createGood(gateway, company.id)).id, 1]);
    const unused = await order([[1_000, 1]]);
    const none = await giveBack(unused.orderId, [unused.goods[0] as number, 1]);
    const nowhere = await giveBack(2_000_000_000, [two, 1]);

    expect(before).toEqual([
      { spent: 1, given: 1_000, held: 0, reserved: 0 },
      { spent: 0, given: 0, held: 0, reserved: 0 },
    ]);
    for (const refused of [more, twice, added, strange, none])
      expect(fieldErrors(refused)).toMatchObject([{ field: "items", rule: "left" }]);
    expect(fieldErrors(nowhere)).toMatchObject([{ field: "orderId", rule: "exists" }]);
    expect([await counters(id), await counters(only.id)]).toEqual(before);
    expect((await returned(orderId, [two, 2])).amountE2).toBe(1_000);
  });

  it("gives each unit back once, however many ask at once, while others use the coupon", async () => {
    const { id, codes } = await runningCoupon(gateway, company.id, { priceE2: 0, pricePrc: "0.1" });
    const { orderId, goods } = await order([[1_003, 5]]);
    dataOf(await consume({ code: codes[0], orderId }));
    const others = await Promise.all(
      Array.from({ length: 4 }, async () => (await order([[1_000, 1]])).orderId),
    );

    const answers = await Promise.all([
      ...Array.from({ length: 12 }, () => giveBack(orderId, [goods[0] as number, 1])),
      ...others.map((other) => consume({ code: codes[0], orderId: other })),
    ]);

    const done = answers.slice(0, 12).filter(({ errors }) => errors === undefined);
    expect(done.map((answer) => dataOf(answer).returnCouponItems.amountE2).sort()).toEqual([
      100, 100, 100, 101, 101,
    ]);
    expect(answers.slice(0, 12).flatMap(errorCodes)).toEqual(Array(7).fill("VALIDATION_FAILED"));
    expect(await counters(id)).toMatchObject({ spent: 4, given: 400 });
  });

  it("goes on after the order became smaller, and is taken again when all was given back", async () => {
    const { id, codes } = await runningCoupon(gateway, company.id, { priceE2: 0, pricePrc: "0.5" });
    const { orderId, goods } = await order([[1_000, 2]]);
    const [good] = goods as [number];
    dataOf(await consume({ code: codes[0], orderId }));
    dataOf(await giveBack(orderId, [good, 1]));
    const change = (input: object) =>
      company.owner.run(
        `mutation ($companyId: Int!, $id: Int!, $input: UpdateOrderInput!) {
          updateOrder(companyId: $companyId, id: $id, input: $input) { couponUses { amountE2 returnedAmountE2 returnedAt } } }`,
        { companyId: company.id, id: orderId, input },
      );

    const smaller = dataOf(
      await change({
        subtotalE2: 400,
        totalE2: 400,
        items: [{ goodId: good, quantity: 1, totalPriceE2: 400 }],
      }),
    ).updateOrder;
    const last = await returned(orderId, [good, 1]);
    const again = dataOf(await consume({ code: codes[0], orderId })).consumeCoupon;

    expect(smaller.couponUses).toEqual([{ amountE2: 400, returnedAmountE2: 600, returnedAt: null }]);
    expect(last).toMatchObject({
      amountE2: 400,
      uses: [{ returnedAmountE2: 600, returnedAt: expect.any(String) }],
    });
    expect(again.amountE2).toBe(200);
    expect(await counters(id)).toMatchObject({ spent: 1, given: 200 });
    // Both units went back before.
    expect(fieldErrors(await giveBack(orderId, [good, 1]))).toMatchObject([{ field: "items", rule: "left" }]);
    dataOf(await mutation("returnCoupon", "amountE2")({ orderId, code: codes[0] }));
    expect(await counters(id)).toMatchObject({ spent: 0, given: 0 });
  });

  it("gives each unit back once over all uses, also of one that was made after others went back", async () => {
    const before = await runningCoupon(gateway, company.id, { priceE2: 100 });
    const after = await runningCoupon(gateway, company.id, { priceE2: 100 });
    const { orderId, goods } = await order([
      [100, 3],
      [100, 1],
    ]);
    const [three, one] = goods as [number, number];
    dataOf(await consume({ code: before.codes[0], orderId }));
    const first = await returned(orderId, [three, 2]);
    dataOf(await consume({ code: after.codes[0], orderId }));
    const given = async () => [await counters(before.id), await counters(after.id)];
    const stored = () =>
      gateway.db.couponRedemption.findMany({
        where: { companyId: company.id, orderId },
        orderBy: { id: "asc" },
      });
    const [givenBefore, storedBefore] = [await given(), await stored()];

    const more = await giveBack(orderId, [three, 2]);
    const [givenAfter, storedAfter] = [await given(), await stored()];
    const last = await returned(orderId, [three, 1]);
    const none = await giveBack(orderId, [three, 1]);
    const other = await returned(orderId, [one, 1]);

    expect(first.amountE2).toBe(50);
    expect(fieldErrors(more)).toMatchObject([
      { field: "items", rule: "left", message: expect.stringContaining("2 of 1") },
    ]);
    expect([givenAfter, storedAfter]).toEqual([givenBefore, storedBefore]);
    expect(fieldErrors(none)).toMatchObject([{ field: "items", rule: "left" }]);
    // What the second one gave on the two units that had gone back goes back along with the third.
    expect(last.uses).toMatchObject([
      {
        couponId: before.id,
        items: [{ quantity: 3, amountE2: 0, returnedQuantity: 3 }, { returnedQuantity: 0 }],
      },
      {
        couponId: after.id,
        items: [{ quantity: 3, amountE2: 0, returnedQuantity: 3 }, { returnedQuantity: 0 }],
      },
    ]);
    expect(first.amountE2 + last.amountE2 + other.amountE2).toBe(200);
    expect(await given()).toMatchObject([
      { spent: 0, given: 0 },
      { spent: 0, given: 0 },
    ]);
  });

  it("is for who may redeem", async () => {
    const reader = await adminWith(gateway, company.id, "access_coupons");
    const { id, codes } = await runningCoupon(gateway, company.id, { priceE2: 200 });
    const { orderId, goods } = await order([[1_000, 2]]);
    dataOf(await consume({ code: codes[0], orderId }));

    const refused = await reader.run(
      `mutation ($companyId: Int!, $input: ReturnCouponItemsInput!) {
        returnCouponItems(companyId: $companyId, input: $input) { amountE2 } }`,
      { companyId: company.id, input: { orderId, items: [{ goodId: goods[0], quantity: 1 }] } },
    );

    expect(errorCodes(refused)).toEqual(["FORBIDDEN"]);
    expect(await counters(id)).toMatchObject({ spent: 1, given: 200 });
  });

  it("keeps what was given and given back together as it was, whoever writes", async () => {
    const { codes } = await runningCoupon(gateway, company.id, { priceE2: 200 });
    const { orderId } = await order([[1_000, 2]]);
    dataOf(await consume({ code: codes[0], orderId }));
    const write = (set: string) =>
      gateway.db.$executeRawUnsafe(
        `UPDATE coupon_redemptions SET ${set} WHERE company_id = ${company.id} AND order_id = ${orderId}`,
      );

    await expect(write("amount_e2 = amount_e2 - 1")).rejects.toThrow();
    await expect(
      write("amount_e2 = amount_e2 + 1, returned_amount_e2 = returned_amount_e2 - 1"),
    ).rejects.toThrow();
    await expect(write("client_id = 1")).rejects.toThrow();
    await write("amount_e2 = 190, returned_amount_e2 = 10");
    await expect(write("returned_at = now(), amount_e2 = 180, returned_amount_e2 = 20")).rejects.toThrow();
  });
});
