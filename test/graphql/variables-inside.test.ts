import { createCompany, createGood, type TestCompany } from "../support/factories.js";
import { startGateway, type Client, type Gateway, type GraphqlResult } from "../support/gateway.js";

let compiled: Gateway;
let interpreted: Gateway;
let company: TestCompany;
let other: Client;
let ids: number[];
beforeAll(async () => {
  compiled = await startGateway();
  interpreted = await startGateway({ engine: "graphql-js", on: compiled });
  company = await createCompany(compiled);
  other = interpreted.withToken(company.owner.token);
  const { id: companyId } = company;
  ids = [];
  for (const [name, label] of [
    ["One", "a"],
    ["Two", null],
    ["Three", "c"],
  ] as const)
    ids.push((await createGood(compiled, companyId, { name, label, priceE2: 100 })).id);
});
afterAll(async () => {
  await interpreted.close();
  await compiled.close();
});

const GOODS = "goods(companyId: $c, orderBy: [{ field: ID }],";
const NAMES = "{ totalCount nodes { name } }";

const bare = ({ data, errors }: GraphqlResult) => ({
  data,
  errors: errors?.map(({ message, path, extensions }) => ({ message, path, extensions })),
});

/** Runs the document as the first time, when it is interpreted, and twice again, when it is compiled. */
async function threeTimes(query: string, variables: Record<string, unknown>): Promise<GraphqlResult[]> {
  const all = { c: company.id, ...variables };
  const results: GraphqlResult[] = [];
  for (let run = 0; run < 3; run += 1) results.push(await company.owner.run(query, all));
  return results;
}

describe("an argument that is written out with variables inside", () => {
  it.each<[string, string, (id: number) => Record<string, unknown>]>([
    [
      "a bound that is not given",
      `($min: SafeInt, $max: SafeInt) filter: { priceE2: { gte: $min, lte: $max } }`,
      () => ({ min: 1 }),
    ],
    [
      "all that are not given",
      `($min: SafeInt, $max: SafeInt) filter: { priceE2: { gte: $min, lte: $max } }`,
      () => ({}),
    ],
    ["null", `($max: SafeInt) filter: { priceE2: { lte: $max } }`, () => ({ max: null })],
    [
      "one of a list that is not given",
      `($a: Int, $b: Int) filter: { id: { in: [$a, $b] } }`,
      (a) => ({ a }),
    ],
    ["all of a list", `($a: Int!, $b: Int!) filter: { id: { in: [$a, $b] } }`, (a) => ({ a, b: a })],
    ["one value for a list", `($a: [Int!]) filter: { id: { in: $a } }`, (a) => ({ a })],
    [
      "an alternative that is not given",
      `($f: GoodFilterInput) filter: { or: [$f, { name: { eq: "One" } }] }`,
      () => ({}),
    ],
    [
      "an alternative",
      `($f: GoodFilterInput!) filter: { or: [$f, { name: { eq: "One" } }] }`,
      () => ({ f: { label: { isNull: true } } }),
    ],
    [
      "a whole part that is not given",
      `($f: StringFilterInput, $g: IntFilterInput) filter: { name: $f, id: $g }`,
      () => ({ f: { eq: "Two" } }),
    ],
    ["a default", `($s: String = "One") filter: { name: { eq: $s } }`, () => ({})],
    ["null instead of a default", `($s: String = "One") filter: { name: { eq: $s } }`, () => ({ s: null })],
    ["a wrong type", `($min: SafeInt) filter: { priceE2: { gte: $min } }`, () => ({ min: "much" })],
    ["a required one that is not given", `($min: SafeInt!) filter: { priceE2: { gte: $min } }`, () => ({})],
    ["a variable inside and beside", `($n: Int) first: $n, filter: { id: { gte: $n } }`, () => ({ n: 2 })],
    [
      "a variable with a name of ours",
      `($argument0: String, $argument1: Int) first: $argument1, filter: { name: { eq: $argument0 } }`,
      () => ({ argument1: 2 }),
    ],
  ])("is the same at every run: %s", async (_, written, variablesOf) => {
    const [declared, args] = written.slice(1).split(") ", 2) as [string, string];
    const query = `query ($c: Int!, ${declared}) { ${GOODS} ${args}) ${NAMES} }`;
    const variables = variablesOf(ids[0] as number);

    const results = (await threeTimes(query, variables)).map(bare);

    const expected = bare(await other.run(query, { c: company.id, ...variables }));
    expect(results).toEqual([expected, expected, expected]);
  });

  it("leaves a field of an update as it is when its variable is not given", async () => {
    const { id } = await createGood(compiled, company.id, { label: "KEEP", sku: "S0" });
    const query = `mutation ($c: Int!, $id: Int!, $label: String, $sku: String) {
      updateGood(companyId: $c, id: $id, input: { label: $label, sku: $sku }) { label sku } }`;

    const results = await threeTimes(query, { id, sku: "S1" });
    const cleared = await company.owner.run(query, { c: company.id, id, label: null });

    for (const { data } of results) expect(data).toEqual({ updateGood: { label: "KEEP", sku: "S1" } });
    expect(cleared.data).toEqual({ updateGood: { label: null, sku: "S1" } });
  });

  it("has the values of each run, also in fragments, and only those of its own operation", async () => {
    const query = `
      query First($c: Int!, $name: String) { ...Goods }
      query Second($c: Int!, $label: String) { ${GOODS} filter: { label: { eq: $label } }) ${NAMES} }
      fragment Goods on Query { ${GOODS} filter: { name: { eq: $name } }) ${NAMES} }`;
    const run = async (operationName: string, variables: object) => {
      const payload = { query, operationName, variables: { c: company.id, ...variables } };
      const headers = { authorization: `Bearer ${String(company.owner.token)}` };
      const response = await compiled.app.inject({ method: "POST", url: "/graphql", headers, payload });
      return response.json<GraphqlResult>().data?.["goods"].nodes.map(({ name }: { name: string }) => name);
    };

    for (let round = 0; round < 3; round += 1) {
      expect(await run("First", { name: "One" })).toEqual(["One"]);
      expect(await run("First", { name: "Two" })).toEqual(["Two"]);
      expect(await run("Second", { label: "c" })).toEqual(["Three"]);
    }
  });
});
