import { createCompany, signedInClient, type TestCompany } from "../support/factories.js";
import { startGateway, type Client, type Gateway } from "../support/gateway.js";
import { runningCoupon } from "./running-coupon.js";

const CHECK = `mutation ($companyId: Int!, $input: CheckCouponInput!) {
  checkCoupon(companyId: $companyId, input: $input) { explanation { rules { rule actual required } } } }`;
const DISCOUNTS = `query ($companyId: Int!, $input: DiscountsInput!) { discounts(companyId: $companyId, input: $input) {
  refused { reason detail explanation { rules { rule actual required } } } } }`;

const HIDDEN = { rule: "amount_limit", required: "at most what the coupon has left", actual: "10.00" };
const TOLD = { ...HIDDEN, required: "at most 7.77" };
const DETAIL = "The coupon has too little left to give: needed";

describe("what is left of a coupon's budget", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let client: Client;
  beforeAll(async () => {
    gateway = await startGateway();
    company = await createCompany(gateway);
    ({ client } = await signedInClient(gateway, company.id));
  });
  afterAll(() => gateway.close());

  const spent = (amountLimitE2: number) =>
    runningCoupon(gateway, company.id, {
      config: { amountLimitE2 },
      spentAmountE2: BigInt(amountLimitE2 - 777),
      spentCount: 9,
    });
  const refusals = async (by: Client, couponCode: string | undefined) => {
    const input = { couponCode, subtotalE2: 5_000, explain: true };
    const { errors } = await by.run(CHECK, { companyId: company.id, input });
    const { body } = await by.rest("POST", `/companies/${company.id}/coupons/check`, {
      body: { coupon_code: couponCode, subtotal_e2: 5_000, explain: true },
    });
    const { data } = await by.run(DISCOUNTS, {
      companyId: company.id,
      input: { codes: [couponCode], subtotalE2: 5_000, explain: true },
    });
    const [refused] = data?.["discounts"].refused;
    return {
      figures: [errors?.[0]?.extensions, body],
      details: [errors?.[0]?.message, body.detail, refused.detail],
      explanations: [errors?.[0]?.extensions["explanation"], body.explanation, refused.explanation] as {
        rules: { rule: string }[];
      }[],
      all: JSON.stringify([errors, body, data]),
    };
  };

  it.each([
    ["shown to admins", () => company.owner, TOLD],
    ["not shown to clients, who learn the reason and their own discount", () => client, HIDDEN],
  ] as const)("is %s", async (_, by, expected) => {
    const { codes } = await spent(123_456);

    const { figures, details, explanations, all } = await refusals(by(), codes[0]);

    for (const figure of figures) expect(figure).toMatchObject({ code: "COUPON_AMOUNT_LIMIT", ...expected });
    expect(new Set(details)).toEqual(new Set([`${DETAIL} ${expected.required}, was ${expected.actual}.`]));
    for (const { rules } of explanations)
      expect(rules.find(({ rule }) => rule === "amount_limit")).toMatchObject(expected);
    expect(all.includes("7.77")).toBe(expected === TOLD);
  });

  it("is not shown to clients by the coupon itself, nor are its counts", async () => {
    const { codes } = await runningCoupon(gateway, company.id, {
      ...{ config: { amountLimitE2: 54_321, maxDiscountE2: 3 }, totalCount: 77, spentCount: 5 },
    });
    const read = async (by: Client) => {
      const fields =
        "totalCount spentCount voidedCount generation { total } config { amountLimitE2 humanAmountLimitE2 maxDiscountE2 }";
      const { data } = await by.run(
        `mutation ($companyId: Int!, $input: CheckCouponInput!) {
          checkCoupon(companyId: $companyId, input: $input) { coupon { ${fields} } } }`,
        { companyId: company.id, input: { couponCode: codes[0], subtotalE2: 5_000 } },
      );
      const { body } = await by.rest("POST", `/companies/${company.id}/coupons/check`, {
        body: { coupon_code: codes[0], subtotal_e2: 5_000 },
      });
      const { total_count, spent_count, config } = body as Record<string, unknown>;
      return [data?.["checkCoupon"], { total_count, spent_count, config }];
    };

    expect(await read(company.owner)).toMatchObject([
      {
        coupon: {
          ...{ totalCount: 77, spentCount: 5, voidedCount: 0, generation: { total: 0 } },
          config: { amountLimitE2: 54_321, humanAmountLimitE2: 543.21, maxDiscountE2: 3 },
        },
      },
      { total_count: 77, spent_count: 5, config: { amount_limit_e2: 54_321, max_discount_e2: 3 } },
    ]);
    const [shown, rest] = await read(client);
    expect(shown).toMatchObject({
      coupon: {
        ...{ totalCount: null, spentCount: null, voidedCount: null, generation: { total: 0 } },
        config: { amountLimitE2: null, humanAmountLimitE2: null, maxDiscountE2: 3 },
      },
    });
    expect(rest).toMatchObject({
      total_count: null,
      spent_count: null,
      config: { amount_limit_e2: null, max_discount_e2: 3 },
    });
  });

  it("is not shown to clients by the explanation of a discount either", async () => {
    const { codes } = await runningCoupon(gateway, company.id, { config: { amountLimitE2: 54_321 } });
    const explained = async (by: Client) => {
      const input = { couponCode: codes[0], subtotalE2: 5_000, explain: true };
      const { data } = await by.run(CHECK, { companyId: company.id, input });
      const rules = data?.["checkCoupon"].explanation.rules as { rule: string; required: string }[];
      return rules.find(({ rule }) => rule === "amount_limit")?.required;
    };

    expect(await explained(client)).toBe(HIDDEN.required);
    expect(await explained(company.owner)).toBe("at most 543.21");
  });
});
