import { findAdmins, findClients, findKeys } from "../../src/cli/token-owner.sql.js";
import { createCompany, signedInClient } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

it("finds whom a token is for, in all companies or in one", async () => {
  const companies = [(await createCompany(gateway)).id, (await createCompany(gateway)).id];
  const [one = 0, other = 0] = companies;
  const email = `twice-${one}@example.com`;
  const admins = [];
  for (const companyId of companies) {
    const owner = await gateway.db.admin.findFirstOrThrow({ where: { companyId } });
    await gateway.db.admin.updateMany({ where: { companyId, id: owner.id }, data: { email } });
    admins.push({ id: owner.id, companyId });
  }
  await signedInClient(gateway, one);
  const { id } = await gateway.db.client.findFirstOrThrow({ where: { companyId: one } });
  const { pool } = gateway.database;

  expect(await findAdmins(pool, email.toUpperCase())).toEqual(admins);
  expect(await findAdmins(pool, email, other)).toEqual([admins[1]]);
  expect(await findClients(pool, id)).toEqual([{ id, companyId: one }]);
  expect(await findClients(pool, id, other)).toEqual([]);

  const named = { name: `ERP ${one}`, prefix: "cgk", roles: ["access_goods"] };
  const keys = [];
  for (const companyId of companies) {
    const key = await gateway.db.apiKey.create({
      data: { companyId, ...named, keyHash: `hash-${companyId}` },
    });
    keys.push({ id: key.id, companyId });
  }
  expect(await findKeys(pool, named.name)).toEqual(keys);
  await gateway.db.apiKey.updateMany({ where: { companyId: one }, data: { revokedAt: new Date() } });
  expect(await findKeys(pool, named.name)).toEqual([keys[1]]);
});
