import { buildSchema, type GraphQLSchema } from "graphql";
import { IF_UPDATED_AT } from "../../src/engine/schema/row-conditions.js";
import { createCompany, createGood, type TestCompany } from "../support/factories.js";
import { type Client, dataOf, errorCodes, type Gateway, startGateway } from "../support/gateway.js";
import { formatMoment } from "../../src/core/time/moments.js";
import { sharedOpenApi } from "../support/openapi.js";
import { sharedSchema } from "../support/schema.js";

const { operations } = sharedSchema();

/** The mutations that change one row by their name or, over REST, on the condition of its ETag. */
function mutationsOfOneRow({ schema }: { schema: GraphQLSchema }, conditional: ReadonlySet<string>) {
  return Object.values(schema.getMutationType()?.getFields() ?? {}).filter(
    ({ name }) =>
      conditional.has(name) || (name.startsWith("update") && operations.get(name)?.isBulk !== true),
  );
}

function withoutCondition(schema: GraphQLSchema, conditional: ReadonlySet<string>): string[] {
  return mutationsOfOneRow({ schema }, conditional)
    .filter(({ args }) => !args.some(({ name }) => name === IF_UPDATED_AT))
    .map(({ name }) => name);
}

describe("the condition ifUpdatedAt", () => {
  const conditional = new Set(
    sharedOpenApi()
      .source.routes.filter(({ takesIfMatch, changes }) => takesIfMatch || changes !== null)
      .map(({ operation }) => operation.name),
  );

  it("is taken by every update, and by whatever takes If-Match over REST", () => {
    const { schema } = sharedSchema();

    expect(mutationsOfOneRow({ schema }, conditional).length).toBeGreaterThan(70);
    expect(withoutCondition(schema, conditional)).toEqual([]);
  });

  it("is missed where it is not taken", () => {
    const planted = buildSchema(`
      type Query { a: Int }
      type Mutation { updateThing(id: Int!): Int updateGoods(ids: [Int!]!): Int putForm(formType: String!): Int }
    `);

    expect(withoutCondition(planted, conditional)).toEqual(["updateThing", "putForm"]);
  });
});

/** The four changes of the parts of a good; each answers something else than the good. */
const PARTS: Readonly<Record<string, string>> = {
  updateGoodProperty: `updateGoodProperty(companyId: $c, goodId: $g, propertyId: $p,
    input: { displayName: "New" }, ifUpdatedAt: $at) { displayName }`,
  syncGoodProperties: `syncGoodProperties(companyId: $c, goodId: $g,
    input: [{ propertyId: $p, displayName: "Only" }], ifUpdatedAt: $at) { displayName }`,
  linkGoodMaterial: `linkGoodMaterial(companyId: $c, goodId: $g, materialId: $m,
    input: { quantityReal: 7 }, ifUpdatedAt: $at) { quantityReal }`,
  unlinkGoodMaterial: `unlinkGoodMaterial(companyId: $c, goodId: $g, materialId: $m, ifUpdatedAt: $at) { quantityReal }`,
};
const FORMS: Readonly<Record<string, string>> = {
  putForm: `putForm(companyId: $c, branchId: $b, formType: "payment",
    input: { name: "New", internalName: "new_pm", icon: 1, form: [] }, ifUpdatedAt: $at) { name }`,
  disableForm: `disableForm(companyId: $c, branchId: $b, formType: "payment", ifUpdatedAt: $at) { disabled }`,
  enableForm: `enableForm(companyId: $c, branchId: $b, formType: "payment", ifUpdatedAt: $at) { disabled }`,
  deleteFormOfBranch: `deleteFormOfBranch(companyId: $c, branchId: $b, formType: "payment", ifUpdatedAt: $at) { id }`,
};
const STALE = "2020-01-01";

describe("a change of a part", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let by: Client;
  let variables: Record<string, number>;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    company = await createCompany(gateway);
    by = company.owner;
    const companyId = company.id;
    const { id: g } = await createGood(gateway, companyId, {
      name: "Old",
      updatedAt: new Date("2020-01-01T10:00:00Z"),
    });
    const { id: p } = await gateway.db.property.create({ data: { companyId, name: "Size", type: 0x100 } });
    const { id: m } = await gateway.db.material.create({ data: { companyId, name: "Flour" } });
    await gateway.db.$transaction([
      gateway.db.goodProperty.create({ data: { companyId, goodId: g, propertyId: p, displayName: "Old" } }),
      gateway.db.goodMaterial.create({ data: { companyId, goodId: g, materialId: m, quantityReal: 1 } }),
    ]);
    variables = { c: companyId, g, p, m };
  });
  afterAll(() => gateway.close());

  const run = (mutation: string, at: string) => {
    const used = Object.keys(variables).filter((name) => mutation.includes(`$${name}`));
    const types = used.map((name) => `$${name}: Int!`);
    return by.run(`mutation (${types.join()}, $at: DateTime) { ${mutation} }`, { ...variables, at });
  };
  const path = (): string => `/companies/${company.id}/goods/${variables["g"]}`;
  const good = async () => (await by.rest("GET", path())).body.updated_at as string;
  const parts = async () => {
    const where = { companyId: company.id, goodId: variables["g"] as number };
    return [
      await gateway.db.goodProperty.findMany({ where }),
      await gateway.db.goodMaterial.findMany({ where }),
      await gateway.db.good.findFirst({ where: { companyId: company.id, id: where.goodId } }),
    ];
  };

  it.each(Object.entries(PARTS))("%s is made while the good is as it was, once", async (_, mutation) => {
    const before = await good();
    const stored = await parts();

    expect(errorCodes(await run(mutation, STALE))).toEqual(["PRECONDITION_FAILED"]);
    expect(await parts()).toEqual(stored);
    expect(errorCodes(await run(mutation, before))).toEqual([]);
    expect(await parts()).not.toEqual(stored);
    expect(errorCodes(await run(mutation, before))).toEqual(["PRECONDITION_FAILED"]);
  });

  it("says what the row is now and who has changed it, to those who have roles", async () => {
    const id = variables["g"] as number;
    await run(PARTS["updateGoodProperty"] as string, await good());
    const { version, updatedAt } = await gateway.db.good.findFirstOrThrow({
      where: { companyId: company.id, id },
    });
    const stale = `updateGood(companyId: $c, id: $g, input: { name: "Stale" }, ifUpdatedAt: $at) { id }`;

    const graphql = await run(stale, STALE);
    const rest = await by.rest("PATCH", path(), {
      body: { name: "Stale" },
      headers: { "if-match": '"stale"' },
    });

    const moment = formatMoment(updatedAt);
    expect(graphql.errors?.[0]?.extensions["present"]).toEqual({
      version,
      updatedAt: moment,
      actorKind: "admin",
      actorId: expect.any(Number),
    });
    expect(rest.body).toMatchObject({
      code: "PRECONDITION_FAILED",
      present: { version, updated_at: moment, actor_kind: "admin", actor_id: expect.any(Number) },
    });
  });

  it.each(Object.entries(PARTS))("%s makes an ETag of the good untrue", async (_, mutation) => {
    const etag = (await by.rest("GET", path())).headers["etag"] as string;
    await run(mutation, await good());

    const { status } = await by.rest("PATCH", path(), {
      body: { name: "New" },
      headers: { "if-match": etag },
    });

    expect(status).toBe(412);
  });

  it("that many make at the same time on the same condition is made once", async () => {
    const before = await good();

    const results = await Promise.all(
      Array.from({ length: 12 }, (_, n) => run(Object.values(PARTS)[n % 3] as string, before)),
    );

    expect(results.filter(({ errors }) => errors === undefined)).toHaveLength(1);
  });

  it("that has no such part says so, and the good stays as it was", async () => {
    const before = await good();
    variables["m"] = (await gateway.db.material.create({ data: { companyId: company.id, name: "Salt" } })).id;

    expect(errorCodes(await run(PARTS["unlinkGoodMaterial"] as string, before))).toEqual(["NOT_FOUND"]);
    expect(await good()).toBe(before);
  });

  it.each(Object.entries(FORMS))("%s is made while the form is as it was", async (_, mutation) => {
    const { c: companyId } = variables as { c: number };
    const { id: branchGroupId } = await gateway.db.branchGroup.create({ data: { companyId, name: "Shop" } });
    const { id: b } = await gateway.db.branch.create({ data: { companyId, branchGroupId, name: "Here" } });
    variables = { c: companyId, b };
    const form = () => gateway.db.form.findFirst({ where: { companyId, branchId: b } });
    const shown = async () =>
      dataOf(
        await by.run(
          `query ($c: Int!, $b: Int!) { formOfBranch(companyId: $c, branchId: $b, formType: "payment") { updatedAt } }`,
          variables,
        ),
      )["formOfBranch"].updatedAt as string;
    expect(errorCodes(await run(mutation, STALE))).toEqual(["NOT_FOUND"]);
    expect(await form()).toBeNull();
    await gateway.db.form.create({ data: { companyId, branchId: b, type: 1, name: "Old", data: [] } });
    const stored = await form();

    expect(errorCodes(await run(mutation, STALE))).toEqual(["PRECONDITION_FAILED"]);
    expect(await form()).toEqual(stored);
    expect(errorCodes(await run(mutation, await shown()))).toEqual([]);
  });

  it.each([
    [
      "updateSettings",
      `updateSettings(companyId: $c, input: { slogan: "New" }, ifUpdatedAt: $at) { slogan }`,
    ],
    ["updateCompany", `updateCompany(companyId: $c, input: { name: "New" }, ifUpdatedAt: $at) { name }`],
  ])("%s is made while the company is as it was, once", async (_, mutation) => {
    variables = { c: company.id };
    const shown = `query ($c: Int!) { company(companyId: $c) { updatedAt } }`;
    const before = dataOf(await by.run(shown, variables))["company"].updatedAt as string;

    expect(errorCodes(await run(mutation, STALE))).toEqual(["PRECONDITION_FAILED"]);
    expect(dataOf(await by.run(shown, variables))["company"].updatedAt).toBe(before);
    expect(errorCodes(await run(mutation, before))).toEqual([]);
    expect(errorCodes(await run(mutation, before))).toEqual(["PRECONDITION_FAILED"]);
  });
});
