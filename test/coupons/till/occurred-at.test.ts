import { setTimeout } from "node:timers/promises";
import { createCompany, type TestCompany } from "../../support/factories.js";
import { dataOf, errorCodes, startGateway, wrongFields, type Gateway } from "../../support/gateway.js";
import { createOrder, createOrders, runningCoupon, tally } from "../running-coupon.js";

const HOUR_MS = 3_600_000;

describe("a till that reports purchases later", () => {
  let gateway: Gateway;
  let company: TestCompany;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    company = await createCompany(gateway);
  });
  afterAll(() => gateway.close());

  const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS);
  const post = async (path: string, body: object) => {
    const answer = await company.owner.rest("POST", `/companies/${company.id}/coupons/${path}`, { body });
    return answer.status === 200 ? (answer.body.amount_e2 as number) : (answer.body.code as string);
  };
  const order = async () => (await createOrder(gateway, company.id)).id;
  const change = (id: number, data: object) =>
    gateway.db.coupon.updateMany({ where: { companyId: company.id, id }, data });

  it("has the rules of that moment: whether it ran, its days and hours", async () => {
    const { id, codes } = await runningCoupon(gateway, company.id, { startsAt: ago(5) });
    const at =
      (hours: number, path = "consume") =>
      async (more: object = {}) =>
        post(path, {
          code: codes[0],
          order_id: await order(),
          occurred_at: ago(hours).toISOString(),
          ...more,
        });

    expect([await at(6)(), await at(6, "hold")(), await at(4)()]).toEqual([
      "COUPON_NOT_RUNNING",
      "COUPON_NOT_RUNNING",
      1_000,
    ]);
    await change(id, { status: "finished", endsAt: ago(2) });
    expect([
      await at(1)(),
      await at(3)(),
      await post("consume", { code: codes[0], order_id: await order() }),
    ]).toEqual(["COUPON_NOT_RUNNING", 1_000, "COUPON_NOT_RUNNING"]);
    await change(id, { status: "running", endsAt: null, pausedAt: ago(2) });
    expect([await at(1)(), await at(3, "hold")()]).toEqual(["COUPON_NOT_RUNNING", 1_000]);
    expect((await tally(gateway, company.id, id)).counters).toMatchObject({
      spent: 2,
      given: 2_000,
      held: 1,
    });

    const day = ago(3).getUTCDay();
    const days = await runningCoupon(gateway, company.id, {
      startsAt: ago(100),
      config: { days: [day], hourBeg: "00:00", hourEnd: "23:59" },
    });
    const told = [];
    for (const hours of [3, 27])
      told.push(
        await post("consume", {
          code: days.codes[0],
          order_id: await order(),
          occurred_at: ago(hours).toISOString(),
        }),
      );
    expect(told).toEqual([1_000, "COUPON_OUTSIDE_DAYS"]);
  });

  it.each([
    ["a coupon", "pauseCoupon", "resumeCoupon"],
    ["a campaign", "pauseCampaign", "resumeCampaign"],
  ])("knows when %s was paused, also after it is over", async (_, pause, resume) => {
    const { id, codes } = await runningCoupon(gateway, company.id, { startsAt: ago(5) });
    const promo = await runningCoupon(gateway, company.id, { type: "promo", startsAt: ago(5) });
    const run = (document: string, variables: object) =>
      company.owner.run(document, { c: company.id, ...variables });
    const couponIds = [id, promo.id];
    const campaign = dataOf(
      await run(
        `mutation ($c: Int!, $ids: [Int!]!) { made: createCampaign(companyId: $c, input: { name: "Both", couponIds: $ids }) { id } }`,
        { ids: couponIds },
      ),
    )["made"];
    const act = async (name: string) => {
      const isOfCampaign = name.endsWith("Campaign");
      for (const of of isOfCampaign ? [campaign.id] : couponIds)
        dataOf(
          await run(
            `mutation ($c: Int!, $id: Int!) { ${name}(companyId: $c, ${isOfCampaign ? "campaignId" : "couponId"}: $id) { id } }`,
            { id: of },
          ),
        );
    };
    const moment = async () => {
      await setTimeout(5);
      const now = new Date().toISOString();
      await setTimeout(5);
      return now;
    };
    /** What a code and a promo give at a moment, on both faces. */
    const given = async (at: string) => {
      const input = { codes: [codes[0]], subtotalE2: 10_000, withPromos: true };
      const told = await run(
        `query ($c: Int!, $input: DiscountsInput!) {
          discounts(companyId: $c, input: $input) { applied { coupon { id isPaused } } refused { coupon { isPaused } reason } } }`,
        { input: { ...input, datetime: at } },
      );
      const all = await run(
        `mutation ($c: Int!, $input: ConsumeCouponsInput!) {
          all: consumeCoupons(companyId: $c, input: $input) { totalDiscountE2 } }`,
        { input: { ...input, subtotalE2: null, orderId: await order(), occurredAt: at } },
      );
      const promos = await run(
        `mutation ($c: Int!, $input: ConsumeCouponsInput!) {
          all: consumeCoupons(companyId: $c, input: $input) { totalDiscountE2 } }`,
        { input: { withPromos: true, orderId: await order(), occurredAt: at } },
      );
      return {
        used: await post("consume", { code: codes[0], order_id: await order(), occurred_at: at }),
        held: await post("hold", { code: codes[0], order_id: await order(), occurred_at: at }),
        applied: dataOf(told)["discounts"].applied.length,
        refused: dataOf(told)["discounts"].refused,
        all: all.data?.["all"]?.totalDiscountE2 ?? errorCodes(all)[0],
        promos: dataOf(promos)["all"].totalDiscountE2,
      };
    };
    const counters = async () => [
      (await tally(gateway, company.id, id)).counters,
      (await tally(gateway, company.id, promo.id)).counters,
    ];

    const before = await moment();
    await act(pause);
    const during = await moment();
    await act(resume);
    const after = await moment();
    await act(pause);
    await moment();
    await act(resume);
    const unused = await counters();

    const refused = { reason: "COUPON_NOT_RUNNING", coupon: { isPaused: false } };
    expect(await given(during)).toEqual({
      ...{ used: "COUPON_NOT_RUNNING", held: "COUPON_NOT_RUNNING", all: "COUPON_NOT_RUNNING", promos: 0 },
      ...{ applied: 0, refused: [refused, refused] },
    });
    expect(await counters()).toEqual(unused);
    const ran = { used: 1_000, held: 1_000, applied: 2, refused: [], all: 2_000, promos: 1_000 };
    expect([await given(before), await given(after)]).toEqual([ran, ran]);
  });

  it("has the limits of now, however many tell at once, and its wishes as any other", async () => {
    const { id, codes } = await runningCoupon(gateway, company.id, { startsAt: ago(50), totalCount: 3 });
    const orders = await createOrders(gateway, company.id, 9);

    const outcomes = await Promise.all(
      orders.map((orderId) =>
        post("consume", { code: codes[0], order_id: orderId, occurred_at: ago(40).toISOString() }),
      ),
    );

    expect(outcomes.filter((outcome) => outcome === 1_000)).toHaveLength(3);
    expect(outcomes.filter((outcome) => outcome === "COUPON_EXHAUSTED")).toHaveLength(6);
    expect((await tally(gateway, company.id, id)).counters).toMatchObject({ spent: 3, given: 3_000 });
    const promo = await runningCoupon(gateway, company.id, {
      ...{ type: "promo", status: "finished", startsAt: ago(50), endsAt: ago(30) },
    });
    const all = await company.owner.run(
      `mutation ($companyId: Int!, $input: ConsumeCouponsInput!) {
        consumeCoupons(companyId: $companyId, input: $input) { totalDiscountE2 uses { couponId } } }`,
      {
        companyId: company.id,
        input: { orderId: await order(), withPromos: true, occurredAt: ago(40).toISOString() },
      },
    );
    expect(all.data?.["consumeCoupons"]).toEqual({ totalDiscountE2: 1_000, uses: [{ couponId: promo.id }] });
  });

  it("reports the last 72 hours, and of one moment", async () => {
    const { id, codes } = await runningCoupon(gateway, company.id, { startsAt: ago(100) });
    const orderId = await order();
    const wrong = async (more: object) => {
      const { status, body } = await company.owner.rest("POST", `/companies/${company.id}/coupons/consume`, {
        body: { code: codes[0], order_id: orderId, ...more },
      });
      return [status, ...wrongFields(body.errors)];
    };

    expect(await wrong({ occurred_at: ago(73).toISOString() })).toEqual([422, "occurred_at:min"]);
    expect(await wrong({ occurred_at: ago(-1).toISOString() })).toEqual([422, "occurred_at:max"]);
    expect(await wrong({ occurred_at: ago(1).toISOString(), datetime: ago(-1).toISOString() })).toEqual([
      422,
      "occurred_at:forbidden",
    ]);
    expect((await tally(gateway, company.id, id)).counters.spent).toBe(0);
    expect(
      await post("consume", { code: codes[0], order_id: orderId, occurred_at: ago(71).toISOString() }),
    ).toBe(1_000);
  });
});
