import { adminWith, createCompany, signedInClient, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, startGateway, wrongFields, type Gateway } from "../support/gateway.js";

const DELETE = `mutation ($companyId: Int!, $id: Int!) { deleteClient(companyId: $companyId, id: $id) { id deletedAt } }`;
const RESTORE = `mutation ($companyId: Int!, $id: Int!) { restoreClient(companyId: $companyId, id: $id) { id deletedAt } }`;
const SHOW = `query ($companyId: Int!, $id: Int!, $withDeleted: Boolean) {
  client(companyId: $companyId, id: $id, withDeleted: $withDeleted) { id deletedAt } }`;
const LIST = `query ($companyId: Int!, $withDeleted: Boolean) {
  clients(companyId: $companyId, withDeleted: $withDeleted) { nodes { id } totalCount } }`;

let gateway: Gateway;
let company: TestCompany;
let id: number;

beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());
beforeEach(async () => {
  company = await createCompany(gateway);
  id = (await signedInClient(gateway, company.id)).id;
});

const run = (document: string, variables: Record<string, unknown> = {}) =>
  company.owner.run(document, { companyId: company.id, id, ...variables });

it("keeps a deleted client, for those who ask for it", async () => {
  const deleted = dataOf(await run(DELETE))["deleteClient"];

  expect(deleted.deletedAt).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/u);
  expect(errorCodes(await run(SHOW))).toEqual(["NOT_FOUND"]);
  expect(dataOf(await run(SHOW, { withDeleted: true }))["client"]).toEqual(deleted);
  expect(dataOf(await run(LIST))["clients"]).toEqual({ nodes: [], totalCount: 0 });
  expect(dataOf(await run(LIST, { withDeleted: true }))["clients"]).toEqual({
    nodes: [{ id }],
    totalCount: 1,
  });
});

it("refuses new links to a deleted client", async () => {
  await run(DELETE);

  const result = await run(
    `mutation ($companyId: Int!, $id: Int!) { createCart(companyId: $companyId, input: { clientId: $id }) { id } }`,
  );

  expect(wrongFields(result.errors?.[0]?.extensions["errors"])).toEqual(["clientId:exists"]);
});

it("restores a deleted client, once", async () => {
  await run(DELETE);

  expect(dataOf(await run(RESTORE))["restoreClient"]).toEqual({ id, deletedAt: null });
  expect(errorCodes(await run(RESTORE))).toEqual(["INVALID_STATE"]);
  expect(errorCodes(await run(RESTORE, { id: 2_000_000_000 }))).toEqual(["NOT_FOUND"]);
});

it("needs can_edit_clients to restore", async () => {
  const reader = await adminWith(gateway, company.id, "access_clients");
  await run(DELETE);

  expect(errorCodes(await reader.run(RESTORE, { companyId: company.id, id }))).toEqual(["FORBIDDEN"]);
});
