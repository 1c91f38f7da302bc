import { adminWith, createBranchGroup, createCompany, unique } from "../support/factories.js";
import { dataOf, errorCodes, startGateway, wrongFields, type Gateway } from "../support/gateway.js";

const SET = `mutation ($companyId: Int!, $providerId: Int!, $input: [Int!]!) {
  setProviderBranchGroups(companyId: $companyId, providerId: $providerId, input: $input) {
    id branchGroups { id }
  } }`;

let gateway: Gateway;

beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

async function arrange() {
  const company = await createCompany(gateway);
  const provider = await gateway.db.provider.create({ data: { companyId: company.id, name: unique() } });
  const groups = [
    (await createBranchGroup(gateway, company.id)).id,
    (await createBranchGroup(gateway, company.id)).id,
    (await createBranchGroup(gateway, company.id)).id,
  ] as const;
  const set = async (input: readonly number[], caller = company.owner, providerId = provider.id) =>
    caller.run(SET, { companyId: company.id, providerId, input });
  return { company, provider, groups, set };
}

it("replaces the whole set, each shop once", async () => {
  const { provider, groups, set } = await arrange();
  const [first, second, third] = groups;

  await set([first, second]);
  const result = dataOf(await set([third, second, third]))["setProviderBranchGroups"];
  const emptied = dataOf(await set([]))["setProviderBranchGroups"];

  expect(result).toEqual({ id: provider.id, branchGroups: [{ id: second }, { id: third }] });
  expect(emptied.branchGroups).toEqual([]);
});

it("refuses unknown shops and changes nothing", async () => {
  const { company, groups, set } = await arrange();
  const { id: foreign } = await createBranchGroup(gateway, (await createCompany(gateway)).id);
  await set([groups[0]]);

  const result = await set([groups[1], foreign]);

  expect(wrongFields(result.errors?.[0]?.extensions["errors"])).toEqual(["[1]:exists"]);
  const links = await gateway.db.providerBranchGroup.findMany({ where: { companyId: company.id } });
  expect(links.map(({ branchGroupId }) => branchGroupId)).toEqual([groups[0]]);
});

it("knows no unknown provider, and needs can_edit_company", async () => {
  const { company, groups, set } = await arrange();
  const reader = await adminWith(gateway, company.id, "access_company");

  expect(errorCodes(await set([groups[0]], company.owner, 2_000_000_000))).toEqual(["NOT_FOUND"]);
  expect(errorCodes(await set([groups[0]], reader))).toEqual(["FORBIDDEN"]);
});
