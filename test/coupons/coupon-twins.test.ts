import { createCompany, type TestCompany } from "../support/factories.js";
import { startGateway, wrongFields, type Gateway } from "../support/gateway.js";
import { createCoupon, inState } from "./coupon-rows.js";
import { COUPON_BODY } from "./examples.js";

const CREATE = `mutation ($companyId: Int!, $input: CreateCouponInput!) {
  createCoupon(companyId: $companyId, input: $input) { priceE2 pricePrc humanPriceE2 humanPricePrc }
}`;

let gateway: Gateway;
let company: TestCompany;
let path: string;
beforeAll(async () => {
  gateway = await startGateway();
  company = await createCompany(gateway);
  path = `/companies/${company.id}/coupons`;
});
afterAll(() => gateway.close());

const create = (body: object) => company.owner.rest("POST", path, { body: { ...COUPON_BODY, ...body } });

describe("a value and its human twin", () => {
  it.each([
    [0.29, 29],
    [0.1, 10],
    [1.1, 110],
    [8.03, 803],
    [19.99, 1999],
    [1_005.01, 100_501],
    [123_456_789.12, 12_345_678_912],
    [9_999_999_999_999.99, 999_999_999_999_999],
  ])("%d is %d hundredths", async (human_price_e2, price_e2) => {
    const { body } = await create({ human_price_e2 });

    expect([body.price_e2, body.human_price_e2]).toEqual([price_e2, human_price_e2]);
  });

  it.each([
    [0.01, 0.0001],
    [0.07, 0.0007],
    [2.9, 0.029],
    [33.33, 0.3333],
    [57.14, 0.5714],
    [100, 1],
  ])("%d percent is the fraction %d", async (human_price_prc, price_prc) => {
    const { body } = await create({ human_price_prc });

    expect([body.price_prc, body.human_price_prc]).toEqual([price_prc, human_price_prc]);
  });

  it("take all hundredths to the letter", async () => {
    for (let hundredths = 0; hundredths < 1_000; hundredths += 37) {
      const { body } = await create({ human_price_e2: Number(`0.${String(hundredths).padStart(3, "0")}`) });
      if (hundredths % 10 !== 0) expect(wrongFields(body.errors)).toEqual(["human_price_e2:decimals"]);
      else expect(body.price_e2).toBe(hundredths / 10);
    }
  });

  it("may both be there when they agree", async () => {
    const both = { price_e2: 1234, human_price_e2: 12.34, price_prc: 0.07, human_price_prc: 7 };

    const { status, body } = await create(both);

    expect([status, body]).toMatchObject([201, both]);
  });

  it.each([9_007_199_254_740_987, 9_007_199_254_740_991, 1_000_000_000_000_001])(
    "are taken back as they are shown of %d hundredths, where double precision rounds",
    async (e2) => {
      const rule = { name: "Rule", price_min_e2: e2 };
      const created = await create({ price_e2: e2, config: { amount_limit_e2: e2, fee_rules: [rule] } });
      const { price_e2, human_price_e2, config } = created.body;
      const url = `${path}/${created.body.id}`;
      const patch = (body: object) => company.owner.rest("PATCH", url, { body });

      const again = await patch({ price_e2, human_price_e2, config });
      const alone = await patch({ human_price_e2 });
      const other = await patch({ price_e2: e2 - 1_000, human_price_e2 });

      expect([again.status, again.body]).toEqual([200, created.body]);
      expect(wrongFields(alone.body.errors)).toEqual(["human_price_e2:max"]);
      expect(wrongFields(other.body.errors)).toEqual(["human_price_e2:max"]);
      expect((await company.owner.rest("GET", url)).body).toMatchObject({ price_e2: e2, version: 1 });
    },
  );

  it("are refused when they disagree, all at once", async () => {
    const { status, body } = await create({
      price_e2: 1234,
      human_price_e2: 12.35,
      price_prc: 0.07,
      human_price_prc: 7.01,
      min_purchase_e2: 0,
      human_min_purchase_e2: 0.01,
      config: {
        amount_limit_e2: 5,
        human_amount_limit_e2: 5,
        max_discount_e2: 5,
        human_max_discount_e2: 5,
        company_assumption_prc: 5,
        human_company_assumption_prc: 6,
        fee_rules: [{ name: "Rule", price_min_e2: 1, human_price_min_e2: 1 }],
      },
    });
    const sent = await company.owner.run(CREATE, {
      companyId: company.id,
      input: { type: "promo", totalCount: 1, priceE2: 0, humanPriceE2: 0.01 },
    });

    expect([status, wrongFields(body.errors)]).toEqual([
      422,
      [
        "config.fee_rules[0].human_price_min_e2:twin",
        "config.human_amount_limit_e2:twin",
        "config.human_company_assumption_prc:twin",
        "config.human_max_discount_e2:twin",
        "human_min_purchase_e2:twin",
        "human_price_e2:twin",
        "human_price_prc:twin",
      ],
    ]);
    expect(wrongFields(sent.errors?.[0]?.extensions["errors"])).toEqual(["humanPriceE2:twin"]);
  });

  it("count as not given when the human one is null", async () => {
    const { body } = await create({
      price_e2: 50,
      human_price_e2: null,
      human_price_prc: null,
      config: { amount_limit_e2: 500, human_amount_limit_e2: null },
    });

    expect(body).toMatchObject({ price_e2: 50, price_prc: 0, config: { amount_limit_e2: 500 } });
  });

  it("take a bound away when the human one is null alone", async () => {
    const coupon = await createCoupon(gateway, company.id, {
      config: { amountLimitE2: 500, maxDiscountE2: 70 },
    });

    const { body } = await company.owner.rest("PATCH", `${path}/${coupon.id}`, {
      body: { config: { human_amount_limit_e2: null } },
    });

    expect(body.config).toMatchObject({ amount_limit_e2: null, max_discount_e2: 70 });
  });

  it("give the same bounds: what the plain value may not be, its twin may not say", async () => {
    const { body } = await create({
      config: { human_amount_limit_e2: 0, fee_rules: [{ name: "Rule", human_price_min_e2: -1 }] },
    });

    expect(wrongFields(body.errors)).toEqual([
      "config.fee_rules[0].human_price_min_e2:min",
      "config.human_amount_limit_e2:min",
    ]);
  });

  it("work in every operation that has them", async () => {
    const pending = await createCoupon(gateway, company.id);
    const running = await createCoupon(gateway, company.id, inState("running"));

    const patched = await company.owner.rest("PATCH", `${path}/${pending.id}`, {
      body: { human_price_e2: 0.29, config: { human_max_discount_e2: 0.57 } },
    });
    const changed = await company.owner.rest("PATCH", `${path}/${running.id}/update-running`, {
      body: { human_min_purchase_e2: 1.1, config: { human_amount_limit_e2: 8.03 } },
    });

    expect(patched.body).toMatchObject({ price_e2: 29, config: { max_discount_e2: 57 } });
    expect(changed.body).toMatchObject({ min_purchase_e2: 110, config: { amount_limit_e2: 803 } });
  });

  it("sent back as they were read change nothing", async () => {
    const { body: created } = await create({
      human_price_prc: 33.33,
      config: { limit: 2, human_max_discount_e2: 1.99, fee_rules: [{ name: "Rule", price_min_e2: 7 }] },
    });
    const { type: _, promo_code: __, ...body } = created;

    const { status, body: after } = await company.owner.rest("PATCH", `${path}/${created.id}`, { body });

    expect([status, after]).toEqual([
      200,
      { ...created, updated_at: expect.any(String), version: expect.any(Number) },
    ]);
  });
});
