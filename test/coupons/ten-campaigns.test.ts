import { createBranch, createBranchGroup, signedInClient } from "../support/factories.js";
import { dataOf, errorCodes, startGateway, type Client, type Gateway } from "../support/gateway.js";
import { openDesk } from "./campaign-desk.js";

describe("ten campaigns, set up by who may edit coupons and events", () => {
  let gateway: Gateway;
  let desk: Awaited<ReturnType<typeof openDesk>>;
  beforeAll(async () => {
    gateway = await startGateway({ own: "database", environment: { RATE_LIMIT: "0" } });
  });
  beforeEach(async () => {
    desk = await openDesk(gateway);
  });
  afterAll(() => gateway.close());

  it("20 % from 50.00 on, at most 15.00", async () => {
    const { campaign, order, checked, consumed } = desk;
    const { codes } = await campaign({
      ...{ type: "batch", promo_code: "TWENTY", price_prc: 0.2, min_purchase_e2: 5000 },
      config: { max_discount_e2: 1500 },
    });
    const gives = (subtotalE2: number) => checked({ couponCode: "twenty", subtotalE2 });

    expect(codes).toEqual(["TWENTY"]);
    expect(await gives(4999)).toBe("COUPON_MIN_PURCHASE");
    for (const [subtotalE2, discountE2] of [
      [5000, 1000],
      [6249, 1250],
      [6253, 1251],
      [7500, 1500],
      [20_000, 1500],
    ] as const) {
      expect(await gives(subtotalE2)).toMatchObject({ discountE2 });
      expect(await consumed({ code: "TWENTY", orderId: await order(subtotalE2) })).toMatchObject({
        amountE2: discountE2,
      });
    }
    expect(await consumed({ code: "TWENTY", orderId: await order(4999) })).toBe("COUPON_MIN_PURCHASE");
  });

  it("10,000 codes of 5.00, each for one use", async () => {
    const { company, manager, campaign, shown, order, consumed } = desk;
    const { id, codes, codeCount } = await campaign({ type: "personal", total_count: 10_000, price_e2: 500 });
    const some = codes.slice(0, 3);
    const used = await Promise.all(some.map(async (code) => consumed({ code, orderId: await order(2000) })));
    const again = await consumed({ code: some[0], orderId: await order(2000) });

    expect(codeCount).toBe(10_000);
    expect(used).toEqual(some.map(() => ({ amountE2: 500, companyAmountE2: 0 })));
    expect(again).toBe("COUPON_CODE_USED");
    const tickets = `/companies/${company.id}/coupons/${id}`;
    const left = await manager.rest("GET", `${tickets}/available-tickets`);
    expect(left.headers["x-total-count"]).toBe("9997");
    expect((await manager.rest("GET", `${tickets}/used-tickets`)).body).toHaveLength(3);
    expect(await shown(id, "spentCount spentAmountE2")).toEqual({ spentCount: 3, spentAmountE2: 1500 });
  });

  it("for the first purchase in the company, the shop or the branch", async () => {
    const { company, campaign, order, together } = desk;
    const { id: clientId } = await signedInClient(gateway, company.id);
    const shop = await createBranchGroup(gateway, company.id);
    const here = await createBranch(gateway, company.id, { branchGroupId: shop.id });
    const beside = await createBranch(gateway, company.id, { branchGroupId: shop.id });
    const elsewhere = await createBranch(gateway, company.id, {
      branchGroupId: (await createBranchGroup(gateway, company.id)).id,
    });
    const codes = ["FIRST500", "FIRST600", "FIRST700"];
    for (const [place, first_purchase_mode] of ["company", "branch_group", "branch"].entries())
      await campaign({
        ...{ type: "batch", promo_code: codes[place], price_e2: 500 + place * 100 },
        config: { only_first_purchase: true, first_purchase_mode },
      });

    for (const [branch, totalDiscountE2] of [
      [here, 500 + 600 + 700],
      [beside, 700],
      [elsewhere, 600 + 700],
      [here, 0],
    ] as const) {
      const id = await order(3000, { clientId, branchId: branch.id });
      const { refused, ...given } = await together({ codes, orderId: id });
      expect(given).toMatchObject({ totalDiscountE2 });
      expect(refused.every(({ reason }) => reason === "COUPON_FIRST_PURCHASE")).toBe(true);
    }
  });

  it("30 % from 22:00 to 02:00 on Fridays and Saturdays", async () => {
    const { campaign, order, checked, consumed } = desk;
    await campaign({
      ...{ type: "batch", promo_code: "HAPPY", price_prc: 0.3 },
      config: { days: [5, 6], hour_beg: "22:00", hour_end: "02:00" },
    });
    const given = { discountE2: 765 };

    // The 2nd of January 2099 is a Friday; it is then four hours earlier here than in UTC.
    for (const [what, outcome] of [
      [{ datetime: "2099-01-03T01:59:00Z" }, "COUPON_OUTSIDE_HOURS"],
      [{ datetime: "2099-01-03T02:00:00Z" }, given],
      [{ datetime: "2099-01-03T05:59:00Z" }, given],
      [{ datetime: "2099-01-03T06:00:00Z" }, given],
      [{ datetime: "2099-01-03T06:01:00Z" }, "COUPON_OUTSIDE_HOURS"],
      [{ datetime: "2099-01-04T05:30:00Z" }, given],
      [{ datetime: "2099-01-02T05:30:00Z" }, "COUPON_OUTSIDE_DAYS"],
      [{ datetime: "2099-01-05T02:30:00Z" }, "COUPON_OUTSIDE_DAYS"],
      [{ datetime: "2099-01-03T16:00:00Z", time: "23:00" }, given],
      [{ datetime: "2099-01-03T16:00:00Z", time: "01:00" }, given],
      [{ datetime: "2099-01-02T16:00:00Z", time: "01:00" }, "COUPON_OUTSIDE_DAYS"],
    ] as const) {
      const check = await checked({ couponCode: "HAPPY", subtotalE2: 2550, ...what });
      const use = await consumed({ code: "HAPPY", orderId: await order(2550), ...what });
      const isGiven = outcome === given;
      expect([what, check, use]).toEqual([
        what,
        isGiven ? { ...given, companyDiscountE2: 0 } : outcome,
        isGiven ? { amountE2: 765, companyAmountE2: 0 } : outcome,
      ]);
    }
  });

  it("gift cards of 25.00", async () => {
    const { company, campaign, order, consumed } = desk;
    const { codes } = await campaign({ type: "gift_card", total_count: 3, price_e2: 2500 });
    const { client } = await signedInClient(gateway, company.id);
    const redeemed = async (couponCode: string | undefined) => {
      const answer = await client.run(
        `mutation ($companyId: Int!, $input: RedeemCouponInput!) {
          redeemCoupon(companyId: $companyId, input: $input) { addedE2 balanceE2 } }`,
        { companyId: company.id, input: { couponCode, redeem: true } },
      );
      return answer.errors === undefined ? dataOf(answer).redeemCoupon : errorCodes(answer)[0];
    };

    expect(codes.map((code) => code.length)).toEqual([12, 12, 12]);
    expect(await redeemed(codes[0])).toEqual({ addedE2: 2500, balanceE2: 2500 });
    expect(await redeemed(codes[0])).toBe("COUPON_CODE_USED");
    expect(await redeemed(codes[1])).toEqual({ addedE2: 2500, balanceE2: 5000 });
    expect(await consumed({ code: codes[2], orderId: await order(9000) })).toBe("INVALID_STATE");
  });

  it("10 % at two shops", async () => {
    const { company, campaign, order, consumed } = desk;
    const shops = [
      await createBranchGroup(gateway, company.id),
      await createBranchGroup(gateway, company.id),
    ];
    const third = await createBranchGroup(gateway, company.id);
    const [first, second, other] = await Promise.all(
      [...shops, third].map(({ id }) => createBranch(gateway, company.id, { branchGroupId: id })),
    );
    await campaign(
      { type: "batch", promo_code: "TWOSHOPS", price_prc: 0.1, target_type: "branch_group" },
      shops,
    );
    const at = async (branch: { id: number } | undefined) =>
      consumed({ code: "TWOSHOPS", orderId: await order(4835, { branchId: branch?.id }) });

    expect(await at(first)).toMatchObject({ amountE2: 484 });
    expect(await at(second)).toMatchObject({ amountE2: 484 });
    expect(await at(other)).toBe("COUPON_WRONG_TARGET");
    expect(await at(undefined)).toBe("COUPON_WRONG_TARGET");
  });

  describe("an influencer's code: 500 uses, 2 of each client, 1,000.00 in all", () => {
    const influencer = () =>
      desk.campaign({
        ...{ type: "batch", promo_code: "INFLUENCER", total_count: 500, price_prc: 0.1 },
        config: { limit: 2, amount_limit_e2: 100_000 },
      });

    it("by 250 clients who buy twice for 20.00", async () => {
      const { company, shown, order, consumed } = desk;
      const { id } = await influencer();
      const clients = await gateway.db.client.createManyAndReturn({
        data: Array.from({ length: 251 }, (_, n) => ({ companyId: company.id, name: `Follower ${n}` })),
      });
      const use = async (clientId: number | undefined) =>
        consumed({ code: "INFLUENCER", orderId: await order(2000, { clientId }) });
      const [late, ...others] = clients.map((client) => client.id);

      for (const clientId of others) {
        const both = await Promise.all([use(clientId), use(clientId)]);
        expect(both).toEqual([0, 1].map(() => ({ amountE2: 200, companyAmountE2: 0 })));
        if (clientId === others[0]) expect(await use(clientId)).toBe("COUPON_LIMIT");
      }

      expect(await use(late)).toBe("COUPON_EXHAUSTED");
      expect(await shown(id, "spentCount spentAmountE2 remainingAmountE2")).toEqual({
        ...{ spentCount: 500, spentAmountE2: 100_000, remainingAmountE2: 0 },
      });
    });

    it("by few who buy much, until the last cent of it", async () => {
      const { company, shown, order, consumed, held, returned } = desk;
      const { id } = await influencer();
      const clients = [await signedInClient(gateway, company.id), await signedInClient(gateway, company.id)];
      const [one, other] = clients.map((client) => client.id);
      const large = await order(984_000, { clientId: one });
      const code = "INFLUENCER";

      expect(await held({ code, orderId: await order(16_000, { clientId: other }) })).toEqual({
        amountE2: 1600,
      });
      expect(await consumed({ code, orderId: large })).toMatchObject({ amountE2: 98_400 });
      expect(await shown(id, "spentAmountE2 heldAmountE2 remainingAmountE2")).toEqual({
        ...{ spentAmountE2: 98_400, heldAmountE2: 1600, remainingAmountE2: 0 },
      });
      expect(await consumed({ code, orderId: await order(10, { clientId: one }) })).toBe(
        "COUPON_AMOUNT_LIMIT",
      );
      expect(await returned({ code, orderId: large })).toEqual({ amountE2: 98_400 });
      expect(await shown(id, "remainingAmountE2")).toEqual({ remainingAmountE2: 98_400 });
    });
  });

  it("two that must not stack", async () => {
    const { campaign, order, consumed, consumedAll, returned, together } = desk;
    const config = { collision_slot: 7 };
    const share = await campaign({ type: "batch", promo_code: "SHARE15", price_prc: 0.15, config });
    const flat = await campaign({ type: "batch", promo_code: "FLAT500", price_e2: 500, config });
    const id = await order(4000);
    const input = { codes: ["FLAT500", "SHARE15"], orderId: id };

    expect(await together(input)).toEqual({
      totalDiscountE2: 600,
      applied: [{ coupon: { id: share.id }, discountE2: 600 }],
      refused: [{ coupon: { id: flat.id }, reason: "COUPON_NOT_COMBINABLE" }],
    });
    expect(await consumedAll(input)).toBe("COUPON_NOT_COMBINABLE");
    expect(await consumed({ code: "FLAT500", orderId: id })).toMatchObject({ amountE2: 500 });
    expect(await consumed({ code: "SHARE15", orderId: id })).toBe("COUPON_NOT_COMBINABLE");
    expect(await returned({ code: "FLAT500", orderId: id })).toEqual({ amountE2: 500 });
    expect(await consumedAll({ codes: ["SHARE15"], orderId: id })).toEqual({
      totalDiscountE2: 600,
      uses: [{ couponId: share.id, amountE2: 600 }],
    });
  });

  it("free delivery up to 5.00, by itself", async () => {
    const { campaign, order, consumedAll, together } = desk;
    const { id } = await campaign({
      ...{ type: "promo", price_prc: 1, applies_to: "delivery" },
      config: { max_discount_e2: 500, only_deliveries: true },
    });
    const taken = async (deliveryE2: number) =>
      consumedAll({ withPromos: true, orderId: await order(2000, { deliveryE2 }) });

    for (const [deliveryE2, amountE2] of [
      [390, 390],
      [500, 500],
      [720, 500],
    ] as const)
      expect(await taken(deliveryE2)).toEqual({
        totalDiscountE2: amountE2,
        uses: [{ couponId: id, amountE2 }],
      });
    expect(await taken(0)).toEqual({ totalDiscountE2: 0, uses: [] });
    const { refused } = await together({ withPromos: true, orderId: await order(2000) });
    expect(refused).toEqual([{ coupon: { id }, reason: "COUPON_ONLY_DELIVERIES" }]);
  });

  it("10 % of which the company bears 30 %", async () => {
    const { campaign, order, consumed } = desk;
    await campaign({
      ...{ type: "batch", promo_code: "SHARED", price_prc: 0.1 },
      config: { company_assumption_prc: 30 },
    });

    for (const [subtotalE2, amountE2, companyAmountE2] of [
      [6500, 650, 195],
      [3335, 334, 100],
      [150, 15, 5],
    ] as const)
      expect(await consumed({ code: "SHARED", orderId: await order(subtotalE2) })).toEqual({
        ...{ amountE2, companyAmountE2 },
      });
  });

  it("a drop with three prizes of 10.00", async () => {
    const { company, made, order, consumed } = desk;
    const { id } = await made("POST", "company-events", {
      ...{ name: "Drop", type: "coupon_gen" },
      config: { coupon_seeds: [{ max_count: 3, win_rate: 1, coupon_value_e2: 1000 }] },
    });
    await made("POST", `company-events/${id}/set-ready`);
    const players = [];
    for (let player = 0; player < 5; player += 1) players.push(await signedInClient(gateway, company.id));
    const shake = async ({ client }: { client: Client }) =>
      (await client.rest("GET", `/companies/${company.id}/events/shake`)).body as {
        won: boolean;
        code: string;
      };

    const shakes = await Promise.all(players.map(shake));
    const winners = players.filter((_, place) => shakes[place]?.won);
    const loser = players.find((_, place) => shakes[place]?.won === false);
    const codes = shakes.flatMap(({ won, code }) => (won ? code : []));

    expect(new Set(codes).size).toBe(3);
    expect((await Promise.all(players.map(shake))).map(({ won }) => won)).toEqual(players.map(() => false));
    const use = async (code: string | undefined, clientId: number | undefined) =>
      consumed({ code, orderId: await order(3000, { clientId }) });
    expect(await use(codes[0], loser?.id)).toBe("COUPON_NOT_WHITELISTED");
    for (const [place, { id: clientId }] of winners.entries())
      expect(await use(codes[place], clientId)).toMatchObject({ amountE2: 1000 });
    expect(await use(codes[0], winners[0]?.id)).toBe("COUPON_EXHAUSTED");
  });
});
