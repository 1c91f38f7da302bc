import { adminNamed } from "../admins/people.js";
import { makeKey } from "../api-keys/keys.js";
import { createCompany, signedInClient, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";

let gateway: Gateway;
let company: TestCompany;
beforeAll(async () => {
  gateway = await startGateway();
  company = await createCompany(gateway);
});

it("answers who calls by REST: an admin, a client, a key, the platform", async () => {
  const admin = await adminNamed(gateway, company.id, "can_edit_goods", "access_goods");
  const client = await signedInClient(gateway, company.id);
  const key = await makeKey(gateway, company.owner, company.id, { roles: ["access_goods"] });
  const me = async (caller: typeof key.client) => (await caller.rest("GET", "/me")).body as unknown;

  expect([await me(admin.client), await me(client.client), await me(key.client)]).toEqual([
    { kind: "admin", id: admin.id, company_id: company.id, permissions: ["access_goods", "can_edit_goods"] },
    { kind: "client", id: client.id, company_id: company.id, permissions: [] },
    { kind: "key", id: key.id, company_id: company.id, permissions: ["access_goods"] },
  ]);
  expect(await me(gateway.platform)).toMatchObject({ kind: "platform", id: null, company_id: null });
});

it("refuses who sends no token", async () => {
  expect((await gateway.anonymous.rest("GET", "/me")).status).toBe(401);
});
