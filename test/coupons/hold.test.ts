import { sql } from "../../src/core/db/sql.js";
import { adminWith, createCompany, signedInClient, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, startGateway, type Gateway } from "../support/gateway.js";
import { letRowsAge } from "../support/let-rows-age.js";
import { createOrder, createOrders, runningCoupon, tally } from "./running-coupon.js";

const operation = (name: string, type: string, fields: string) => /* GraphQL */ `
  mutation ($companyId: Int!, $input: ${type}!) { ${name}(companyId: $companyId, input: $input) { ${fields} } }`;
const HOLD_FIELDS = "id code couponId clientId orderId amountE2 companyAmountE2 expiresAt createdAt";
const HOLD = operation("holdCoupon", "HoldCouponInput", HOLD_FIELDS);
const RELEASE = operation("releaseCoupon", "ReleaseCouponInput", HOLD_FIELDS);
const CONSUME = operation("consumeCoupon", "ConsumeCouponInput", "id amountE2 companyAmountE2");
const CONSUME_ALL = operation("consumeCoupons", "ConsumeCouponsInput", "totalDiscountE2");
const CHECK = operation("checkCoupon", "CheckCouponInput", "discountE2");

describe("holding a coupon", () => {
  let gateway: Gateway;
  let company: TestCompany;
  const run = (document: string, input: Record<string, unknown>) =>
    company.owner.run(document, { companyId: company.id, input });
  const check = (code: string | undefined) => run(CHECK, { couponCode: code, subtotalE2: 10_000 });
  /** Moves all holds of the coupon that many seconds into the past. */
  const age = (couponId: number, seconds: number) =>
    letRowsAge(
      gateway.db,
      {
        table: "coupon_holds",
        columns: ["expires_at"],
        where: sql`company_id = ${company.id} AND coupon_id = ${couponId}`,
      },
      `${seconds} seconds`,
    );

  beforeAll(async () => {
    gateway = await startGateway();
    company = await createCompany(gateway);
  });

  afterAll(() => gateway.close());

  it.each([
    ["deleteClient", "one", CONSUME],
    ["eraseClient", "one", CONSUME],
    ["deleteClient", "all", CONSUME_ALL],
  ])("is taken by the order whose client is gone by %s: %s", async (name, wish, take) => {
    const { id, codes } = await runningCoupon(gateway, company.id, { totalCount: 1, config: { limit: 1 } });
    const client = await signedInClient(gateway, company.id);
    const order = await createOrder(gateway, company.id, { clientId: client.id });
    const named = wish === "one" ? { code: codes[0] } : { codes };
    dataOf(await run(HOLD, { code: codes[0], orderId: order.id }));
    const argument = name === "eraseClient" ? "clientId" : "id";
    dataOf(
      await company.owner.run(
        `mutation { ${name}(companyId: ${company.id}, ${argument}: ${client.id}) { id } }`,
      ),
    );

    const fields = { orderId: order.id, ...named };
    const unknown = await run(take, { ...fields, clientId: client.id });
    dataOf(await run(take, fields));

    expect(errorCodes(unknown)).toEqual(["VALIDATION_FAILED"]);
    expect((await tally(gateway, company.id, id)).counters).toMatchObject({ spent: 1, given: 1000, held: 0 });
    expect(
      await gateway.db.couponRedemption.findMany({
        where: { companyId: company.id, couponId: id },
        select: { clientId: true },
      }),
    ).toEqual([{ clientId: client.id }]);
    // What is not held is judged by who is there.
    const [other] = await createOrders(gateway, company.id, 1);
    expect(errorCodes(await run(CONSUME, { code: codes[0], orderId: other }))).toEqual(["COUPON_EXHAUSTED"]);
  });

  it("holds one use for the order, which nobody else gets", async () => {
    const { id, codes, promoCode } = await runningCoupon(gateway, company.id, { totalCount: 1 });
    const [order, other] = await createOrders(gateway, company.id, 2);
    const [code] = codes;

    const { holdCoupon } = dataOf(await run(HOLD, { code, orderId: order, ttlSeconds: 60 }));

    expect(holdCoupon).toMatchObject({ code: promoCode, couponId: id, orderId: order, amountE2: 1000 });
    const seconds = (Date.parse(`${holdCoupon.expiresAt}Z`) - Date.parse(`${holdCoupon.createdAt}Z`)) / 1000;
    expect(seconds).toBe(60);
    expect(errorCodes(await run(CONSUME, { code, orderId: other }))).toEqual(["COUPON_EXHAUSTED"]);
    expect(errorCodes(await run(HOLD, { code, orderId: other }))).toEqual(["COUPON_EXHAUSTED"]);
    expect(errorCodes(await check(code))).toEqual(["COUPON_EXHAUSTED"]);
    expect((await tally(gateway, company.id, id)).counters).toEqual({
      spent: 0,
      given: 0,
      held: 1,
      reserved: 1000,
    });
    dataOf(await run(CONSUME, { code, orderId: order }));
    const used = await tally(gateway, company.id, id);
    expect(used.counters).toEqual({ spent: 1, given: 1000, held: 0, reserved: 0 });
    expect(used.rows).toEqual(used.counters);
  });

  const enlarge = (id: number) =>
    gateway.db.order.update({
      where: { companyId_id: { companyId: company.id, id } },
      data: { subtotalE2: 3000 },
    });

  it("is renewed by a repeat, with the new amount", async () => {
    const { id, codes } = await runningCoupon(gateway, company.id, { priceE2: 0, pricePrc: "0.1" });
    const [code] = codes;
    const order = await createOrder(gateway, company.id, { subtotalE2: 1000 });

    const first = dataOf(await run(HOLD, { code, orderId: order.id, ttlSeconds: 30 })).holdCoupon;
    await enlarge(order.id);
    const again = dataOf(await run(HOLD, { code, orderId: order.id, ttlSeconds: 90 })).holdCoupon;

    expect(again).toMatchObject({ id: first.id, createdAt: first.createdAt, amountE2: 300 });
    expect(again.expiresAt > first.expiresAt).toBe(true);
    expect((await tally(gateway, company.id, id)).counters).toEqual({
      spent: 0,
      given: 0,
      held: 1,
      reserved: 300,
    });
  });

  it("comes back by itself when its time is up", async () => {
    const { id, codes } = await runningCoupon(gateway, company.id, { type: "personal", totalCount: 1 });
    const [code] = codes;
    const [order, other] = await createOrders(gateway, company.id, 2);
    dataOf(await run(HOLD, { code, orderId: order, ttlSeconds: 30 }));
    expect(errorCodes(await run(CONSUME, { code, orderId: other }))).toEqual(["COUPON_EXHAUSTED"]);

    await age(id, 30);

    dataOf(await check(code));
    dataOf(await run(CONSUME, { code, orderId: other }));
    expect((await tally(gateway, company.id, id)).counters).toEqual({
      spent: 1,
      given: 1000,
      held: 0,
      reserved: 0,
    });
    expect(errorCodes(await run(CONSUME, { code, orderId: order }))).toEqual(["COUPON_EXHAUSTED"]);
  });

  it("gives the order its use although the rules would not any more, but not once the coupon is over", async () => {
    const client = await signedInClient(gateway, company.id);
    const { id, codes } = await runningCoupon(gateway, company.id, {
      minPurchaseE2: 5000,
      config: { limit: 1 },
    });
    const [code] = codes;
    const [order, late] = await createOrders(gateway, company.id, 2, client.id);
    const change = (data: object) =>
      gateway.db.coupon.update({ where: { companyId_id: { companyId: company.id, id } }, data });
    dataOf(await run(HOLD, { code, orderId: order }));
    expect(errorCodes(await run(HOLD, { code, orderId: late }))).toEqual(["COUPON_LIMIT"]);

    await change({ minPurchaseE2: 50_000, config: { limit: 1, hourBeg: "00:00", hourEnd: "00:00" } });
    dataOf(await run(CONSUME, { code, orderId: order }));

    await change({ minPurchaseE2: 0, config: {} });
    dataOf(await run(HOLD, { code, orderId: late }));
    await change({ status: "finished" });
    expect(errorCodes(await run(CONSUME, { code, orderId: late }))).toEqual(["COUPON_NOT_RUNNING"]);
  });

  it("gives what it held when the coupon is used, whatever the order costs by then", async () => {
    const terms = { priceE2: 0, pricePrc: "0.5" } as const;
    const { codes } = await runningCoupon(gateway, company.id, terms);
    const limited = await runningCoupon(gateway, company.id, {
      ...terms,
      config: { amountLimitE2: 600, companyAssumptionPrc: 100 },
    });
    const order = await createOrder(gateway, company.id, { subtotalE2: 1000 });
    for (const code of [codes[0], limited.codes[0]]) dataOf(await run(HOLD, { code, orderId: order.id }));
    await enlarge(order.id);
    const used = async (code: string | undefined) =>
      dataOf(await run(CONSUME, { code, orderId: order.id })).consumeCoupon;

    expect(await used(codes[0])).toMatchObject({ amountE2: 500, companyAmountE2: 0 });
    expect(await used(limited.codes[0])).toMatchObject({ amountE2: 500, companyAmountE2: 500 });
    expect((await tally(gateway, company.id, limited.id)).counters).toEqual({
      spent: 1,
      given: 500,
      held: 0,
      reserved: 0,
    });
  });

  it("is given back by releasing it, once", async () => {
    const { id, codes } = await runningCoupon(gateway, company.id, { totalCount: 1 });
    const promo = await runningCoupon(gateway, company.id, { type: "promo", totalCount: 1 });
    const [code] = codes;
    const order = await createOrder(gateway, company.id);
    const held = dataOf(await run(HOLD, { code, orderId: order.id })).holdCoupon;
    dataOf(await run(HOLD, { couponId: promo.id, orderId: order.id }));

    expect(
      dataOf(await run(RELEASE, { code: code?.toLowerCase(), orderId: order.id })).releaseCoupon,
    ).toEqual(held);

    expect((await tally(gateway, company.id, id)).counters).toEqual({
      spent: 0,
      given: 0,
      held: 0,
      reserved: 0,
    });
    expect(errorCodes(await run(RELEASE, { code, orderId: order.id }))).toEqual(["NOT_FOUND"]);
    dataOf(await run(RELEASE, { couponId: promo.id, orderId: order.id }));
    expect(errorCodes(await run(RELEASE, { couponId: promo.id, orderId: order.id }))).toEqual(["NOT_FOUND"]);
    expect(errorCodes(await run(RELEASE, { code: "NOSUCHCODE", orderId: order.id }))).toEqual(["NOT_FOUND"]);
  });

  it("is not released once its time is up, nor after it was used", async () => {
    const { id, codes } = await runningCoupon(gateway, company.id);
    const [code] = codes;
    const [expired, used] = await createOrders(gateway, company.id, 2);
    dataOf(await run(HOLD, { code, orderId: expired, ttlSeconds: 30 }));
    await age(id, 30);
    dataOf(await run(CONSUME, { code, orderId: used }));

    expect(errorCodes(await run(RELEASE, { code, orderId: expired }))).toEqual(["NOT_FOUND"]);
    expect(errorCodes(await run(RELEASE, { code, orderId: used }))).toEqual(["NOT_FOUND"]);
    expect(errorCodes(await run(HOLD, { code, orderId: used }))).toEqual(["INVALID_STATE"]);
  });

  it("goes with its order when that is deleted", async () => {
    const { id, codes } = await runningCoupon(gateway, company.id, { totalCount: 1 });
    const [order, other] = await createOrders(gateway, company.id, 2);
    dataOf(await run(HOLD, { code: codes[0], orderId: order }));

    await gateway.db.order.delete({
      where: { companyId_id: { companyId: company.id, id: order as number } },
    });

    expect((await tally(gateway, company.id, id)).counters).toEqual({
      spent: 0,
      given: 0,
      held: 0,
      reserved: 0,
    });
    dataOf(await run(CONSUME, { code: codes[0], orderId: other }));
  });

  it("can be held for 30 seconds to a day, by admins who redeem", async () => {
    const { codes } = await runningCoupon(gateway, company.id);
    const order = await createOrder(gateway, company.id);
    const input = { code: codes[0], orderId: order.id };
    const variables = { companyId: company.id, input };

    for (const ttlSeconds of [29, 86_401]) {
      expect(errorCodes(await run(HOLD, { ...input, ttlSeconds }))).toEqual(["VALIDATION_FAILED"]);
    }
    const reader = await adminWith(gateway, company.id, "access_coupons", "can_edit_coupons");
    const client = await signedInClient(gateway, company.id);
    for (const stranger of [reader, client.client]) {
      for (const document of [HOLD, CONSUME, RELEASE]) {
        expect(errorCodes(await stranger.run(document, variables))).toEqual(["FORBIDDEN"]);
      }
    }
    dataOf(await (await adminWith(gateway, company.id, "can_redeem_coupons")).run(HOLD, variables));
  });
});
