import { add, goShopping } from "../carts/carts.js";
import { adminWith, createCompany, signedInClient } from "../support/factories.js";
import { dataOf, errorCodes, startGateway, type Gateway } from "../support/gateway.js";

const EXPORT = `mutation ($companyId: Int!, $id: Int!) { exportClient(companyId: $companyId, clientId: $id) { url } }`;
const TRAIL = `query ($companyId: Int!) {
  auditEntries(companyId: $companyId, filter: { action: { eq: export } }) {
    nodes { operation adminId targetType targetId changes { field } } } }`;

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

/** The path and query of the link, as `rest` takes it. */
async function linkTo(companyId: number, id: number, owner = gateway.platform): Promise<string> {
  const { url } = dataOf(await owner.run(EXPORT, { companyId, id }))["exportClient"] as { url: string };
  return url.slice(url.indexOf("/companies/"));
}

it("gives all that is kept about a client, and nothing of another", async () => {
  const shopping = await goShopping(gateway);
  const { clientId: id, company, client, cartId, branchId } = shopping;
  const { id: other } = await signedInClient(gateway, company.id);
  await add(shopping, { notes: "Ring twice" });
  await client.rest("POST", `/companies/${company.id}/clients/${id}/client-addresses`, {
    body: { name: "Home", address: "1 Main Street" },
  });
  for (const clientId of [id, other])
    await gateway.db.order.create({
      data: { companyId: company.id, clientId, branchId, currencyIso: "USD" },
    });

  const { status, body } = await company.owner.rest("GET", await linkTo(company.id, id, company.owner));

  expect([status, body.companyId, body.clientId]).toEqual([200, company.id, id]);
  const { rows } = body as { rows: Record<string, object[]> };
  expect(Object.keys(rows).sort()).toEqual([
    "audit_entries",
    "balance_holders",
    "balance_movements",
    "cart_items",
    "carts",
    "client_addresses",
    "client_admins",
    "client_favorites",
    "client_segment_members",
    "clients",
    "company_event_draws",
    "company_event_players",
    "coupon_attempts",
    "coupon_codes",
    "coupon_holds",
    "coupon_redemptions",
    "coupon_use_facts",
    "invoice_documents",
    "order_items",
    "orders",
    "refresh_tokens",
    "webhook_deliveries",
  ]);
  expect(rows["clients"]).toEqual([expect.objectContaining({ id, company_id: company.id })]);
  expect(rows["orders"]).toEqual([expect.objectContaining({ client_id: id })]);
  expect(rows["cart_items"]).toEqual([expect.objectContaining({ cart_id: cartId, notes: "Ring twice" })]);
  expect(rows["client_addresses"]).toEqual([expect.objectContaining({ address: "1 Main Street" })]);
});

it("stands in the trail, without anything of the client", async () => {
  const company = await createCompany(gateway);
  const { id } = await signedInClient(gateway, company.id);

  await linkTo(company.id, id, company.owner);

  expect(dataOf(await company.owner.run(TRAIL, { companyId: company.id }))["auditEntries"].nodes).toEqual([
    { operation: "exportClient", adminId: company.ownerId, targetType: "client", targetId: id, changes: [] },
  ]);
});

it("takes a deleted client, too", async () => {
  const company = await createCompany(gateway);
  const { id } = await signedInClient(gateway, company.id);
  await gateway.db.client.updateMany({
    where: { companyId: company.id, id },
    data: { deletedAt: new Date() },
  });

  const { status } = await company.owner.rest("GET", await linkTo(company.id, id, company.owner));

  expect(status).toBe(200);
});

it("is good with a token of who may edit clients alone, and for this client alone", async () => {
  const company = await createCompany(gateway);
  const { id } = await signedInClient(gateway, company.id);
  const { id: other, client } = await signedInClient(gateway, company.id);
  const stranger = await createCompany(gateway);
  const reader = await adminWith(gateway, company.id, "access_clients");
  const link = await linkTo(company.id, id, company.owner);

  const statusOf = async (caller: typeof client, path: string) => (await caller.rest("GET", path)).status;

  expect(await statusOf(gateway.anonymous, link)).toBe(401);
  expect(await statusOf(reader, link)).toBe(403);
  expect(await statusOf(client, link)).toBe(403);
  expect(await statusOf(stranger.owner, link)).toBe(403);
  expect(await statusOf(company.owner, link.replace(`/${id}/`, `/${other}/`))).toBe(404);
  expect(await statusOf(company.owner, link.replace(/expires=\d+/u, "expires=99999999999"))).toBe(404);
  expect(await statusOf(company.owner, link)).toBe(200);
  expect(errorCodes(await reader.run(EXPORT, { companyId: company.id, id }))).toEqual(["FORBIDDEN"]);
});
