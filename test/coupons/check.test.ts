import {
  adminWith,
  createCompany,
  createGood,
  signedInClient,
  type TestCompany,
} from "../support/factories.js";
import {
  dataOf,
  errorCodes,
  startGateway,
  wrongFields,
  type Client,
  type Gateway,
} from "../support/gateway.js";
import { runningCoupon, tally } from "./running-coupon.js";

const CHECK = /* GraphQL */ `
  mutation ($companyId: Int!, $input: CheckCouponInput!) {
    checkCoupon(companyId: $companyId, input: $input) {
      coupon {
        id
        status
        whitelist
      }
      discountE2
      companyDiscountE2
      explanation {
        baseE2
        rules {
          rule
          code
          passed
          actual
          required
        }
        steps {
          step
          amountE2
          detail
        }
      }
    }
  }
`;

describe("checking a coupon", () => {
  let gateway: Gateway;
  let company: TestCompany;
  const check = (input: Record<string, unknown>, by: Client = company.owner) =>
    by.run(CHECK, { companyId: company.id, input: { subtotalE2: 10_000, ...input } });
  const checkByRest = (body: Record<string, unknown>, by: Client = company.owner, path = "") =>
    by.rest("POST", `/companies/${company.id}${path}/coupons/check`, {
      body: { subtotal_e2: 10_000, ...body },
    });

  beforeAll(async () => {
    gateway = await startGateway();
    company = await createCompany(gateway, { timeZoneOffset: "-04:00" });
  });

  afterAll(() => gateway.close());

  it("answers the coupon with its discount on both faces, and uses nothing", async () => {
    const { id, codes } = await runningCoupon(gateway, company.id, {
      priceE2: 100,
      pricePrc: "0.1250",
      config: { companyAssumptionPrc: 50, usableInPromos: false },
    });
    const [code] = codes;

    const { checkCoupon } = dataOf(await check({ couponCode: ` ${code?.toLowerCase()} `, subtotalE2: 1001 }));
    const answer = await checkByRest({ coupon_code: code, subtotal_e2: 1001 });

    expect(checkCoupon).toEqual({
      coupon: { id, status: "running", whitelist: null },
      discountE2: 225,
      companyDiscountE2: 113,
      explanation: null,
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ id, type: "batch", status: "running", discount_e2: 225 });
    const shown = await company.owner.rest("GET", `/companies/${company.id}/coupons/${id}`);
    expect(Object.keys(answer.body as object).sort()).toEqual(
      [...Object.keys(shown.body as object), "discount_e2"].sort(),
    );
    expect((await tally(gateway, company.id, id)).counters).toEqual({
      spent: 0,
      given: 0,
      held: 0,
      reserved: 0,
    });
  });

  it("explains what it saw on request, the steps adding up to the discount", async () => {
    const { codes } = await runningCoupon(gateway, company.id, {
      priceE2: 300,
      pricePrc: "0.1250",
      minPurchaseE2: 500,
      config: { maxDiscountE2: 350, days: [0, 1, 2, 3, 4, 5, 6] },
    });
    const [couponCode] = codes;

    const { checkCoupon } = dataOf(await check({ couponCode, subtotalE2: 1004, explain: true }));
    const answer = await checkByRest({ coupon_code: couponCode, subtotal_e2: 1004, explain: true });

    expect(checkCoupon.discountE2).toBe(350);
    expect(checkCoupon.explanation).toMatchObject({
      baseE2: 1004,
      steps: [
        { step: "flat", amountE2: 300, detail: "3.00" },
        { step: "percentage", amountE2: 125, detail: "12.50% of 10.04 = 1.255000" },
        { step: "rounding", amountE2: 1, detail: "1.255000 half up to 1.26" },
        { step: "max_discount", amountE2: -76, detail: "at most the maximum 3.50" },
      ],
    });
    expect(checkCoupon.explanation.rules).toHaveLength(21);
    expect(checkCoupon.explanation.rules[11]).toEqual({
      rule: "min_purchase",
      code: "COUPON_MIN_PURCHASE",
      passed: true,
      actual: "10.04",
      required: "at least 5.00",
    });
    expect(answer.body.discount_e2).toBe(350);
    expect(answer.body.explanation.steps[3]).toEqual({
      step: "max_discount",
      amount_e2: -76,
      detail: "at most the maximum 3.50",
    });
  });

  it("explains a refusal on request on both faces, the first rule that fails being its code", async () => {
    const { codes } = await runningCoupon(gateway, company.id, {
      minPurchaseE2: 20_000,
      config: { onlyDeliveries: true },
    });
    const [couponCode] = codes;

    const short = await check({ couponCode });
    const long = await check({ couponCode, explain: true });
    const answer = await checkByRest({ coupon_code: couponCode, explain: true });

    expect(errorCodes(short)).toEqual(["COUPON_MIN_PURCHASE"]);
    expect(short.errors?.[0]?.extensions).not.toHaveProperty("explanation");
    const failed = (rules: { passed: boolean; code: string }[]) =>
      rules.filter(({ passed }) => !passed).map(({ code }) => code);
    expect(failed(long.errors?.[0]?.extensions["explanation"].rules)).toEqual([
      "COUPON_MIN_PURCHASE",
      "COUPON_ONLY_DELIVERIES",
    ]);
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ code: "COUPON_MIN_PURCHASE", explanation: { base_e2: 10_000 } });
    expect(failed(answer.body.explanation.rules)).toEqual(["COUPON_MIN_PURCHASE", "COUPON_ONLY_DELIVERIES"]);
  });

  it("lets a client check for itself alone, and shows it of the list only itself", async () => {
    const [me, somebody] = [
      await signedInClient(gateway, company.id),
      await signedInClient(gateway, company.id),
    ];
    const { codes } = await runningCoupon(gateway, company.id, { whitelist: [me.id, somebody.id] });
    const [couponCode] = codes;
    const stranger = await signedInClient(gateway, company.id);

    expect(dataOf(await check({ couponCode }, me.client)).checkCoupon.coupon.whitelist).toEqual([me.id]);
    expect(dataOf(await check({ couponCode, clientId: me.id })).checkCoupon.coupon.whitelist).toEqual([
      me.id,
      somebody.id,
    ]);
    expect(errorCodes(await check({ couponCode, clientId: somebody.id }, me.client))).toEqual(["FORBIDDEN"]);
    expect(errorCodes(await check({ couponCode }, stranger.client))).toEqual(["COUPON_NOT_WHITELISTED"]);
    const told = await check({ couponCode, explain: true }, stranger.client);
    expect(told.errors?.[0]?.extensions["explanation"].rules[7]).toEqual({
      rule: "whitelist",
      code: "COUPON_NOT_WHITELISTED",
      passed: false,
      judged: true,
      actual: `client ${stranger.id}`,
      required: "a client of the coupon's list",
    });
    expect(errorCodes(await check({ couponCode }))).toEqual(["COUPON_NOT_WHITELISTED"]);
  });

  it("is for admins with access_coupons and for clients", async () => {
    const { codes } = await runningCoupon(gateway, company.id);
    const [couponCode] = codes;
    const other = await createCompany(gateway);

    dataOf(await check({ couponCode }, await adminWith(gateway, company.id, "access_coupons")));
    expect(
      errorCodes(await check({ couponCode }, await adminWith(gateway, company.id, "can_edit_coupons"))),
    ).toEqual(["FORBIDDEN"]);
    expect(errorCodes(await check({ couponCode }, other.owner))).toEqual(["FORBIDDEN"]);
    const own = await other.owner.run(CHECK, { companyId: other.id, input: { couponCode, subtotalE2: 100 } });
    expect(errorCodes(own)).toEqual(["COUPON_NOT_FOUND"]);
  });

  it("lists all wrong fields at once", async () => {
    const wrong = {
      coupon_code: "1234",
      subtotal_e2: 0,
      subtotal_full_e2: -1,
      base_price_e2: 0,
      delivery_e2: -1,
      items: [{ good_id: 2_000_000_000, quantity: 0 }],
      goods: ["x"],
      good_ids: "1,",
      time: "24:00",
      datetime: "2020-01-01",
      use_local_tz: "yes",
    };

    const answer = await checkByRest(wrong);

    expect(answer.status).toBe(422);
    expect(wrongFields(answer.body.errors)).toEqual([
      "base_price_e2:min",
      "coupon_code:min_length",
      "datetime:after",
      "delivery_e2:min",
      "good_ids:pattern",
      "goods[0]:type",
      "items[0].good_id:exists",
      "items[0].quantity:min",
      "subtotal_e2:min",
      "subtotal_full_e2:min",
      "time:clock",
      "use_local_tz:type",
    ]);
  });

  it("refuses goods that do not exist, on both faces", async () => {
    const { id, codes } = await runningCoupon(gateway, company.id);
    const good = await createGood(gateway, company.id);
    const gone = await createGood(gateway, company.id, { deletedAt: new Date() });
    const foreign = await createGood(gateway, (await createCompany(gateway)).id);
    const unknown = [2_000_000_000, gone.id, foreign.id];

    const listed = await checkByRest({ coupon_code: codes[0], goods: [good.id, ...unknown] });
    const byGraphql = await check({ couponCode: codes[0], goods: [good.id, ...unknown] });
    const known = await checkByRest({ coupon_code: codes[0], goods: [good.id], good_ids: `${good.id}` });

    expect([listed.status, wrongFields(listed.body.errors)]).toEqual([
      422,
      ["goods[1]:exists", "goods[2]:exists", "goods[3]:exists"],
    ]);
    expect(wrongFields(byGraphql.errors?.[0]?.extensions["errors"])).toEqual([
      "goods[1]:exists",
      "goods[2]:exists",
      "goods[3]:exists",
    ]);
    expect(known.status).toBe(200);
    for (const one of [...unknown, 0, 99_999_999_999]) {
      const text = await checkByRest({ coupon_code: codes[0], good_ids: `${good.id},${one}` });
      const textByGraphql = await check({ couponCode: codes[0], goodIds: `${good.id},${one}` });

      expect([text.status, text.body.errors]).toEqual([
        422,
        [{ field: "good_ids", rule: "exists", message: `${one} does not exist` }],
      ]);
      expect(wrongFields(textByGraphql.errors?.[0]?.extensions["errors"])).toEqual(["goodIds:exists"]);
    }
    expect((await tally(gateway, company.id, id)).counters.spent).toBe(0);
  });

  it("refuses a purchase whose total is more than an amount can be, on both faces", async () => {
    const { codes } = await runningCoupon(gateway, company.id, {
      appliesTo: "total",
      priceE2: 0,
      pricePrc: "1",
    });
    const [couponCode] = codes;
    const most = Number.MAX_SAFE_INTEGER;

    const largest = await check({ couponCode, subtotalE2: most - 500, deliveryE2: 500, explain: true });
    const larger = await check({ couponCode, subtotalE2: most - 500, deliveryE2: 501, explain: true });
    const twice = await checkByRest({ coupon_code: couponCode, subtotal_e2: most, delivery_e2: most });
    const taxed = await checkByRest({ coupon_code: couponCode, subtotal_full_e2: most, delivery_e2: 1 });

    expect(dataOf(largest).checkCoupon.discountE2).toBe(most);
    expect(larger.errors?.[0]?.extensions["errors"]).toEqual([
      { field: "deliveryE2", rule: "max", message: "must be at most 500 with such a subtotal" },
    ]);
    for (const { status, body } of [twice, taxed])
      expect([status, wrongFields(body.errors)]).toEqual([422, ["delivery_e2:max"]]);
  });

  it("explains the discount of any number of units", async () => {
    const good = await createGood(gateway, company.id);
    const { codes } = await runningCoupon(gateway, company.id, {
      priceE2: 10_000_000_000,
      pricePrc: "0.5",
      config: { applyForUnit: true, maxDiscountE2: 700 },
    });
    const items = [{ goodId: good.id, quantity: 2_147_483_647 }];

    const { checkCoupon } = dataOf(
      await check({ couponCode: codes[0], items, subtotalE2: 1000, explain: true }),
    );

    expect(checkCoupon.discountE2).toBe(700);
    expect(checkCoupon.explanation.steps).toMatchObject([
      {
        step: "flat",
        amountE2: Number.MAX_SAFE_INTEGER - 1000,
        detail: "100000000.00 × 2147483647 units",
      },
      { step: "percentage", amountE2: 500 },
      { step: "rounding", amountE2: 0 },
      { step: "max_discount", amountE2: 700 - (Number.MAX_SAFE_INTEGER - 500) },
    ]);
  });

  it.each([
    ["without goods", {}],
    ["with goods that are all of the basket", { goods: { exclude: { goodIds: [2_000_000_000] } } }],
    ["with a bundle that never fills", { bundle: { buy: 50, get: 1, pricePrc: 0.5 } }],
  ])("gives the flat discount of services for each unit of these %s", async (_, more) => {
    const service = await createGood(gateway, company.id, { type: 1 });
    const other = await createGood(gateway, company.id);
    const { codes } = await runningCoupon(gateway, company.id, {
      ...{ priceE2: 10, appliesTo: "service", config: { applyForUnit: true, ...more } },
    });
    const checked = async (serviceE2: number, units: number) => {
      const items = [
        { goodId: service.id, quantity: 2, totalPriceE2: serviceE2 },
        { goodId: other.id, quantity: units, totalPriceE2: 600 },
      ];
      return dataOf(await check({ couponCode: codes[0], items, explain: true })).checkCoupon;
    };

    for (const units of [1, 3])
      expect(await checked(1_000, units)).toMatchObject({
        ...{ discountE2: 20, explanation: { steps: [{ detail: "0.10 × 2 units" }] } },
      });
    // At most what the services cost.
    expect((await checked(15, 3)).discountE2).toBe(15);
  });

  it("rounds a fraction and a bundle once, together", async () => {
    const goods = [await createGood(gateway, company.id), await createGood(gateway, company.id)];
    const { codes } = await runningCoupon(gateway, company.id, {
      priceE2: 0,
      pricePrc: "0.1250",
      config: { bundle: { buy: 1, get: 1, pricePrc: 0.5 } },
    });
    const [couponCode] = codes;
    const prices = [603, 401];
    const items = goods.map(({ id }, place) => ({
      goodId: id,
      quantity: 1,
      totalPriceE2: prices[place] as number,
    }));

    const { checkCoupon } = dataOf(await check({ couponCode, items, subtotalE2: 1004, explain: true }));
    const answer = await checkByRest({
      coupon_code: couponCode,
      subtotal_e2: 1004,
      items: items.map(({ goodId, totalPriceE2 }) => ({
        good_id: goodId,
        quantity: 1,
        total_price_e2: totalPriceE2,
      })),
    });

    expect(checkCoupon).toMatchObject({ discountE2: 326, explanation: { baseE2: 1004 } });
    expect(checkCoupon.explanation.steps).toEqual([
      { step: "percentage", amountE2: 125, detail: "12.50% of 10.04 = 1.255000" },
      { step: "bundle", amountE2: 200, detail: "50.00% of units for 4.01 = 2.005000" },
      { step: "rounding", amountE2: 1, detail: "3.260000 half up to 3.26" },
    ]);
    expect(answer.body.discount_e2).toBe(326);
  });

  it("has a bundle without goods for all items, without the delivery, and for nothing without items", async () => {
    const goods = [];
    for (const type of [1, 0]) goods.push(await createGood(gateway, company.id, { type }));
    const items = goods.map(({ id: goodId }) => ({ goodId, quantity: 2, totalPriceE2: 2_000 }));
    const bundle = { buy: 1, get: 1, pricePrc: 1 };
    const given = async (appliesTo: string, pricePrc: string, purchase: object) => {
      const { codes } = await runningCoupon(gateway, company.id, {
        ...{ appliesTo, priceE2: 0, pricePrc },
        config: { bundle },
      });
      const input = { couponCode: codes[0], deliveryE2: 700, ...purchase };
      const answer = await check({ ...input, subtotalE2: 6_000 });
      const byRest = await checkByRest({
        ...{ coupon_code: codes[0], delivery_e2: 700, subtotal_e2: 6_000 },
        items: (purchase as { items?: typeof items }).items?.map(({ goodId, totalPriceE2 }) => ({
          ...{ good_id: goodId, quantity: 2, total_price_e2: totalPriceE2 },
        })),
      });
      const amount = answer.data?.["checkCoupon"]?.discountE2 ?? errorCodes(answer)[0];
      expect(byRest.body.discount_e2 ?? byRest.body.code).toBe(amount);
      return amount as number | string;
    };

    // Two sets of all items cost 20.00 less, one set of services 10.00.
    expect([
      await given("subtotal", "0.0000", { items }),
      await given("total", "0.1000", { items }),
      await given("service", "0.0000", { items }),
      await given("subtotal", "0.1000", {}),
    ]).toEqual([2_000, 2_400, 1_000, "COUPON_WRONG_TARGET"]);
  });

  it("finds no coupon by letters whose capitals are those of a code", async () => {
    await runningCoupon(gateway, company.id, { promoCode: "SALE1234" });

    for (const couponCode of ["\u017fALE1234", "SALE1234\u0301", "SALE-1234", "SALE 1234"]) {
      expect(errorCodes(await check({ couponCode }))).toEqual(["COUPON_NOT_FOUND"]);
      expect((await checkByRest({ coupon_code: couponCode })).body.code).toBe("COUPON_NOT_FOUND");
    }
    expect(errorCodes(await check({ couponCode: "sale1234" }))).toEqual([]);
  });

  it("takes one statement whatever the purchase", async () => {
    const { codes } = await runningCoupon(gateway, company.id);
    const run = async (input: Record<string, unknown>) => {
      gateway.statements.length = 0;
      dataOf(await check({ couponCode: codes[0], ...input }));
      return gateway.statements.filter((sql) => sql.includes("coupons")).length;
    };
    const goods = await Promise.all(Array.from({ length: 20 }, () => createGood(gateway, company.id)));

    expect(await run({})).toBe(1);
    const goodIds = goods.map(({ id }) => id);
    expect(await run({ goods: goodIds.slice(0, 2) })).toBe(1);
    expect(await run({ goods: goodIds })).toBe(1);
  });
});
