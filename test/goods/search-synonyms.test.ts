import { adminWith, createCompany, createGood, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, type Gateway, startGateway } from "../support/gateway.js";

const SET = `mutation ($companyId: Int!, $groups: [[String!]!]!) {
  setSearchSynonyms(companyId: $companyId, groups: $groups)
}`;
const GET = `query ($companyId: Int!) { searchSynonyms(companyId: $companyId) }`;
const SEARCH = `query ($companyId: Int!, $q: String!) {
  searchGoods(companyId: $companyId, q: $q) { edges { matched node { name } } }
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

const set = (groups: unknown) => company.owner.run(SET, { companyId: company.id, groups });
const kept = async () => dataOf(await company.owner.run(GET, { companyId: company.id })).searchSynonyms;

async function found(q: string): Promise<string[]> {
  const { edges } = dataOf(await gateway.anonymous.run(SEARCH, { companyId: company.id, q })).searchGoods;
  return edges.map(
    ({ matched, node }: { matched: string; node: { name: string } }) => `${node.name}: ${matched}`,
  );
}

describe("synonyms of searches", () => {
  it("find goods with any text of a group, beside other words", async () => {
    await createGood(gateway, company.id, { name: "Lemon soft drink" });
    await createGood(gateway, company.id, { name: "Soda, lemon" });
    await createGood(gateway, company.id, { name: "Orange refrescó" });
    await createGood(gateway, company.id, { name: "Lemon drink" });
    await createGood(gateway, company.id, { name: "Tray", keywords: ["soda"] });
    expect(await found("soft drink")).toEqual(["Lemon soft drink: name"]);

    expect(dataOf(await set([["Soda", "soft  drink ", "REFRESCO"]])).setSearchSynonyms).toEqual([
      ["Soda", "soft drink", "REFRESCO"],
    ]);

    const all = ["Soda, lemon: name", "Orange refrescó: name", "Lemon soft drink: name", "Tray: side"];
    expect(await found("sóda")).toEqual(all);
    expect(await found("Soft drink")).toEqual(all);
    expect(await found("refresco lemon")).toEqual(["Soda, lemon: name", "Lemon soft drink: name"]);
    expect(await found("lem soda")).toEqual(["Soda, lemon: name", "Lemon soft drink: name"]);
  });

  it("know that punctuation parts words, of a group and of a text", async () => {
    for (const name of ["Papel higiénico", "T-Shirt rot", "Camiseta azul", "Ladekabel"])
      await createGood(gateway, company.id, { name });
    await set([
      ["WC Papier", "papel higiénico"],
      ["T-Shirt", "Camiseta"],
      ["USBC3", "Ladekabel"],
    ]);

    for (const q of ["wc papier", "WC-Papier", "wc - papier", "papel-higienico"])
      expect([q, await found(q)]).toEqual([q, ["Papel higiénico: name"]]);
    const shirts = ["T-Shirt rot: name", "Camiseta azul: name"];
    for (const q of ["t-shirt", "t shirt", "T/Shirt", "camiseta"])
      expect([q, (await found(q)).sort()]).toEqual([q, [...shirts].sort()]);
    expect(await found("T shirt rot")).toEqual(["T-Shirt rot: name"]);
    for (const q of ["usbc3", "usbc 3", "usbc-3"])
      expect([q, await found(q)]).toEqual([q, ["Ladekabel: name"]]);
  });

  it("are those of one company, replaced as a whole", async () => {
    const other = await createCompany(gateway);
    await createGood(gateway, company.id, { name: "Zucchini" });
    await createGood(gateway, company.id, { name: "Aubergine" });
    await other.owner.run(SET, { companyId: other.id, groups: [["courgette", "aubergine"]] });
    await set([["courgette", "zucchini"]]);
    expect(await found("courgette")).toEqual(["Zucchini: name"]);

    await set([
      ["eggplant", "aubergine"],
      ["a", "b"],
    ]);

    expect(await found("courgette")).toEqual([]);
    expect(await found("eggplant")).toEqual(["Aubergine: name"]);
    expect(await kept()).toEqual([
      ["eggplant", "aubergine"],
      ["a", "b"],
    ]);
    await set([]);
    expect([await kept(), await found("eggplant")]).toEqual([[], []]);
  });

  it("are one set after sets at once", async () => {
    const sets = [1, 2, 3, 4].map((n) => [
      [`word${n}`, `other${n}`],
      [`third${n}`, `fourth${n}`],
    ]);

    const answers = await Promise.all(sets.map(set));

    expect(answers.flatMap(errorCodes)).toEqual([]);
    expect(sets).toContainEqual(await kept());
  });

  it.each([
    [[["a"]], "groups[0]"],
    [[["a", " a"]], "groups[0]"],
    [
      [
        ["a", "b"],
        ["c", ""],
      ],
      "groups[1][1]",
    ],
    [[["a", "!?"]], "groups[0][1]"],
    [[["a", "b".repeat(65)]], "groups[0][1]"],
    [[["a", "one two three four five"]], "groups[0][1]"],
    [Array.from({ length: 501 }, () => ["a", "b"]), "groups"],
    [[Array.from({ length: 21 }, (_, n) => `w${n}`)], "groups[0]"],
  ])("refuse %j, and stay as they are", async (groups, field) => {
    await set([["tea", "infusion"]]);

    const result = await set(groups);

    expect(errorCodes(result)).toEqual(["VALIDATION_FAILED"]);
    expect(JSON.stringify(result.errors)).toContain(`"field":"${field}"`);
    expect(await kept()).toEqual([["tea", "infusion"]]);
  });

  it("are read by who may access goods, and set by who may edit them", async () => {
    const reader = await adminWith(gateway, company.id, "access_goods");
    const variables = { companyId: company.id, groups: [["tea", "infusion"]] };

    expect(errorCodes(await reader.run(SET, variables))).toEqual(["FORBIDDEN"]);
    expect(dataOf(await reader.run(GET, variables)).searchSynonyms).toEqual([]);
    expect(errorCodes(await gateway.anonymous.run(GET, variables))).toEqual(["UNAUTHENTICATED"]);
  });
});
