import { createCompany, type TestCompany } from "../support/factories.js";
import { saidBy, startGateway, type Gateway } from "../support/gateway.js";

let gateway: Gateway;
let company: TestCompany;
beforeAll(async () => {
  gateway = await startGateway();
  company = await createCompany(gateway);
});
afterAll(() => gateway.close());

/** The compiler of documents reads a text with this beginning as a date, and would copy what follows into its code. */
const DATE = "__MAGIC_DATE__33a9e76d_02e0_4128_8e92_3530ad3da74d";
const run = `${DATE}globalThis.a=1`;

it.each([
  ["an argument", `{ goods(companyId: $id, after: "${run}") { nodes { id } } }`],
  ["a filter", `{ goods(companyId: $id, filter: { name: { eq: "${run}" } }) { nodes { id } } }`],
  ["a list of a filter", `{ goods(companyId: $id, filter: { name: { in: ["${run}"] } }) { nodes { id } } }`],
  ["a block text", `{ goods(companyId: $id, filter: { name: { eq: """${run}""" } }) { nodes { id } } }`],
  ["a name", `{ goods(companyId: $id, orderBy: [{ field: ID, direction: ${DATE}x }]) { nodes { id } } }`],
])("runs no code that stands in %s of a document, however often it comes", async (_, selection) => {
  const document = `query($id: Int!) ${selection}`;

  const results: ReturnType<typeof saidBy>[] = [];
  for (let time = 0; time < 3; time += 1)
    results.push(saidBy(await company.owner.run(document, { id: company.id })));

  expect(results[2]).toEqual(results[0]);
  expect(globalThis).not.toHaveProperty("a");
});

it("keeps such a text as it is, within free JSON and as a default as well", async () => {
  const text = `mutation($id: Int!, $label: String = "${run}") {
    updateCompany(companyId: $id, input: { name: $label, customJson: { a: "${run}", ${DATE}b: ["${run}"] } }) {
      name customJson
    }
  }`;

  for (let time = 0; time < 3; time += 1) {
    const { data, errors } = await company.owner.run(text, { id: company.id });

    expect(errors).toBeUndefined();
    expect(data).toEqual({
      updateCompany: { name: run, customJson: { a: run, [`${DATE}b`]: [run] } },
    });
  }
  expect(globalThis).not.toHaveProperty("a");
});

it.each([
  ["in a list", "{ a: [x] }"],
  ["in a list of a list", "[[x]]"],
  ["in an object", "{ a: { b: x } }"],
])("refuses a bare word of free JSON %s where it stands, and changes nothing", async (_, json) => {
  const before = await gateway.db.company.findUnique({ where: { id: company.id } });
  const update = `mutation($id: Int!) { updateCompany(companyId: $id, input: { customJson: ${json} }) { id } }`;

  for (const repeat of [1, 2]) {
    const { errors } = await company.owner.run(update, { id: company.id });

    expect([repeat, errors?.map(({ extensions }) => extensions?.["code"])]).toEqual([
      repeat,
      ["GRAPHQL_VALIDATION_FAILED"],
    ]);
    const at = update.search(/\bx\b/u) + 1;
    expect(errors?.[0]).toMatchObject({
      message: "JSON has no bare words; a text stands in quotes",
      locations: [{ line: 1, column: at }],
    });
  }
  expect(await gateway.db.company.findUnique({ where: { id: company.id } })).toEqual(before);
});
