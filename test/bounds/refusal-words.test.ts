import { type Gateway, startGateway } from "../support/gateway.js";
import { boundAdmin, createTwoShops } from "./two-shops.js";

describe("refusals of who is bound to a shop", () => {
  let gateway: Gateway;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  it("name no tables", async () => {
    const { companyId, own } = await createTwoShops(gateway);
    const { db } = gateway;
    const { id: clientId } = await db.client.create({ data: { companyId, name: "Eva" } });
    const roles = ["can_issue_client_tokens", "can_edit_company", "access_company"] as const;
    const bound = await boundAdmin(gateway, companyId, { branchGroupIds: [own.id] }, ...roles);
    const stored = () =>
      Promise.all([
        db.refreshToken.count({ where: { companyId } }),
        db.company.findMany({ where: { id: companyId } }),
      ]);
    const before = await stored();

    const refused = [
      `issueClientToken(companyId: ${companyId}, clientId: ${clientId}) { accessToken }`,
      `updateCompany(companyId: ${companyId}, input: { name: "Other" }) { id }`,
    ].map(async (mutation) => {
      const { errors } = await bound.run(`mutation { ${mutation} }`);
      return errors?.map(({ message }) => message);
    });

    const start = "This is not for admins who are bound to shops or branches: it";
    expect(await Promise.all(refused)).toEqual([
      [`${start} goes by more than the rows of these.`],
      [`${start} changes rows of the whole company, which they only read.`],
    ]);
    expect(await stored()).toEqual(before);
  });
});
