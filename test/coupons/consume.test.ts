import {
  createBranch,
  createBranchGroup,
  createCompany,
  signedInClient,
  type TestCompany,
} from "../support/factories.js";
import { dataOf, errorCodes, startGateway, wrongFields, type Gateway } from "../support/gateway.js";
import { createOrder, createOrders, runningCoupon, tally } from "./running-coupon.js";

const CONSUME = /* GraphQL */ `
  mutation ($companyId: Int!, $input: ConsumeCouponInput!) {
    consumeCoupon(companyId: $companyId, input: $input) {
      id
      code
      couponId
      clientId
      orderId
      amountE2
      companyAmountE2
      createdAt
      coupon {
        spentCount
      }
    }
  }
`;

const HOLD = `mutation ($companyId: Int!, $input: HoldCouponInput!) {
  holdCoupon(companyId: $companyId, input: $input) { id }
}`;
const RELEASE = `mutation ($companyId: Int!, $input: ReleaseCouponInput!) {
  releaseCoupon(companyId: $companyId, input: $input) { id }
}`;

describe("consumeCoupon", () => {
  let gateway: Gateway;
  let company: TestCompany;
  const consume = (input: Record<string, unknown>) =>
    company.owner.run(CONSUME, { companyId: company.id, input });
  const hold = (input: Record<string, unknown>) => company.owner.run(HOLD, { companyId: company.id, input });
  const release = (input: Record<string, unknown>) =>
    company.owner.run(RELEASE, { companyId: company.id, input });

  beforeAll(async () => {
    gateway = await startGateway();
    company = await createCompany(gateway);
  });

  afterAll(() => gateway.close());

  it("takes one use for the order and says what it gave", async () => {
    const client = await signedInClient(gateway, company.id);
    const coupon = await runningCoupon(gateway, company.id, {
      priceE2: 100,
      pricePrc: "0.1250",
      config: { companyAssumptionPrc: 40 },
    });
    const order = await createOrder(gateway, company.id, { clientId: client.id, subtotalE2: 1001 });
    gateway.statements.length = 0;

    const { consumeCoupon } = dataOf(
      await consume({ code: coupon.codes[0]?.toLowerCase(), orderId: order.id }),
    );

    expect(consumeCoupon).toEqual({
      id: expect.any(Number),
      code: coupon.promoCode,
      couponId: coupon.id,
      clientId: client.id,
      orderId: order.id,
      amountE2: 225,
      companyAmountE2: 90,
      createdAt: expect.any(String),
      coupon: { spentCount: 1 },
    });
    const stored = await tally(gateway, company.id, coupon.id);
    expect(stored.counters).toEqual({ spent: 1, given: 225, held: 0, reserved: 0 });
    expect(stored.rows).toEqual(stored.counters);
  });

  it("answers the same use again for the same order, also once the coupon is used up or finished", async () => {
    const coupon = await runningCoupon(gateway, company.id, { totalCount: 1 });
    const [orderId, other] = await createOrders(gateway, company.id, 2);

    const first = await consume({ code: coupon.codes[0], orderId });
    const again = await consume({ code: coupon.codes[0], orderId, subtotalE2: 1 });
    const refused = await consume({ code: coupon.codes[0], orderId: other });

    expect(dataOf(again)).toEqual(dataOf(first));
    expect(errorCodes(refused)).toEqual(["COUPON_EXHAUSTED"]);
    await gateway.db.coupon.update({
      where: { companyId_id: { companyId: company.id, id: coupon.id } },
      data: { status: "finished" },
    });
    expect(dataOf(await consume({ code: coupon.codes[0], orderId }))).toEqual(dataOf(first));
  });

  it("refuses a purchase whose total is more than an amount can be, and takes nothing", async () => {
    const coupon = await runningCoupon(gateway, company.id, { appliesTo: "total" });
    const { id: orderId } = await createOrder(gateway, company.id, {
      subtotalE2: 0,
      deliveryE2: 0,
      totalE2: 0,
    });
    const most = Number.MAX_SAFE_INTEGER;
    const input = { code: coupon.codes[0], orderId };

    const answers = [
      await consume({ ...input, subtotalE2: most, deliveryE2: most }),
      await consume({ ...input, subtotalE2: 10_000, deliveryE2: most - 10_000 + 1 }),
      await hold({ ...input, subtotalE2: most, deliveryE2: 1 }),
    ];

    for (const { errors } of answers)
      expect(wrongFields(errors?.[0]?.extensions["errors"])).toEqual(["deliveryE2:max"]);
    expect((await tally(gateway, company.id, coupon.id)).rows).toMatchObject({ spent: 0, held: 0 });
  });

  it("refuses goods that do not exist, and takes nothing", async () => {
    const coupon = await runningCoupon(gateway, company.id);
    const [orderId] = await createOrders(gateway, company.id, 1);
    const input = { code: coupon.codes[0], orderId };

    for (const use of [consume, hold]) {
      const listed = await use({ ...input, goods: [2_000_000_000] });
      const text = await use({ ...input, goodIds: "2000000000", clientId: 2_000_000_000 });

      expect(wrongFields(listed.errors?.[0]?.extensions["errors"])).toEqual(["goods[0]:exists"]);
      expect(wrongFields(text.errors?.[0]?.extensions["errors"])).toEqual([
        "clientId:exists",
        "goodIds:exists",
      ]);
    }
    expect((await tally(gateway, company.id, coupon.id)).rows).toMatchObject({ spent: 0, held: 0 });
  });

  it("finds no coupon by letters whose capitals are those of a code, nor gives its use back", async () => {
    const coupon = await runningCoupon(gateway, company.id, { promoCode: "SAMESALE" });
    const [orderId] = await createOrders(gateway, company.id, 1);
    const input = { code: "\u017fAME\u017fALE", orderId };

    expect(errorCodes(await consume(input))).toEqual(["COUPON_NOT_FOUND"]);
    expect(errorCodes(await hold(input))).toEqual(["COUPON_NOT_FOUND"]);
    dataOf(await hold({ ...input, code: "SameSale" }));
    expect(errorCodes(await release(input))).toEqual(["NOT_FOUND"]);
    expect((await tally(gateway, company.id, coupon.id)).rows).toMatchObject({ spent: 0, held: 1 });
    dataOf(await release({ ...input, code: "sAMEsALE" }));
  });

  it("uses a personal code once", async () => {
    const coupon = await runningCoupon(gateway, company.id, { type: "personal", totalCount: 2 });
    const [first, second, third] = await createOrders(gateway, company.id, 3);

    dataOf(await consume({ code: coupon.codes[0], orderId: first }));

    expect(errorCodes(await consume({ code: coupon.codes[0], orderId: second }))).toEqual([
      "COUPON_CODE_USED",
    ]);
    dataOf(await consume({ code: coupon.codes[1], orderId: third }));
    const codes = await gateway.db.couponCode.findMany({
      where: { companyId: company.id, couponId: coupon.id },
    });
    expect(codes.every(({ usedAt }) => usedAt !== null)).toBe(true);
  });

  it("takes a promo by its id, and no other coupon", async () => {
    const promo = await runningCoupon(gateway, company.id, { type: "promo" });
    const batch = await runningCoupon(gateway, company.id);
    const order = await createOrder(gateway, company.id);

    const { consumeCoupon } = dataOf(await consume({ couponId: promo.id, orderId: order.id }));

    expect(consumeCoupon).toMatchObject({ couponId: promo.id, code: null, amountE2: 1000 });
    const gone = await runningCoupon(gateway, company.id, { type: "promo", deletedAt: new Date() });
    for (const { id: couponId } of [batch, gone]) {
      const { errors } = await consume({ couponId, orderId: order.id });
      expect(errors?.[0]).toMatchObject({
        message: "No such coupon: needed a promo with this id, was none.",
        extensions: {
          code: "COUPON_NOT_FOUND",
          rule: "found",
          required: "a promo with this id",
          actual: "none",
        },
      });
      expect((await tally(gateway, company.id, couponId)).counters.spent).toBe(0);
    }
  });

  it("takes prices, branch and source from the order", async () => {
    const shop = await createBranchGroup(gateway, company.id);
    const branch = await createBranch(gateway, company.id, { branchGroupId: shop.id });
    const coupon = await runningCoupon(gateway, company.id, {
      pricePrc: "0.5",
      priceE2: 0,
      appliesTo: "total",
      branchGroupId: shop.id,
      config: { sourceWhitelist: ["app"], onlyDeliveries: true },
    });
    const [code] = coupon.codes;
    const there = await createOrder(gateway, company.id, { branchId: branch.id, source: "app" });
    const onWeb = await createOrder(gateway, company.id, { branchId: branch.id, source: "web" });
    const elsewhere = await createOrder(gateway, company.id, {
      branchId: (await createBranch(gateway, company.id)).id,
      source: "app",
    });

    expect(dataOf(await consume({ code, orderId: there.id })).consumeCoupon.amountE2).toBe(5250);
    expect(errorCodes(await consume({ code, orderId: onWeb.id }))).toEqual(["COUPON_NOT_WHITELISTED"]);
    expect(errorCodes(await consume({ code, orderId: elsewhere.id }))).toEqual(["COUPON_WRONG_TARGET"]);
  });

  it("needs a client when uses are limited by client", async () => {
    const client = await signedInClient(gateway, company.id);
    const coupon = await runningCoupon(gateway, company.id, { config: { limit: 2 } });
    const [code] = coupon.codes;
    const [a, b, c] = await createOrders(gateway, company.id, 3, client.id);
    const [unknown] = await createOrders(gateway, company.id, 1);

    dataOf(await consume({ code, orderId: a }));
    dataOf(await consume({ code, orderId: b }));

    expect(errorCodes(await consume({ code, orderId: c }))).toEqual(["COUPON_LIMIT"]);
    expect(errorCodes(await consume({ code, orderId: unknown }))).toEqual(["COUPON_LIMIT"]);
    expect((await tally(gateway, company.id, coupon.id)).counters.spent).toBe(2);
  });

  it("says what is wrong with the input", async () => {
    const coupon = await runningCoupon(gateway, company.id);
    const order = await createOrder(gateway, company.id);
    const [code] = coupon.codes;
    const wrong = async (input: Record<string, unknown>) => {
      const { errors } = await consume(input);
      expect(errors?.[0]?.extensions["code"]).toBe("VALIDATION_FAILED");
      return (errors?.[0]?.extensions["errors"] as { field: string; rule: string }[]).map(
        ({ field, rule }) => `${field}:${rule}`,
      );
    };

    expect(await wrong({ orderId: order.id })).toEqual(["code:required"]);
    expect(await wrong({ code, couponId: coupon.id, orderId: order.id })).toEqual(["couponId:forbidden"]);
    expect(await wrong({ code, orderId: 2_000_000_000 })).toEqual(["orderId:exists"]);
    expect(await wrong({ code, orderId: order.id, clientId: 2_000_000_000 })).toEqual(["clientId:exists"]);
    expect((await tally(gateway, company.id, coupon.id)).counters.spent).toBe(0);
  });

  it("refuses a gift card, and coupons that do not run", async () => {
    const giftCard = await runningCoupon(gateway, company.id, { type: "gift_card", totalCount: 1 });
    const over = await runningCoupon(gateway, company.id, {
      startsAt: new Date(Date.now() - 60_000),
      endsAt: new Date(Date.now() - 1000),
    });
    const due = await runningCoupon(gateway, company.id, {
      status: "ready",
      startsAt: new Date(Date.now() - 1000),
    });
    const order = await createOrder(gateway, company.id);
    const use = ({ codes }: { codes: readonly string[] }) => consume({ code: codes[0], orderId: order.id });

    expect(errorCodes(await use(giftCard))).toEqual(["INVALID_STATE"]);
    expect(errorCodes(await use(over))).toEqual(["COUPON_NOT_RUNNING"]);
    expect(errorCodes(await consume({ code: "NOSUCHCODE", orderId: order.id }))).toEqual([
      "COUPON_NOT_FOUND",
    ]);
    dataOf(await use(due));
  });

  it("takes two statements: one that reads, one that decides", async () => {
    const coupon = await runningCoupon(gateway, company.id);
    const order = await createOrder(gateway, company.id);
    gateway.statements.length = 0;

    await company.owner.run(
      "mutation ($c: Int!, $i: ConsumeCouponInput!) { consumeCoupon(companyId: $c, input: $i) { id } }",
      {
        c: company.id,
        i: { code: coupon.codes[0], orderId: order.id },
      },
    );

    expect(gateway.statements.filter((sql) => sql.includes("coupon"))).toHaveLength(2);
  });
});
