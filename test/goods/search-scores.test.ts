import { createCompany, createGood, type TestCompany } from "../support/factories.js";
import { dataOf, type Gateway, startGateway } from "../support/gateway.js";

const SEARCH = `query ($companyId: Int!, $q: String!) {
  searchGoods(companyId: $companyId, q: $q) { edges { score matched node { name } } }
}`;

let gateway: Gateway;
let company: TestCompany;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  company = await createCompany(gateway);
});
afterAll(() => gateway.close());

const make = (name: string, others: object = {}) => createGood(gateway, company.id, { name, ...others });

interface Edge {
  readonly score: number;
  readonly matched: string;
  readonly node: { readonly name: string };
}

const search = (q: string, more = "") =>
  gateway.anonymous.rest("GET", `/companies/${company.id}/goods/search?q=${encodeURIComponent(q)}${more}`);

/** What is found and where, by both faces, which have to agree. */
async function matches(q: string): Promise<[string, string][]> {
  const { edges } = dataOf(await gateway.anonymous.run(SEARCH, { companyId: company.id, q })).searchGoods as {
    edges: Edge[];
  };
  const { body } = await search(q);
  expect(body).toMatchObject(edges.map(({ score, matched, node }) => ({ score, matched, name: node.name })));
  expect(body).toHaveLength(edges.length);
  return edges.map(({ matched, node }) => [node.name, matched]);
}

describe("where a search finds goods", () => {
  it("says whether it was the code, the name, another text or like words", async () => {
    await make("Green tea");
    await make("Greenhouse kit");
    await make("Mug", { keywords: ["green"] });
    await make("Plate", { shortDetails: "Greenish" });
    await make("Grean apron");

    expect(await matches("green")).toEqual([
      ["Green tea", "name"],
      ["Mug", "side"],
      ["Greenhouse kit", "name"],
      ["Plate", "side"],
      ["Grean apron", "similar"],
    ]);
  });

  it("says of a whole code without digits, too, that it is one", async () => {
    await make("Tea", { sku: "ABC" });
    await make("Abc, the book", { keywords: ["abc"] });
    await make("Pot", { sku: "X-1" });

    expect(await matches("abc")).toEqual([
      ["Tea", "code"],
      ["Abc, the book", "name"],
    ]);
    expect(await matches("x1")).toEqual([["Pot", "code"]]);
  });

  it("finds a text as a whole, too, that has a word which no good has", async () => {
    await make("Key Caps");
    await make("Keycapz cover");
    await make("Rack", { sku: "TAB LES 77" });
    await make("Shelf", { sku: "TABLXS77" });

    expect(await matches("keycaps")).toEqual([
      ["Key Caps", "name"],
      ["Keycapz cover", "similar"],
    ]);
    expect((await search("keycaps")).body).toMatchObject([{ score: expect.closeTo(0.95, 1) as number }, {}]);
    expect(await matches("tablxs77")).toEqual([["Shelf", "code"]]);
    expect(await matches("tables77")).toEqual([["Rack", "code"]]);
  });

  it("answers score and place as keys that may be left out or taken alone", async () => {
    const { id } = await make("Tea");

    expect((await search("tea", "&fields=id,matched")).body).toEqual([{ id, matched: "name" }]);
    expect((await search("tea", "&fields=matched")).body).toEqual([{ matched: "name" }]);
    expect((await search("tea", "&fields=id")).body).toEqual([{ id }]);
    const { status, body } = await search("tea", "&fields=rank");
    expect([status, JSON.stringify(body.errors).includes("score, matched")]).toEqual([400, true]);
  });
});
