import { beginOf } from "../../src/core/time/zones.js";
import { createCompany, signedInClient, type TestCompany } from "../support/factories.js";
import {
  dataOf,
  errorCodes,
  startGateway,
  type Client,
  type Gateway,
  type GraphqlResult,
} from "../support/gateway.js";
import { untilLockWaits } from "../support/lock-waits.js";
import { createOrders, redeemedAt, runningCoupon, tally } from "./running-coupon.js";

const operation = (name: string, type: string, fields = "id") => /* GraphQL */ `
  mutation ($companyId: Int!, $input: ${type}!) { ${name}(companyId: $companyId, input: $input) { ${fields} } }`;
const CONSUME = operation("consumeCoupon", "ConsumeCouponInput");
const HOLD = operation("holdCoupon", "HoldCouponInput");
const RELEASE = operation("releaseCoupon", "ReleaseCouponInput");
const REDEEM = operation("redeemCoupon", "RedeemCouponInput", "balanceE2");

/** Sends parallel calls at the limits, spread over two services on one database. */
describe("uses at once", () => {
  let gateways: [Gateway, Gateway];
  let gateway: Gateway;
  let company: TestCompany;
  let doors: Client[];

  beforeAll(async () => {
    gateway = await startGateway();
    gateways = [gateway, await startGateway({ on: gateway })];
    company = await createCompany(gateway);
    doors = await Promise.all(
      gateways.map((one) => one.as({ kind: "admin", id: company.ownerId, companyId: company.id })),
    );
  });

  afterAll(async () => {
    const [first, second] = gateways;
    await second.close();
    await first.close();
  });

  /** Sends all inputs at the same time. It returns the codes of the refusals, and the number of the other answers. */
  async function allAtOnce(document: string, inputs: readonly object[], by: readonly Client[] = doors) {
    const results = await Promise.all(
      inputs.map((input, n) => (by[n % by.length] as Client).run(document, { companyId: company.id, input })),
    );
    return {
      done: results.filter(({ errors }) => errors === undefined).length,
      refusals: [...new Set(results.flatMap(errorCodes))].sort(),
      results,
    };
  }

  async function expectTally(
    couponId: number,
    expected: { spent: number; given: number; held?: number; reserved?: number },
  ) {
    const { counters, rows } = await tally(gateway, company.id, couponId);
    expect(counters).toEqual({ held: 0, reserved: 0, ...expected });
    expect(rows).toEqual(counters);
  }

  it.each([1, 3, 20])("never take more than %i in all", async (totalCount) => {
    const { id, codes } = await runningCoupon(gateway, company.id, { totalCount });
    const orders = await createOrders(gateway, company.id, 60);

    const { done, refusals } = await allAtOnce(
      CONSUME,
      orders.map((orderId) => ({ code: codes[0], orderId })),
    );

    expect({ done, refusals }).toEqual({ done: totalCount, refusals: ["COUPON_EXHAUSTED"] });
    await expectTally(id, { spent: totalCount, given: totalCount * 1000 });
  });

  it.each([1, 3])("never take more than %i by a client", async (limit) => {
    const { id, codes } = await runningCoupon(gateway, company.id, { config: { limit } });
    const clients = await Promise.all([
      signedInClient(gateway, company.id),
      signedInClient(gateway, company.id),
    ]);
    const orders = await Promise.all(
      clients.map((client) => createOrders(gateway, company.id, 25, client.id)),
    );

    const { done, refusals } = await allAtOnce(
      CONSUME,
      orders.flat().map((orderId) => ({ code: codes[0], orderId })),
    );

    expect({ done, refusals }).toEqual({ done: 2 * limit, refusals: ["COUPON_LIMIT"] });
    await expectTally(id, { spent: 2 * limit, given: 2 * limit * 1000 });
  });

  it("never give more than the amount allowed", async () => {
    const { id, codes } = await runningCoupon(gateway, company.id, { config: { amountLimitE2: 7999 } });
    const orders = await createOrders(gateway, company.id, 50);

    const { done, refusals } = await allAtOnce(
      CONSUME,
      orders.map((orderId) => ({ code: codes[0], orderId })),
    );

    expect({ done, refusals }).toEqual({ done: 7, refusals: ["COUPON_AMOUNT_LIMIT"] });
    await expectTally(id, { spent: 7, given: 7000 });
  });

  it("take each personal code once", async () => {
    const { id, codes } = await runningCoupon(gateway, company.id, { type: "personal", totalCount: 4 });
    const orders = await createOrders(gateway, company.id, 60);

    const { done } = await allAtOnce(
      CONSUME,
      orders.map((orderId, n) => ({ code: codes[n % 3], orderId })),
    );

    expect(done).toBe(3);
    await expectTally(id, { spent: 3, given: 3000 });
    const used = await gateway.db.couponCode.count({
      where: { companyId: company.id, couponId: id, usedAt: { not: null } },
    });
    expect(used).toBe(3);
  });

  it("answer one order the same use however often it asks", async () => {
    const { id, codes } = await runningCoupon(gateway, company.id);
    const [orderId] = await createOrders(gateway, company.id, 1);

    const { done, results } = await allAtOnce(
      CONSUME,
      Array.from({ length: 30 }, () => ({ code: codes[0], orderId })),
    );

    expect(done).toBe(30);
    expect(
      new Set(results.map((result: GraphqlResult) => dataOf(result)["consumeCoupon"].id as number)).size,
    ).toBe(1);
    await expectTally(id, { spent: 1, given: 1000 });
  });

  it("and holds together never pass the limit, and held uses are there for their orders", async () => {
    const { id, codes } = await runningCoupon(gateway, company.id, { totalCount: 10 });
    const orders = await createOrders(gateway, company.id, 60);
    const inputs = orders.map((orderId) => ({ code: codes[0], orderId }));
    const [held, used] = await Promise.all([
      allAtOnce(HOLD, inputs.slice(0, 30)),
      allAtOnce(CONSUME, inputs.slice(30)),
    ]);
    expect(held.done + used.done).toBe(10);
    await expectTally(id, {
      spent: used.done,
      given: used.done * 1000,
      held: held.done,
      reserved: held.done * 1000,
    });

    const { done } = await allAtOnce(CONSUME, inputs.slice(0, 30));

    expect(done).toBe(held.done);
    await expectTally(id, { spent: 10, given: 10_000 });
  });

  it("and releases and expiries and deleted orders leave nothing held", async () => {
    const { id, codes } = await runningCoupon(gateway, company.id, { totalCount: 30 });
    const orders = await createOrders(gateway, company.id, 90);
    const inputs = orders.map((orderId) => ({ code: codes[0], orderId, ttlSeconds: 30 }));
    expect((await allAtOnce(HOLD, inputs.slice(0, 30))).done).toBe(30);
    await gateway.db.$executeRaw`
      UPDATE coupon_holds SET expires_at = now() - interval '1 second'
       WHERE company_id = ${company.id} AND coupon_id = ${id} AND order_id = ANY (${orders.slice(0, 10)}::int[])`;

    const [released, again, used] = await Promise.all([
      allAtOnce(
        RELEASE,
        inputs.slice(10, 20).map(({ code, orderId }) => ({ code, orderId })),
      ),
      allAtOnce(HOLD, inputs.slice(30, 60)),
      allAtOnce(
        CONSUME,
        inputs.slice(60).map(({ code, orderId }) => ({ code, orderId })),
      ),
      gateway.db.order.deleteMany({ where: { companyId: company.id, id: { in: orders.slice(20, 30) } } }),
    ]);

    expect(released.done).toBe(10);
    const { counters, rows } = await tally(gateway, company.id, id);
    expect(counters).toEqual({
      spent: used.done,
      given: used.done * 1000,
      held: again.done,
      reserved: again.done * 1000,
    });
    expect(rows).toEqual(counters);
    expect(used.done + again.done).toBeLessThanOrEqual(30);
  });

  it("redeem each gift card once, and every balance counts on without a gap", async () => {
    const { id, codes } = await runningCoupon(gateway, company.id, {
      type: "gift_card",
      totalCount: 10,
      priceE2: 250,
    });
    const { id: clientId } = await signedInClient(gateway, company.id);
    const asClient = await Promise.all(
      gateways.map((one) => one.as({ kind: "client", id: clientId, companyId: company.id })),
    );

    const { done, refusals } = await allAtOnce(
      REDEEM,
      Array.from({ length: 60 }, (_, n) => ({ couponCode: codes[n % 10], redeem: true })),
      asClient,
    );

    expect(done).toBe(10);
    expect(refusals.every((code) => ["COUPON_CODE_USED", "COUPON_EXHAUSTED"].includes(code))).toBe(true);
    await expectTally(id, { spent: 10, given: 2500 });
    const movements = await gateway.db.balanceMovement.findMany({
      where: { companyId: company.id, holderType: "client", holderKey: clientId },
      orderBy: { number: "asc" },
    });
    expect(
      movements.map(({ number, initialBalanceE2, finalBalanceE2 }) => [
        number,
        initialBalanceE2,
        finalBalanceE2,
      ]),
    ).toEqual(Array.from({ length: 10 }, (_, n) => [n + 1, BigInt(250 * n), BigInt(250 * (n + 1))]));
    const holder = await gateway.db.balanceHolder.findFirstOrThrow({
      where: { companyId: company.id, key: clientId },
    });
    expect(holder).toMatchObject({ balanceE2: 2500n, movementCount: 10 });
  });

  it("redeem no more than 3 gift cards a day for a client, whatever it redeemed the day before", async () => {
    const { id, codes } = await runningCoupon(gateway, company.id, {
      ...{ type: "gift_card", totalCount: 18, priceE2: 250 },
      config: { limit: 3, limitPeriod: "day" },
    });
    const { id: clientId } = await signedInClient(gateway, company.id);
    const asClient = await Promise.all(
      gateways.map((one) => one.as({ kind: "client", id: clientId, companyId: company.id })),
    );
    const at = new Date(beginOf("day", "+00:00", new Date()).getTime() - 1);
    await redeemedAt(gateway, company.id, { couponId: id, code: codes[0] as string, clientId, at });
    const eightAtOnce = (from: number) =>
      allAtOnce(
        REDEEM,
        codes.slice(from, from + 8).map((couponCode) => ({ couponCode, redeem: true })),
        asClient,
      );

    const today = await eightAtOnce(1);

    expect([today.done, today.refusals]).toEqual([3, ["COUPON_LIMIT"]]);
    await expectTally(id, { spent: 4, given: 1000 });
    const later = await eightAtOnce(9);
    expect([later.done, later.refusals]).toEqual([0, ["COUPON_LIMIT"]]);
    await expectTally(id, { spent: 4, given: 1000 });
    const holder = { companyId: company.id, key: clientId };
    expect(await gateway.db.balanceHolder.findFirstOrThrow({ where: holder })).toMatchObject({
      ...{ balanceE2: 750n, movementCount: 3 },
    });
    const unused = { companyId: company.id, couponId: id, usedAt: null };
    expect(await gateway.db.couponCode.count({ where: unused })).toBe(14);
  });

  it("judge anew when the coupon changes in between", async () => {
    const { id, codes } = await runningCoupon(gateway, company.id, { totalCount: 200 });
    const orders = await createOrders(gateway, company.id, 80);
    const finish = async () => {
      await new Promise((resolve) => setTimeout(resolve, 30));
      await gateway.db.coupon.update({
        where: { companyId_id: { companyId: company.id, id } },
        data: { minPurchaseE2: 1_000_000 },
      });
    };

    const [{ done, refusals }] = await Promise.all([
      allAtOnce(
        CONSUME,
        orders.map((orderId) => ({ code: codes[0], orderId })),
      ),
      finish(),
    ]);

    expect(refusals.filter((code) => code !== "COUPON_MIN_PURCHASE")).toEqual([]);
    await expectTally(id, { spent: done, given: done * 1000 });
  });

  it("take a promo that was freed after it was left out", async () => {
    const { id: campaignId } = await gateway.db.campaign.create({
      data: { companyId: company.id, name: "One budget", budgetE2: 1_500 },
    });
    const { id: clientId } = await signedInClient(gateway, company.id);
    const terms = [{ totalCount: 1 }, { config: { limit: 1 } }, { config: { amountLimitE2: 1_500 } }];
    const promos = await Promise.all(
      [...terms, { campaignId }, { config: { clientAmountLimitE2: 1_500 } }, {}].map((one) =>
        runningCoupon(gateway, company.id, { type: "promo", ...one }),
      ),
    );
    const [earlier, order] = (await createOrders(gateway, company.id, 2, clientId)) as [number, number];
    const consume = async (orderId: number): Promise<readonly { coupon: { id: number } }[]> =>
      dataOf(
        await company.owner.run(
          operation("consumeCoupons", "ConsumeCouponsInput", "applied { coupon { id } }"),
          { companyId: company.id, input: { orderId, withPromos: true } },
        ),
      )["consumeCoupons"].applied;
    expect(await consume(earlier)).toHaveLength(promos.length);
    const blocker = await gateway.database.pool.connect();
    await blocker.query("BEGIN");
    await blocker.query("SELECT FROM orders WHERE company_id = $1 AND id = $2 FOR UPDATE", [
      company.id,
      order,
    ]);

    // The uses are decided, and wait for their order, when all five are given back.
    const used = consume(order);
    await untilLockWaits(gateway.url, 1, ({ query }) => query.includes("use_coupons("));
    const canceled = await company.owner.run(
      `mutation ($c: Int!, $id: Int!) { updateOrder(companyId: $c, id: $id, input: { status: canceled }) { id } }`,
      { c: company.id, id: earlier },
    );
    expect(canceled.errors).toBeUndefined();
    await blocker.query("COMMIT");
    blocker.release();

    expect((await used).map(({ coupon }) => coupon.id).sort()).toEqual(promos.map(({ id }) => id).sort());
  });

  it("meet no deadlock", async () => {
    const [row] = await gateway.db.$queryRaw<{ deadlocks: bigint }[]>`
      SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`;
    expect(row?.deadlocks).toBe(0n);
  });
});
