import createClient from "openapi-fetch";
import type { paths } from "../../src/generated/rest.js";
import { createCoupon, inState } from "../coupons/coupon-rows.js";
import { createCompany, createGood, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";

let gateway: Gateway;
let company: TestCompany;
beforeAll(async () => {
  gateway = await startGateway();
  company = await createCompany(gateway);
  for (const [name, priceE2] of [
    ["Bread & butter", 100],
    ["Tea", 250],
    ["Cake", 900],
  ] as const)
    await createGood(gateway, company.id, { name, priceE2 });
  await createCoupon(gateway, company.id, { ...inState("running"), type: "batch", promoCode: "Summer26" });
  await createCoupon(gateway, company.id, { ...inState("running"), type: "batch", promoCode: "WINTER" });
  await createCoupon(gateway, company.id, { name: "None" });
});
afterAll(() => gateway.close());

/** A client as its package makes it, without a serializer of its own. */
const client = () =>
  createClient<paths, `application/${"json" | "problem+json"}`>({
    baseUrl: "http://gateway.test/api",
    headers: { authorization: `Bearer ${company.owner.token}`, prefer: "handling=strict" },
    fetch: async (request: Request) => {
      const url = request.url.replace("http://gateway.test", "");
      const answer = await gateway.app.inject({ url, headers: Object.fromEntries(request.headers) });
      return new Response(answer.body, {
        status: answer.statusCode,
        headers: { "content-type": "application/json" },
      });
    },
  });
type GoodsQuery = NonNullable<paths["/companies/{companyId}/goods"]["get"]["parameters"]["query"]>;
type CouponsQuery = NonNullable<paths["/companies/{companyId}/coupons"]["get"]["parameters"]["query"]>;

describe("filters of a typed client", () => {
  const goods = async (query: GoodsQuery) => {
    const path = { companyId: company.id };
    const { data } = await client().GET("/companies/{companyId}/goods", { params: { path, query } });
    return data?.map(({ name }) => name);
  };

  it.each<[GoodsQuery, string[]]>([
    [{ "filter[price_e2]": { gte: 100, lt: 900 } }, ["Tea", "Bread & butter"]],
    [{ "filter[price_e2]": 900 }, ["Cake"]],
    [{ "filter[price_e2]": { in: "100,900" } }, ["Cake", "Bread & butter"]],
    [{ "filter[name]": "Bread & butter" }, ["Bread & butter"]],
    [{ "filter[name]": { contains: "EA" }, "filter[price_e2]": { gt: 100 } }, ["Tea"]],
    [{ "filter[good_type_id]": { is_null: true }, sort: ["price_e2"] }, ["Bread & butter", "Tea", "Cake"]],
  ])("reach the service: %j", async (query, expected) => {
    expect(await goods(query)).toEqual(expected);
  });

  it("have the type of their field", async () => {
    // @ts-expect-error an amount is a number
    const wrong: GoodsQuery = { "filter[price_e2]": { gte: "cheap" } };
    // @ts-expect-error there is no such field
    const unknown: GoodsQuery = { "filter[colour]": "red" };

    expect([await goods(wrong), await goods(unknown)]).toEqual([undefined, undefined]);
  });
});

describe("promo codes in filters", () => {
  const codes = async (filter: CouponsQuery["filter[promo_code]"]) => {
    const query: CouponsQuery = { "filter[promo_code]": filter, sort: ["id"] };
    const path = { companyId: company.id };
    const { data } = await client().GET("/companies/{companyId}/coupons", { params: { path, query } });
    return data?.map(({ promo_code }) => promo_code);
  };

  it.each<[CouponsQuery["filter[promo_code]"], (string | null)[]]>([
    ["SUMMER26", ["Summer26"]],
    [{ eq: "summer26" }, ["Summer26"]],
    [{ in: "summer26,winter" }, ["Summer26", "WINTER"]],
    [{ ne: "SUMMER26" }, ["WINTER", null]],
    [{ nin: "SUMMER26,winter" }, [null]],
    [{ starts_with: "sum" }, ["Summer26"]],
    [{ is_null: true }, [null]],
    [{ in: "summer26", contains: "nothing" }, []],
    ["%", []],
    ["______", []],
  ])("match in any case: %j", async (filter, expected) => {
    expect(await codes(filter)).toEqual(expected);
  });
});
