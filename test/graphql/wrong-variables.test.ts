import { createCompany, createGood, adminWith, type TestCompany } from "../support/factories.js";
import {
  errorCodes,
  type Gateway,
  type GraphqlResult,
  startGateway,
  wrongFields,
} from "../support/gateway.js";

const SHOW = "query ($companyId: Int!, $id: Int!) { good(companyId: $companyId, id: $id) { id } }";
const RENAME = `mutation ($companyId: Int!, $id: Int!, $input: UpdateGoodInput!) {
  updateGood(companyId: $companyId, id: $id, input: $input) { id }
}`;
const LIST = `query ($companyId: Int!, $first: Int, $orderBy: [GoodOrderByInput!], $withDeleted: Boolean) {
  goods(companyId: $companyId, first: $first, orderBy: $orderBy, withDeleted: $withDeleted) { nodes { id } }
}`;
const CREATE_COUPON = `mutation ($companyId: Int!, $input: CreateCouponInput!) {
  createCoupon(companyId: $companyId, input: $input) { id }
}`;

const told = ({ errors }: GraphqlResult) => errors?.[0]?.extensions?.["errors"] as any[];

describe("variables of the wrong type", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let id: number;
  beforeAll(async () => {
    gateway = await startGateway();
    company = await createCompany(gateway);
    ({ id } = await createGood(gateway, company.id, { name: "Old" }));
  });
  afterAll(() => gateway.close());

  it.each([
    ["an id as text", { id: "1" }, ["id:type"]],
    ["an id that is no integer", { id: 1.5 }, ["id:type"]],
    ["an id in a list", { id: [1] }, ["id:type"]],
    ["a company as text", { companyId: "1" }, ["companyId:type"]],
    ["both", { companyId: "1", id: "1" }, ["companyId:type", "id:type"]],
  ])("are reported with their field: %s", async (_, wrong, expected) => {
    for (const repeat of [1, 2]) {
      const result = await company.owner.run(SHOW, { companyId: company.id, id, ...wrong });

      expect([repeat, errorCodes(result), wrongFields(told(result))]).toEqual([
        repeat,
        ["VALIDATION_FAILED"],
        expected,
      ]);
    }
  });

  it("are reported together with what else is wrong, and nothing changes", async () => {
    const variables = { companyId: company.id, id: String(id), input: { name: 7, label: "x".repeat(33) } };

    const result = await company.owner.run(RENAME, variables);

    expect(errorCodes(result)).toEqual(["VALIDATION_FAILED"]);
    expect(wrongFields(told(result))).toEqual(["id:type", "label:max_length", "name:type"]);
    expect(await gateway.db.good.findFirst({ where: { companyId: company.id, id } })).toMatchObject({
      name: "Old",
    });
  });

  it("refuse the whole request, whatever root fields do not use them", async () => {
    const query = `query ($id: Int!) {
      a: good(companyId: ${company.id}, id: ${id}) { id }
      b: good(companyId: ${company.id}, id: $id) { id }
    }`;

    const result = await company.owner.run(query, { id: String(id) });

    expect([result.data, errorCodes(result), wrongFields(told(result))]).toEqual([
      null,
      ["VALIDATION_FAILED"],
      ["id:type"],
    ]);
  });

  it("name no row where an id is beyond 32 bits, as a path of REST does", async () => {
    const beyond = 4_294_967_297;

    const result = await company.owner.run(SHOW, { companyId: company.id, id: beyond });
    const written = await company.owner.run(`{ good(companyId: ${company.id}, id: ${beyond}) { id } }`);
    const path = await company.owner.rest("GET", `/companies/${company.id}/goods/${beyond}`);

    expect([errorCodes(result), path.status]).toEqual([["NOT_FOUND"], 404]);
    expect(errorCodes(written)).toEqual(["GRAPHQL_VALIDATION_FAILED"]);
  });

  it("come after access", async () => {
    const wrong = { companyId: "1", id: "1", input: { name: "New" } };
    const reader = await adminWith(gateway, company.id, "access_goods");

    expect(errorCodes(await gateway.anonymous.run(RENAME, wrong))).toEqual(["UNAUTHENTICATED"]);
    expect(errorCodes(await reader.run(RENAME, wrong))).toEqual(["FORBIDDEN"]);
  });

  it("do not keep a stored rule from a refusal", async () => {
    const input = { type: "batch", promoCode: "ABCDE", totalCount: 1 };

    const result = await company.owner.run(CREATE_COUPON, { companyId: "1", input });

    expect([errorCodes(result), wrongFields(told(result))]).toEqual([
      ["VALIDATION_FAILED"],
      ["companyId:type"],
    ]);
  });

  it("are wrong fields among the arguments of a list, too; by REST they stay wrong list parameters", async () => {
    const byGraphql = await company.owner.run(LIST, { companyId: company.id, first: "10" });
    const byRest = await company.owner.rest("GET", `/companies/${company.id}/goods?with_deleted=perhaps`);

    expect([errorCodes(byGraphql), wrongFields(told(byGraphql))]).toEqual([
      ["VALIDATION_FAILED"],
      ["first:type"],
    ]);
    expect([byRest.status, wrongFields(byRest.body.errors)]).toEqual([400, ["with_deleted:type"]]);
  });

  it("are reported where only a directive uses them", async () => {
    const query =
      "query ($companyId: Int!, $wanted: Boolean!) { company(companyId: $companyId) { id name @include(if: $wanted) } }";

    const result = await company.owner.run(query, { companyId: company.id, wanted: "yes" });

    expect([errorCodes(result), wrongFields(told(result))]).toEqual([["VALIDATION_FAILED"], ["wanted:type"]]);
  });

  it("are reported once, whatever else is wrong", async () => {
    const input = { nope: 1, type: "BATCH", promoCode: 7 };

    const result = await company.owner.run(CREATE_COUPON, { companyId: company.id, input });

    const fields = wrongFields(told(result));
    expect(fields).toEqual(expect.arrayContaining(["nope:unknown", "type:enum", "promoCode:type"]));
    expect(fields.filter((field) => field.startsWith("input"))).toEqual([]);
  });

  it("advise of an enum what may be sent", async () => {
    const ask = (field: string) =>
      company.owner.run(LIST, { companyId: company.id, withDeleted: true, orderBy: [{ field }] });

    const [{ message }] = told(await ask("price"));
    const advised = (message as string).replace("must be one of ", "").split(", ");
    const answers = await Promise.all(advised.map(ask));

    expect(advised).toContain("PRICE_E2");
    expect(answers.map(({ errors }) => errors)).toEqual(advised.map(() => undefined));
    expect(wrongFields(told(await ask("priceE2")))).toEqual(["orderBy[0].field:enum"]);
  });

  it("are reported up to 50", async () => {
    const input = { keywords: Array.from({ length: 60 }, (_, index) => index) };

    const result = await company.owner.run(RENAME, { companyId: company.id, id, input });

    expect([errorCodes(result), told(result).length]).toEqual([["VALIDATION_FAILED"], 50]);
  });
});
