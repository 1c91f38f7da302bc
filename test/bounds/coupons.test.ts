import { createOrder, createOrders, runningCoupon, tally } from "../coupons/running-coupon.js";
import { dataOf, errorCodes, type Client, type Gateway, startGateway } from "../support/gateway.js";
import { signedInClient } from "../support/factories.js";
import { boundAdmin, createTwoShops, type TwoShops } from "./two-shops.js";

const ROLES = ["access_coupons", "can_redeem_coupons", "access_carts"] as const;

const mutation = (name: string, type: string, fields: string): string =>
  `mutation ($companyId: Int!, $input: ${type}!) { ${name}(companyId: $companyId, input: $input) { ${fields} } }`;
const USE = "id amountE2 order { id } coupon { id spentCount }";
const CONSUME = mutation("consumeCoupon", "ConsumeCouponInput", USE);
const CONSUME_ALL = mutation(
  "consumeCoupons",
  "ConsumeCouponsInput",
  "totalDiscountE2 uses { couponId } refused { reason coupon { id } }",
);
const HOLD = mutation("holdCoupon", "HoldCouponInput", "id amountE2");
const RELEASE = mutation("releaseCoupon", "ReleaseCouponInput", "id amountE2");
const RETURN = mutation("returnCoupon", "ReturnCouponInput", "id amountE2");
const RETURN_ITEMS = mutation("returnCouponItems", "ReturnCouponItemsInput", "amountE2");
const CHECK = mutation("checkCoupon", "CheckCouponInput", "discountE2 coupon { id }");
const CHECK_AT_BRANCH = `mutation ($companyId: Int!, $branchId: Int!, $input: CheckCouponInput!) {
  checkCouponForBranch(companyId: $companyId, branchId: $branchId, input: $input) { discountE2 } }`;
const REDEEM = mutation("redeemCoupon", "RedeemCouponInput", "addedE2 balanceE2");
const DISCOUNTS = `query ($companyId: Int!, $input: DiscountsInput!) { discounts(companyId: $companyId, input: $input) {
  applied { coupon { id } discountE2 } refused { code reason coupon { id } } } }`;
const PROMOS = `query ($companyId: Int!, $input: ApplicablePromosInput!) {
  applicablePromos(companyId: $companyId, input: $input) { coupon { id } } }`;

describe("coupons for an admin who is bound to a shop", () => {
  let gateway: Gateway;
  let shops: TwoShops;
  let bound: Client;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    shops = await createTwoShops(gateway);
    bound = await boundAdmin(gateway, shops.companyId, { branchGroupIds: [shops.own.id] }, ...ROLES);
  });
  afterAll(() => gateway.close());

  const run = (query: string, input: object, by = bound) =>
    by.run(query, { companyId: shops.companyId, input });
  const coupon = (branchGroupId: number | null, more: Parameters<typeof runningCoupon>[2] = {}) =>
    runningCoupon(gateway, shops.companyId, { ...(branchGroupId !== null && { branchGroupId }), ...more });
  const order = async (branchId: number | null): Promise<number> =>
    (await createOrder(gateway, shops.companyId, { branchId })).id;
  const counters = async (couponId: number) => {
    const { counters: counted, rows } = await tally(gateway, shops.companyId, couponId);
    expect(rows).toEqual(counted);
    return counted;
  };

  const everything = () => {
    const of = { where: { companyId: shops.companyId }, orderBy: { id: "asc" } } as const;
    const { db } = gateway;
    return Promise.all([
      db.coupon.findMany(of),
      db.couponCode.findMany(of),
      db.couponRedemption.findMany(of),
      db.couponHold.findMany(of),
      db.order.findMany(of),
    ]);
  };

  it.each(["of the whole company", "of the shop", "for a caller bound to the branch"])(
    "are held, released, used and given back by orders of the shop: a coupon %s",
    async (whose) => {
      const { own, companyId } = shops;
      if (whose.endsWith("branch"))
        bound = await boundAdmin(gateway, companyId, { branchIds: [own.branchId] }, ...ROLES);
      const { id, codes } = await coupon(whose.endsWith("company") ? null : own.id);
      const orderId = await order(own.branchId);
      const named = { code: codes[0], orderId };

      expect(dataOf(await run(HOLD, named))["holdCoupon"]).toMatchObject({ amountE2: 1000 });
      expect(await counters(id)).toEqual({ spent: 0, given: 0, held: 1, reserved: 1000 });
      expect(dataOf(await run(RELEASE, { couponId: id, orderId }))["releaseCoupon"].amountE2).toBe(1000);
      const used = dataOf(await run(CONSUME, named))["consumeCoupon"];
      expect(used).toMatchObject({ order: { id: orderId }, coupon: { id, spentCount: 1 } });
      expect(dataOf(await run(CONSUME, named))["consumeCoupon"].id).toBe(used.id);
      expect(await counters(id)).toEqual({ spent: 1, given: 1000, held: 0, reserved: 0 });
      expect(dataOf(await run(RETURN, named))["returnCoupon"].id).toBe(used.id);
      expect(await counters(id)).toEqual({ spent: 0, given: 0, held: 0, reserved: 0 });
    },
  );

  it("are used at once and given back by units", async () => {
    const { own } = shops;
    const { id, codes } = await coupon(null);
    const promo = await coupon(own.id, { type: "promo", priceE2: 300 });
    await coupon(shops.other.id, { type: "promo" });
    await gateway.db.order.updateMany({
      where: { companyId: shops.companyId, id: own.orderId },
      data: { subtotalE2: 10_000, totalE2: 10_000 },
    });
    await gateway.db.orderItem.updateMany({
      where: { companyId: shops.companyId, orderId: own.orderId },
      data: { totalPriceE2: 10_000 },
    });

    const taken = dataOf(await run(CONSUME_ALL, { orderId: own.orderId, codes, withPromos: true }));
    expect(taken["consumeCoupons"]).toEqual({
      totalDiscountE2: 1300,
      uses: expect.arrayContaining([{ couponId: id }, { couponId: promo.id }]),
      refused: [],
    });
    const items = [{ goodId: own.goodId, quantity: 1 }];
    const returned = await run(RETURN_ITEMS, { orderId: own.orderId, items });
    expect(dataOf(returned)["returnCouponItems"]).toEqual({ amountE2: 650 });
    expect((await counters(id)).given).toBe(500);
  });

  it("of another shop are unknown, and nothing of them is listed", async () => {
    const { own, other, companyId } = shops;
    const beyond = await coupon(other.id);
    const promo = await coupon(other.id, { type: "promo" });
    const common = await coupon(null, { type: "promo" });
    const orderId = await order(own.branchId);
    await run(CONSUME, { couponId: promo.id, orderId }, shops.owner);
    const before = await everything();
    const [code] = beyond.codes;
    const purchase = { orderId, subtotalE2: 10_000 };

    const refused = [
      await run(CHECK, { couponCode: code, ...purchase }),
      await run(CONSUME, { code, orderId }),
      await run(CONSUME, { couponId: promo.id, orderId }),
      await run(HOLD, { code, orderId }),
      await run(CONSUME_ALL, { codes: [code], orderId }),
      await run(PROMOS, { couponCode: code, ...purchase }),
    ];
    expect(refused.map(errorCodes)).toEqual(Array(6).fill(["COUPON_NOT_FOUND"]));
    const missing = [
      await run(DISCOUNTS, { couponIds: [beyond.id], ...purchase }),
      await run(RETURN, { couponId: promo.id, orderId }),
      await run(RELEASE, { code, orderId }),
    ];
    expect(missing.map(errorCodes)).toEqual(Array(3).fill(["NOT_FOUND"]));
    expect(dataOf(await run(DISCOUNTS, { codes: [code], withPromos: true, subtotalE2: 10_000 }))).toEqual({
      discounts: {
        applied: [{ coupon: { id: common.id }, discountE2: 1000 }],
        refused: [{ code, reason: "COUPON_NOT_FOUND", coupon: null }],
      },
    });
    expect(dataOf(await run(PROMOS, { subtotalE2: 10_000 }))["applicablePromos"]).toEqual([
      { coupon: { id: common.id } },
    ]);
    expect(await everything()).toEqual(before);
    expect(
      await gateway.db.couponAttempt.findMany({
        where: { companyId, orderId, code: code as string },
        select: { action: true, reason: true },
        orderBy: { id: "asc" },
      }),
    ).toEqual(["use", "hold", "use"].map((action) => ({ action, reason: "COUPON_NOT_FOUND" })));
  });

  it("do nothing for orders of another shop, and of none", async () => {
    const { own, other } = shops;
    const { id, codes } = await coupon(null);
    const [code] = codes;
    const [beyond, ofNone, held] = [
      await order(other.branchId),
      await order(null),
      await order(other.branchId),
    ];
    await run(CONSUME, { code, orderId: beyond }, shops.owner);
    await run(CONSUME, { code, orderId: ofNone }, shops.owner);
    await run(HOLD, { code, orderId: held }, shops.owner);
    const before = await everything();
    const items = [{ goodId: own.goodId, quantity: 1 }];
    const onOrder = async (orderId: number) => [
      await run(CONSUME, { code, orderId }),
      await run(CONSUME_ALL, { codes, orderId }),
      await run(HOLD, { code, orderId }),
      await run(RELEASE, { code, orderId }),
      await run(RETURN, { couponId: id, orderId }),
      await run(RETURN_ITEMS, { orderId, items }),
    ];

    for (const orderId of [beyond, held, 2_000_000_000])
      expect((await onOrder(orderId)).map(errorCodes)).toEqual(Array(6).fill(["NOT_FOUND"]));
    expect((await onOrder(ofNone)).map(errorCodes)).toEqual(Array(6).fill(["FORBIDDEN"]));
    const check = { couponCode: code, subtotalE2: 10_000 };
    expect(errorCodes(await run(CHECK, { ...check, orderId: beyond }))).toEqual(["NOT_FOUND"]);
    expect(dataOf(await run(CHECK, { ...check, orderId: ofNone }))).toMatchObject({ checkCoupon: {} });
    expect(await everything()).toEqual(before);
  });

  it("are for purchases at branches and of goods that are reached", async () => {
    const { own, other } = shops;
    const { codes } = await coupon(null);
    const purchase = { couponCode: codes[0], subtotalE2: 10_000 };
    const places = { codes, subtotalE2: 10_000 };
    const item = { goodId: other.goodId, quantity: 1 };
    const checkAt = (branchId: number) =>
      bound.run(CHECK_AT_BRANCH, { companyId: shops.companyId, branchId, input: purchase });

    const refused = [
      await checkAt(other.branchId),
      await checkAt(2_000_000_000),
      await run(CHECK, { ...purchase, goods: [other.goodId] }),
      await run(CHECK, { ...purchase, goodIds: `${own.goodId},${other.goodId}` }),
      await run(CHECK, { ...purchase, items: [item] }),
      await run(DISCOUNTS, { ...places, branchId: other.branchId }),
      await run(CONSUME, {
        code: codes[0],
        orderId: own.orderId,
        branchId: other.branchId,
        subtotalE2: 1000,
      }),
    ];
    expect(refused.map(errorCodes)).toEqual(Array(7).fill(["NOT_FOUND"]));
    expect(dataOf(await checkAt(own.branchId))).toMatchObject({ checkCouponForBranch: { discountE2: 1000 } });
    expect(dataOf(await run(CHECK, { ...purchase, goodIds: `${own.goodId}` }))).toMatchObject({
      checkCoupon: { discountE2: 1000 },
    });
    expect(dataOf(await run(DISCOUNTS, { ...places, branchId: own.branchId }))).toMatchObject({
      discounts: { applied: [{ discountE2: 1000 }] },
    });
  });

  it("keep the limits of the whole company, also of cashiers of two shops at once", async () => {
    const { own, other, companyId } = shops;
    const elsewhere = await boundAdmin(gateway, companyId, { branchGroupIds: [other.id] }, ...ROLES);
    const client = await signedInClient(gateway, companyId);
    const once = await coupon(null, { config: { limit: 1 } });
    const [code] = once.codes;
    const used = { code, orderId: await order(other.branchId), clientId: client.id };
    expect(errorCodes(await run(CONSUME, used, elsewhere))).toEqual([]);
    const again = { code, orderId: await order(own.branchId), clientId: client.id };
    expect(errorCodes(await run(CONSUME, again))).toEqual(["COUPON_LIMIT"]);
    expect((await counters(once.id)).spent).toBe(1);

    const few = await coupon(null, { totalCount: 5 });
    const { db } = gateway;
    const orders = await createOrders(gateway, companyId, 16);
    const [here, there] = [orders.slice(0, 8), orders.slice(8)];
    for (const [ids, branchId] of [[here, own.branchId] as const, [there, other.branchId] as const])
      await db.order.updateMany({ where: { companyId, id: { in: [...ids] } }, data: { branchId } });
    const results = await Promise.all(
      orders.map((orderId) =>
        run(CONSUME, { code: few.codes[0], orderId }, here.includes(orderId) ? bound : elsewhere),
      ),
    );

    expect(results.filter(({ errors }) => errors === undefined)).toHaveLength(5);
    expect([...new Set(results.flatMap(errorCodes))]).toEqual(["COUPON_EXHAUSTED"]);
    expect((await counters(few.id)).spent).toBe(5);
  });

  it("have their codes voided and assigned where they are of the shop, but for those that any order holds", async () => {
    const { companyId, own, other } = shops;
    bound = await boundAdmin(gateway, companyId, { branchGroupIds: [own.id] }, ...ROLES, "can_edit_coupons");
    const owned = await coupon(own.id, { type: "personal", totalCount: 3 });
    const common = await coupon(null, { type: "personal", totalCount: 2 });
    const [free = "", held = "", next = ""] = owned.codes;
    const { id: clientId } = await signedInClient(gateway, companyId);
    for (const code of [free, held]) {
      const orderId = await order(own.branchId);
      dataOf(await run(HOLD, { code, orderId }));
      await gateway.db.order.updateMany({
        where: { companyId, id: orderId },
        data: { branchId: other.branchId },
      });
    }
    await gateway.db.couponHold.updateMany({
      where: { companyId, code: free },
      data: { expiresAt: new Date(0) },
    });
    const voided = (couponId: number, codes: readonly string[]) =>
      bound.run(
        `mutation ($companyId: Int!, $couponId: Int!, $codes: [String!]!) {
          voidCouponCodes(companyId: $companyId, couponId: $couponId, codes: $codes) { code ok error { code } } }`,
        { companyId, couponId, codes },
      );
    const assigned = (couponId: number) =>
      bound.run(
        `mutation ($companyId: Int!, $couponId: Int!, $clientId: Int!) {
          assignCouponCode(companyId: $companyId, couponId: $couponId, clientId: $clientId) { code } }`,
        { companyId, couponId, clientId },
      );

    const ofShop = dataOf(await voided(owned.id, [free, held]));
    const before = await everything();
    const ofCompany = dataOf(await voided(common.id, [...common.codes]));
    const refused = await assigned(common.id);

    expect(ofShop["voidCouponCodes"]).toEqual([
      { code: free, ok: true, error: null },
      { code: held, ok: false, error: { code: "INVALID_STATE" } },
    ]);
    expect(ofCompany["voidCouponCodes"].map(({ error }: { error: object }) => error)).toEqual([
      { code: "FORBIDDEN" },
      { code: "FORBIDDEN" },
    ]);
    expect(errorCodes(refused)).toEqual(["FORBIDDEN"]);
    expect(await everything()).toEqual(before);
    expect(dataOf(await assigned(owned.id))["assignCouponCode"]).toEqual({ code: next });
  });

  it("are the same over REST, in one transaction with a key too", async () => {
    const { own, other, companyId } = shops;
    const common = await coupon(null);
    const beyond = await coupon(other.id);
    const post = async (path: string, body: object): Promise<[number, string?]> => {
      const { status, body: answer } = await bound.rest("POST", `/companies/${companyId}/coupons/${path}`, {
        body,
        headers: { "idempotency-key": crypto.randomUUID() },
      });
      return [status, ...(status === 200 ? [] : [answer.code as string])] as [number, string?];
    };
    const [mine, theirs] = [await order(own.branchId), await order(other.branchId)];
    const [code] = common.codes;

    expect(await post("hold", { code, order_id: mine })).toEqual([200]);
    expect(await post("consume", { code, order_id: mine })).toEqual([200]);
    expect((await counters(common.id)).spent).toBe(1);
    expect(await post("return", { code, order_id: mine })).toEqual([200]);
    const before = await everything();
    const unknown = [422, "COUPON_NOT_FOUND"];
    expect(await post("consume", { code, order_id: theirs })).toEqual([404, "NOT_FOUND"]);
    expect(await post("consume", { code: beyond.codes[0], order_id: mine })).toEqual(unknown);
    expect(await post("consume", { code: "NOBODYHASIT", order_id: mine })).toEqual(unknown);
    expect(await everything()).toEqual(before);
  });

  it("become balance of the caller where they are gift cards of the company or the shop", async () => {
    const card = { type: "gift_card", totalCount: 1, priceE2: 700 } as const;
    const [common, beyond] = [await coupon(null, card), await coupon(shops.other.id, card)];

    expect(dataOf(await run(REDEEM, { couponCode: common.codes[0], redeem: true }))).toEqual({
      redeemCoupon: { addedE2: 700, balanceE2: 700 },
    });
    expect((await counters(common.id)).spent).toBe(1);
    const before = await everything();
    expect(errorCodes(await run(REDEEM, { couponCode: beyond.codes[0], redeem: true }))).toEqual([
      "COUPON_NOT_FOUND",
    ]);
    expect(await everything()).toEqual(before);
  });
});
