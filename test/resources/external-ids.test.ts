import { createCompany, createGood, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, type Gateway, startGateway, wrongFields } from "../support/gateway.js";
import { GOOD_BODY } from "../goods/examples.js";

let gateway: Gateway;
let company: TestCompany;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  company = await createCompany(gateway);
});
afterAll(() => gateway.close());

const run = async (query: string, variables: object = {}) =>
  company.owner.run(query, { companyId: company.id, ...variables });

interface Case {
  readonly type: string;
  readonly plural: string;
  readonly input: string;
  readonly required: object;
  readonly isRestored: boolean;
}

const GOOD = { name: "Tea", shortDetails: "Tea", details: "Tea", priceE2: 100, type: 0 };
const cases: readonly Case[] = [
  { type: "Good", plural: "goods", input: "CreateGoodInput", required: GOOD, isRestored: true },
  {
    type: "Property",
    plural: "properties",
    input: "PropertyInput",
    required: { name: "Size" },
    isRestored: false,
  },
  {
    type: "Client",
    plural: "clients",
    input: "CreateClientInput",
    required: { name: "Ana" },
    isRestored: true,
  },
  { type: "Order", plural: "orders", input: "CreateOrderInput", required: {}, isRestored: false },
  {
    type: "Branch",
    plural: "branches",
    input: "CreateBranchInput",
    required: { name: "North" },
    isRestored: false,
  },
  {
    type: "BranchGroup",
    plural: "branchGroups",
    input: "CreateBranchGroupInput",
    required: { name: "Shop" },
    isRestored: false,
  },
  {
    type: "Provider",
    plural: "providers",
    input: "CreateProviderInput",
    required: { name: "Pia" },
    isRestored: false,
  },
  {
    type: "Coupon",
    plural: "coupons",
    input: "CreateCouponInput",
    required: { type: "promo", totalCount: 5 },
    isRestored: true,
  },
];

describe.each(cases)("the external id of a $type", ({ type, plural, input, required, isRestored }) => {
  const create = async (externalId: string | null) =>
    run(
      `mutation ($companyId: Int!, $input: ${input}!) {
        answer: create${type}(companyId: $companyId, input: $input) { id externalId }
      }`,
      { input: { ...required, externalId } },
    );
  const created = async (externalId: string | null): Promise<number> =>
    dataOf(await create(externalId))["answer"].id;
  const act = async (name: string, id: number) =>
    run(`mutation ($companyId: Int!, $id: Int!) { answer: ${name}(companyId: $companyId, id: $id) { id } }`, {
      id,
    });
  const found = async (filter: string, rest = "") => {
    const result = await run(
      `query ($companyId: Int!) {
        ${plural}(companyId: $companyId, filter: { ${filter} }, orderBy: { field: ID }${rest}) { nodes { id } totalCount }
      }`,
    );
    const { nodes, totalCount } = dataOf(result)[plural];
    expect(totalCount).toBe(nodes.length);
    return nodes.map(({ id }: { id: number }) => id);
  };

  it("is that of one, however many want it at once, and is found by its filters", async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, async () => create("E-1")));
    const second = await created("E-2");
    const without = [await created(null), await created(null)];

    const first = answers.find(({ errors }) => errors === undefined)?.data?.["answer"].id;
    const refused = answers.filter(({ errors }) => errors !== undefined);
    expect(refused).toHaveLength(3);
    for (const { errors } of refused)
      expect(wrongFields(errors?.[0]?.extensions["errors"])).toEqual(["externalId:unique"]);
    expect(await found(`externalId: { eq: "E-1" }`)).toEqual([first]);
    expect(await found(`externalId: { in: ["E-2", "E-1", "E-9"] }`)).toEqual([first, second]);
    expect(await found(`externalId: { ne: "E-1" }`)).toEqual([second, ...without]);
    expect(await found(`externalId: { isNull: true }`)).toEqual(without);
    expect(await found(`not: { externalId: { eq: "E-2" } }`)).toEqual([first, ...without]);
    expect(await found(`or: [{ externalId: { eq: "E-1" } }, { id: { eq: ${second} } }]`)).toEqual([
      first,
      second,
    ]);
    expect(await found(`externalId: { eq: "e-1" }`)).toEqual([]);
  });

  it("is free again once it is another one, or what had it is gone", async () => {
    const id = await created("E-1");
    const change = `mutation ($companyId: Int!, $id: Int!, $input: ${type === "Property" ? input : `Update${type}Input`}!) {
      answer: update${type}(companyId: $companyId, id: $id, input: $input) { id externalId }
    }`;
    const named = "name" in required ? { name: required.name } : {};

    const changed = dataOf(await run(change, { id, input: { ...named, externalId: "E-2" } }))["answer"];
    const again = await created("E-1");
    const taken = await run(change, { id, input: { ...named, externalId: "E-1" } });
    dataOf(await act(`delete${type}`, again));
    const third = await created("E-1");
    dataOf(await run(change, { id, input: { ...named, externalId: null } }));

    expect(changed.externalId).toBe("E-2");
    expect(errorCodes(taken)).toEqual(["VALIDATION_FAILED"]);
    expect(await found(`externalId: { in: ["E-1", "E-2"] }`)).toEqual([third]);
  });

  if (isRestored)
    it("comes back with what had it, unless another one has it by now", async () => {
      const id = await created("E-1");
      dataOf(await act(`delete${type}`, id));
      const other = await created("E-1");
      expect(await found(`externalId: { eq: "E-1" }`, ", withDeleted: true")).toEqual([id, other]);
      const restore = async () =>
        type === "Good"
          ? run(
              `mutation ($companyId: Int!, $id: Int!) { answer: restoreGood(companyId: $companyId, id: $id, input: {}) { id } }`,
              { id },
            )
          : act(`restore${type}`, id);

      const refused = await restore();
      expect(errorCodes(refused)).toEqual(["CONFLICT"]);
      expect(wrongFields(refused.errors?.[0]?.extensions["errors"])).toEqual(["externalId:unique"]);
      expect(await found(`externalId: { eq: "E-1" }`)).toEqual([other]);

      dataOf(await act(`delete${type}`, other));
      dataOf(await restore());
      expect(await found(`externalId: { eq: "E-1" }`)).toEqual([id]);
    });
});

it("is one of its type and of its company alone", async () => {
  const other = await createCompany(gateway);
  const path = (id: number, plural: string) => `/companies/${id}/${plural}`;
  const body = { ...GOOD_BODY, external_id: "E-1" };

  const answers = [
    await company.owner.rest("POST", path(company.id, "goods"), { body }),
    await other.owner.rest("POST", path(other.id, "goods"), { body }),
    await company.owner.rest("POST", path(company.id, "properties"), {
      body: { name: "Size", external_id: "E-1" },
    }),
    await company.owner.rest("POST", path(company.id, "goods"), { body }),
  ];

  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 422]);
  expect(answers.slice(0, 3).map(({ body: { external_id } }) => external_id as string)).toEqual([
    "E-1",
    "E-1",
    "E-1",
  ]);
  expect(wrongFields(answers[3]?.body.errors)).toEqual(["external_id:unique"]);
  const list = await company.owner.rest("GET", `${path(company.id, "goods")}?filter[external_id]=E-1`);
  expect(list.body.map(({ id }: { id: number }) => id)).toEqual([answers[0]?.body.id]);
});

it("has 1 to 64 characters", async () => {
  const change = async (external_id: string | null) =>
    company.owner.rest("PATCH", `/companies/${company.id}/goods/${good.id}`, { body: { external_id } });
  const good = await createGood(gateway, company.id);

  expect((await change("")).body.errors).toMatchObject([{ field: "external_id", rule: "min_length" }]);
  expect((await change("x".repeat(65))).body.errors).toMatchObject([
    { field: "external_id", rule: "max_length" },
  ]);
  expect((await change("é".repeat(64))).status).toBe(200);
  expect((await change(null)).body.external_id).toBeNull();
});
