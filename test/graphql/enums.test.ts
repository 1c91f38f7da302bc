import { createCompany, type TestCompany } from "../support/factories.js";
import { errorCodes, type Gateway, startGateway } from "../support/gateway.js";

const CREATE = `mutation ($companyId: Int!, $input: CreateCouponInput!) {
  createCoupon(companyId: $companyId, input: $input) { type appliesTo targetType status config { firstPurchaseMode } }
}`;
const INPUT = { type: "gift_card", totalCount: 1 };

describe("closed sets", () => {
  let gateway: Gateway;
  let company: TestCompany;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    company = await createCompany(gateway);
  });
  afterAll(() => gateway.close());

  it("are answered and taken in the same words on both faces", async () => {
    const words = { appliesTo: "base_price", targetType: "branch_group" };

    const byGraphql = await company.owner.run(CREATE, {
      companyId: company.id,
      input: { ...INPUT, ...words, config: { firstPurchaseMode: "branch_group" } },
    });
    const byRest = await company.owner.rest("POST", `/companies/${company.id}/coupons`, {
      body: { type: "gift_card", total_count: 1, applies_to: "base_price", target_type: "branch_group" },
    });

    expect(byGraphql.data?.["createCoupon"]).toEqual({
      type: "gift_card",
      ...words,
      status: "pending",
      config: { firstPurchaseMode: "branch_group" },
    });
    expect(byRest.body).toMatchObject({
      type: "gift_card",
      applies_to: "base_price",
      target_type: "branch_group",
      status: "pending",
    });
  });

  it.each([
    ["in capitals", "GIFT_CARD", "enum"],
    ["with spaces around it", " gift_card ", "enum"],
    ["that is no text", 7, "type"],
  ])("refuse a word %s alike on both faces, and nothing changes", async (_, type, rule) => {
    const byGraphql = await company.owner.run(CREATE, {
      companyId: company.id,
      input: { ...INPUT, type },
    });
    const byRest = await company.owner.rest("POST", `/companies/${company.id}/coupons`, {
      body: { type, total_count: 1 },
    });

    expect(errorCodes(byGraphql)).toEqual(["VALIDATION_FAILED"]);
    const told = { field: "type", rule, message: expect.any(String) };
    expect(byGraphql.errors?.[0]?.extensions?.["errors"]).toEqual([told]);
    expect([byRest.status, byRest.body.errors]).toEqual([422, [told]]);
    expect(await gateway.db.coupon.count({ where: { companyId: company.id } })).toBe(0);
  });
});
