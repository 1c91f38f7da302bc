import { createCompany, createGood, type TestCompany } from "../support/factories.js";
import { dataOf, type Gateway, startGateway } from "../support/gateway.js";

let gateway: Gateway;
let company: TestCompany;
beforeAll(async () => {
  gateway = await startGateway();
  company = await createCompany(gateway);
  const { id: companyId } = company;
  const name = "Ünïted Crème-Brûlée Łódź Straße";
  await createGood(gateway, companyId, { name });
  await gateway.db.category.create({ data: { companyId, name } });
  await gateway.db.client.create({ data: { companyId, name, email: "folding@example.com" } });
  await gateway.db.branchGroup.create({ data: { companyId, name } });
});
afterAll(() => gateway.close());

const FOUND = ["united", "UNITED CREME-brulee", "ünïted crème"];
const INSIDE = ["brulee", "BRÛLÉE", "lodz", "ŁÓDŹ strasse", "straße"];

it.each(["goods", "categories", "clients", "branchGroups"])(
  "folds case and accents in the list %s as the search of goods does",
  async (list) => {
    const count = async (condition: object): Promise<number> => {
      const type = { goods: "Good", categories: "Category", clients: "Client", branchGroups: "BranchGroup" }[
        list
      ];
      const query = `query ($companyId: Int!, $filter: ${type}FilterInput) {
        ${list}(companyId: $companyId, filter: $filter) { totalCount } }`;
      const variables = { companyId: company.id, filter: { name: condition } };
      return dataOf(await company.owner.run(query, variables))[list].totalCount;
    };
    const searched = async (q: string): Promise<number> =>
      dataOf(
        await company.owner.run(
          "query ($companyId: Int!, $q: String!) { searchGoods(companyId: $companyId, q: $q) { totalCount } }",
          { companyId: company.id, q },
        ),
      ).searchGoods.totalCount;

    for (const text of FOUND)
      expect([text, await count({ startsWith: text }), await searched(text)]).toEqual([text, 1, 1]);
    for (const text of INSIDE)
      expect([text, await count({ contains: text }), await searched(text)]).toEqual([text, 1, 1]);
    expect(await count({ startsWith: "brulee" })).toBe(0);
  },
);
