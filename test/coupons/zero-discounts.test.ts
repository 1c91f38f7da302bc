import { createCompany, signedInClient, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, startGateway, type Gateway } from "../support/gateway.js";
import { createOrder, runningCoupon, tally } from "./running-coupon.js";

const CONSUME = `mutation ($companyId: Int!, $input: ConsumeCouponInput!) {
  answer: consumeCoupon(companyId: $companyId, input: $input) { id amountE2 }
}`;
const HOLD = `mutation ($companyId: Int!, $input: HoldCouponInput!) {
  answer: holdCoupon(companyId: $companyId, input: $input) { id amountE2 }
}`;
const NOTHING = { id: 0, amountE2: 0 };
const UNUSED = { spent: 0, given: 0, held: 0, reserved: 0 };

describe("a discount of 0.00", () => {
  let gateway: Gateway;
  let company: TestCompany;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    company = await createCompany(gateway);
  });
  afterAll(() => gateway.close());

  const run = async (document: string, code: string | undefined, orderId: number) => {
    const { answer } = dataOf(
      await company.owner.run(document, { companyId: company.id, input: { code, orderId } }),
    );
    return answer as { id: number; amountE2: number };
  };
  const collected = async (clientId: number | null = null) =>
    (await createOrder(gateway, company.id, { clientId, deliveryE2: 0, totalE2: 10_000 })).id;

  it("takes no use and no code, and leaves limit and total to those that give something", async () => {
    const client = await signedInClient(gateway, company.id);
    const coupon = await runningCoupon(gateway, company.id, {
      ...{ type: "personal", totalCount: 1, priceE2: 300, appliesTo: "delivery" },
      config: { limit: 1 },
    });
    const orderId = await collected(client.id);
    const [code] = coupon.codes;

    expect(await run(HOLD, code, orderId)).toEqual(NOTHING);
    expect(await Promise.all(Array.from({ length: 3 }, () => run(CONSUME, code, orderId)))).toEqual([
      NOTHING,
      NOTHING,
      NOTHING,
    ]);

    expect(await tally(gateway, company.id, coupon.id)).toEqual({ counters: UNUSED, rows: UNUSED });
    const delivered = await createOrder(gateway, company.id, { clientId: client.id });
    expect(await run(CONSUME, code, delivered.id)).toMatchObject({ amountE2: 300 });
  });

  it("excludes nobody: another coupon of its slot can be used", async () => {
    const free = await runningCoupon(gateway, company.id, {
      ...{ priceE2: 300, appliesTo: "delivery" },
      config: { collisionSlot: 1 },
    });
    const other = await runningCoupon(gateway, company.id, { config: { collisionSlot: 1 } });
    const orderId = await collected();

    expect(await run(CONSUME, free.codes[0], orderId)).toEqual(NOTHING);

    expect(await run(CONSUME, other.codes[0], orderId)).toMatchObject({ amountE2: 1_000 });
  });

  it("is no use at a till, either", async () => {
    const coupon = await runningCoupon(gateway, company.id, { priceE2: 300, appliesTo: "delivery" });
    const body = { code: coupon.codes[0], order_id: await collected() };

    const answers = [];
    for (const path of ["consume", "hold"])
      answers.push(await company.owner.rest("POST", `/companies/${company.id}/coupons/${path}`, { body }));

    expect(answers.map(({ status, body: { id, amount_e2 } }) => [status, id, amount_e2])).toEqual([
      [200, 0, 0],
      [200, 0, 0],
    ]);
    expect(await tally(gateway, company.id, coupon.id)).toEqual({ counters: UNUSED, rows: UNUSED });
  });

  it("is a use of a coupon without a price, which stands for a thing that no amount says", async () => {
    const coupon = await runningCoupon(gateway, company.id, { totalCount: 1, priceE2: 0 });

    expect(await run(CONSUME, coupon.codes[0], await collected())).toEqual({
      id: expect.any(Number),
      amountE2: 0,
    });
    const { counters, rows } = await tally(gateway, company.id, coupon.id);
    expect([counters.spent, rows.spent]).toEqual([1, 1]);
  });

  it("is a use of such a coupon also where a whole basket is taken, until its limit is reached", async () => {
    const client = await signedInClient(gateway, company.id);
    const visit = await runningCoupon(gateway, company.id, { priceE2: 0, config: { limit: 1 } });
    const codes = [visit.codes[0], (await runningCoupon(gateway, company.id)).codes[0]];
    const take = async (orderId: number) =>
      company.owner.run(
        `mutation ($companyId: Int!, $input: ConsumeCouponsInput!) {
          consumeCoupons(companyId: $companyId, input: $input) { uses { couponId amountE2 } }
        }`,
        { companyId: company.id, input: { codes, orderId } },
      );
    const first = await collected(client.id);

    const [taken, again] = [dataOf(await take(first)), dataOf(await take(first))];
    const beyond = await take(await collected(client.id));

    expect(taken.consumeCoupons.uses).toContainEqual({ couponId: visit.id, amountE2: 0 });
    expect(taken.consumeCoupons.uses).toHaveLength(2);
    expect(again).toEqual(taken);
    expect(errorCodes(beyond)).toEqual(["COUPON_LIMIT"]);
    const { counters, rows } = await tally(gateway, company.id, visit.id);
    expect([counters.spent, rows.spent]).toEqual([1, 1]);
  });

  it("needs nothing to be left: such a coupon goes with one that takes all of the order, in one wish", async () => {
    const free = await runningCoupon(gateway, company.id, { priceE2: 0, pricePrc: "1" });
    const visit = await runningCoupon(gateway, company.id, { priceE2: 0 });
    const codes = [free.codes[0], visit.codes[0]];
    const orderId = await collected();

    const shown = await company.owner.run(
      `query ($companyId: Int!, $input: DiscountsInput!) { discounts(companyId: $companyId, input: $input) {
          applied { coupon { id } discountE2 explanation { rules { rule passed required actual } } } refused { reason } } }`,
      { companyId: company.id, input: { codes, orderId, explain: true } },
    );
    const taken = await company.owner.run(
      `mutation ($companyId: Int!, $input: ConsumeCouponsInput!) {
          consumeCoupons(companyId: $companyId, input: $input) { uses { couponId amountE2 } } }`,
      { companyId: company.id, input: { codes, orderId } },
    );
    const later = await runningCoupon(gateway, company.id, { priceE2: 0 });

    const { applied, refused } = dataOf(shown).discounts;
    expect(refused).toEqual([]);
    expect(applied[1].explanation.rules).toContainEqual({
      ...{ rule: "combination", passed: true, required: null, actual: "0.00 left" },
    });
    expect(dataOf(taken).consumeCoupons.uses).toEqual([
      { couponId: free.id, amountE2: 10_000 },
      { couponId: visit.id, amountE2: 0 },
    ]);
    expect((await run(CONSUME, later.codes[0], orderId)).id).toBeGreaterThan(0);
    for (const { id } of [visit, later])
      expect((await tally(gateway, company.id, id)).rows).toEqual({ ...UNUSED, spent: 1 });
  });
});
