import { createCompany, createGood, type TestCompany } from "../support/factories.js";
import { dataOf, type Gateway, startGateway } from "../support/gateway.js";

const SEARCH = `query ($companyId: Int!, $q: String!, $resultsMode: GoodSearchMode) {
  searchGoods(companyId: $companyId, q: $q, resultsMode: $resultsMode) { relaxed nodes { name } }
}`;

let gateway: Gateway;
let company: TestCompany;
beforeAll(async () => {
  gateway = await startGateway();
  company = await createCompany(gateway);
  const make = (name: string, others: object = {}) => createGood(gateway, company.id, { name, ...others });
  await make("Green tea");
  await make("Té de menta");
  await make("Apfelsaft", { keywords: ["Saft"] });
  await make("Kettle", { sku: "4006381" });
  await make("Deleted samovar", { deletedAt: new Date() });
  const setSynonyms = `mutation ($companyId: Int!) {
    setSearchSynonyms(companyId: $companyId, groups: [["infusion", "tea"]]) }`;
  dataOf(await company.owner.run(setSynonyms, { companyId: company.id }));
});
afterAll(() => gateway.close());

describe("words that a search leaves out", () => {
  it.each<[string, string | undefined]>([
    ["the green Ünfug, tea", "the, %C3%9Cnfug%2C"],
    ["green (%zzyzx%) tea", "(%25zzyzx%25)"],
    ["green 烏龍 tea", "%E7%83%8F%E9%BE%8D"],
    ["green tea", undefined],
  ])("stand percent-encoded in a header: %s", async (q, header) => {
    const path = `/companies/${company.id}/goods/search?q=${encodeURIComponent(q)}&fields=name`;

    const { headers, body } = await gateway.anonymous.rest("GET", path);

    expect([headers["search-relaxed"], body]).toEqual([header, [{ name: "Green tea" }]]);
  });

  it.each<[string, string[], string[]]>([
    ["green tea", ["Green tea"], []],
    ["the green tea for me", ["Green tea"], ["the", "for", "me"]],
    ["The GREEN tea", ["Green tea"], ["The"]],
    ["té de menta", ["Té de menta"], []],
    ["menta para el té", ["Té de menta"], ["para", "el"]],
    ["Saft für mich", ["Apfelsaft"], ["für", "mich"]],
    ["green Zzyzx tea", ["Green tea"], ["Zzyzx"]],
    ["the samovar kettle", ["Kettle"], ["the", "samovar"]],
    ["green qwertyuiop infusion", ["Green tea"], ["qwertyuiop"]],
    ["the greem tee", ["Green tea"], []],
    ["zzyzx", [], []],
    ["green tea, for, me", ["Green tea"], ["for,", "me"]],
    ["the of", [], []],
    ["green kettle", [], []],
    ["4006381 4006382", [], []],
  ])("%s", async (q, names, relaxed) => {
    const variables = { companyId: company.id, q };

    const { searchGoods } = dataOf(await gateway.anonymous.run(SEARCH, variables));

    expect(searchGoods).toEqual({ relaxed, nodes: names.map((name) => ({ name })) });
  });

  it("are named in the mode branch, too", async () => {
    const variables = { companyId: company.id, q: "the green tea", resultsMode: "branch" };

    const { searchGoods } = dataOf(await gateway.anonymous.run(SEARCH, variables));

    expect(searchGoods).toEqual({ relaxed: ["the"], nodes: [] });
  });
});
