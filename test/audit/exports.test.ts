import { createCompany, createGood } from "../support/factories.js";
import { dataOf, startGateway, type Gateway } from "../support/gateway.js";

const TRAIL = `query ($companyId: Int!) {
  auditEntries(companyId: $companyId, filter: { action: { eq: export } }) {
    nodes { operation actorKind adminId targetType targetId changes { field after } } } }`;

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

it("has who took out how many rows as a file, and nothing of a page", async () => {
  const company = await createCompany(gateway);
  const goods = `/companies/${company.id}/goods`;
  for (let n = 0; n < 3; n += 1) await createGood(gateway, company.id);
  await company.owner.rest("GET", goods);

  const { status } = await company.owner.rest("GET", `${goods}?format=csv`);

  expect(status).toBe(200);
  const { nodes } = dataOf(await company.owner.run(TRAIL, { companyId: company.id }))["auditEntries"];
  expect(nodes).toEqual([
    {
      operation: "goods",
      actorKind: "admin",
      adminId: company.ownerId,
      targetType: "good",
      targetId: null,
      changes: [
        { field: "format", after: "csv" },
        { field: "isWhole", after: true },
        { field: "rows", after: 3 },
      ],
    },
  ]);
});

it("has what is no row of a kind as the company's", async () => {
  const company = await createCompany(gateway);

  await company.owner.rest("GET", `/companies/${company.id}/trial-balance?format=csv`);

  const { nodes } = dataOf(await company.owner.run(TRAIL, { companyId: company.id }))["auditEntries"];
  expect(nodes).toMatchObject([
    { operation: "trialBalanceRows", targetType: "company", targetId: company.id },
  ]);
});
