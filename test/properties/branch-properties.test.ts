import { createBranch, createBranchGroup, createCompany, type TestCompany } from "../support/factories.js";
import { dataOf, startGateway, type Gateway } from "../support/gateway.js";

const CREATE = `mutation ($companyId: Int!, $branchId: Int!, $input: PropertyInput!) {
  createPropertyForBranch(companyId: $companyId, branchId: $branchId, input: $input) { id branchGroupId }
}`;
const LIST = `query ($companyId: Int!, $branchId: Int!) {
  propertiesOfBranch(companyId: $companyId, branchId: $branchId) { totalCount nodes { id } }
}`;

describe("properties of a branch without a shop", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let path: string;
  let branchId: number;

  beforeAll(async () => {
    gateway = await startGateway();
    company = await createCompany(gateway);
    branchId = (await createBranch(gateway, company.id)).id;
    path = `/companies/${company.id}/branches/${branchId}/properties`;
    const shop = await createBranchGroup(gateway, company.id);
    await gateway.db.property.create({
      data: { companyId: company.id, name: "Of a shop", branchGroupId: shop.id },
    });
  });
  afterAll(() => gateway.close());

  it("are those of the whole company, so that what is created there is listed there", async () => {
    const { status, body } = await company.owner.rest("POST", path, { body: { name: "Size" } });
    const variables = { companyId: company.id, branchId };
    const { createPropertyForBranch: second } = dataOf(
      await company.owner.run(CREATE, { ...variables, input: { name: "Colour" } }),
    );

    expect([status, body.branch_group_id, second.branchGroupId]).toEqual([201, null, null]);
    const listed = await company.owner.rest("GET", path);
    expect(listed.body.map(({ id }: { id: number }) => id)).toEqual([second.id, body.id]);
    expect(listed.headers["x-total-count"]).toBe("2");
    const { propertiesOfBranch } = dataOf(await company.owner.run(LIST, variables));
    expect(propertiesOfBranch).toEqual({ totalCount: 2, nodes: [{ id: second.id }, { id: body.id }] });
  });
});
