import { createAdminRow, createType } from "../admins/people.js";
import { adminWith, createBranchGroup, createCompany, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, startGateway, type Client, type Gateway } from "../support/gateway.js";
import { fiveSecondsLater } from "../support/remembered.js";
import { makeKey, ME, REVOKE, ROTATE, statusOf, UPDATE } from "./keys.js";

let gateway: Gateway;
let second: Gateway;
let company: TestCompany;
beforeAll(async () => {
  gateway = await startGateway();
  second = await startGateway({ on: gateway });
});
beforeEach(async () => {
  company = await createCompany(gateway);
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => second.close());

const ROLES = ["access_coupons"];

/** What both instances answer to a key. */
async function statusesOf(key: string): Promise<number[]> {
  const clients = [gateway, second].map((instance) => instance.withToken(key));
  return Promise.all(clients.map(async (client) => statusOf(await client.run(ME))));
}

async function rotate(by: Client, id: number, hours: number | null): Promise<string> {
  const { rotateApiKey } = dataOf(await by.run(ROTATE, { companyId: company.id, id, hours })) as {
    rotateApiKey: { key: string };
  };
  return rotateApiKey.key;
}

it("is refused everywhere within 5 seconds once it is revoked, and at once where that was done", async () => {
  const { id, key, client } = await makeKey(gateway, company.owner, company.id, { roles: ROLES });
  expect(await statusesOf(key)).toEqual([200, 200]);

  const first = dataOf(await company.owner.run(REVOKE, { companyId: company.id, id }));
  expect(statusOf(await client.run(ME))).toBe(401);
  fiveSecondsLater();

  expect(await statusesOf(key)).toEqual([401, 401]);
  expect(dataOf(await company.owner.run(REVOKE, { companyId: company.id, id }))).toEqual(first);
});

it("is replaced by another one at once with an overlap of 0", async () => {
  const { id, key } = await makeKey(gateway, company.owner, company.id, { roles: ROLES });
  expect(await statusesOf(key)).toEqual([200, 200]);

  const next = await rotate(company.owner, id, 0);
  fiveSecondsLater();

  expect(next).not.toBe(key);
  expect([await statusesOf(key), await statusesOf(next)]).toEqual([
    [401, 401],
    [200, 200],
  ]);
});

it("is good beside the one that follows for the hours of the overlap, but not beside the one after that", async () => {
  const { id, key } = await makeKey(gateway, company.owner, company.id, { roles: ROLES });
  const next = await rotate(company.owner, id, null);
  expect([await statusesOf(key), await statusesOf(next)]).toEqual([
    [200, 200],
    [200, 200],
  ]);
  const stored = await gateway.db.apiKey.findFirst({ where: { companyId: company.id, id } });
  const hours = ((stored?.previousEndsAt?.getTime() ?? 0) - Date.now()) / 3_600_000;
  expect(Math.round(hours)).toBe(24);

  const last = await rotate(company.owner, id, 1);
  fiveSecondsLater();
  expect([await statusesOf(key), await statusesOf(next), await statusesOf(last)]).toEqual([
    [401, 401],
    [200, 200],
    [200, 200],
  ]);

  const over = { previousEndsAt: new Date(Date.now() - 1_000) };
  await gateway.db.apiKey.updateMany({ where: { companyId: company.id, id }, data: over });
  jest.restoreAllMocks();
  fiveSecondsLater();
  fiveSecondsLater();
  expect([await statusesOf(next), await statusesOf(last)]).toEqual([
    [401, 401],
    [200, 200],
  ]);
});

it("is changed by nobody who holds less than it", async () => {
  const { id, key } = await makeKey(gateway, company.owner, company.id, { roles: ["can_edit_goods"] });
  const lesser = await adminWith(gateway, company.id, "can_edit_api_keys", "access_goods");
  const before = await gateway.db.apiKey.findFirst({ where: { companyId: company.id, id } });
  const named = { companyId: company.id, id };

  const results = [
    await lesser.run(ROTATE, { ...named, hours: 0 }),
    await lesser.run(UPDATE, { ...named, input: { name: "Mine" } }),
    await lesser.run(REVOKE, named),
  ];

  expect(results.map(errorCodes)).toEqual([["FORBIDDEN"], ["FORBIDDEN"], ["FORBIDDEN"]]);
  expect(await gateway.db.apiKey.findFirst({ where: { companyId: company.id, id } })).toEqual(before);
  expect(await statusesOf(key)).toEqual([200, 200]);
});

it("is revoked, but not changed, by a maker who has been bound to a shop, and no other's key is", async () => {
  const { id: companyId, owner } = company;
  const { db } = gateway;
  const adminTypeId = await createType(gateway, companyId, "can_edit_api_keys", "access_coupons");
  const makerId = await createAdminRow(gateway, companyId, { adminTypeId });
  const maker = await gateway.as({ kind: "admin", companyId, id: makerId });
  const own = await makeKey(gateway, maker, companyId, { roles: ROLES });
  const { id: shopId } = await createBranchGroup(gateway, companyId);
  await db.adminType.updateMany({ where: { companyId }, data: { branchGroupIds: [shopId] } });
  fiveSecondsLater();
  const colleague = await gateway.as({
    kind: "admin",
    companyId,
    id: await createAdminRow(gateway, companyId, { adminTypeId }),
  });
  const owners = await makeKey(gateway, owner, companyId, { roles: ROLES });
  const keys = () => db.apiKey.findMany({ where: { companyId }, orderBy: { id: "asc" } });
  const before = await keys();

  const refused = [
    await maker.run(UPDATE, { companyId, id: own.id, input: { name: "Mine" } }),
    await maker.run(ROTATE, { companyId, id: own.id, hours: 0 }),
    await maker.run(REVOKE, { companyId, id: owners.id }),
    await colleague.run(REVOKE, { companyId, id: own.id }),
  ];

  expect(refused.map(errorCodes)).toEqual(Array(4).fill(["FORBIDDEN"]));
  expect(await keys()).toEqual(before);
  expect(errorCodes(await maker.run(REVOKE, { companyId, id: own.id }))).toEqual([]);
  expect((await keys()).map(({ revokedAt }) => revokedAt !== null)).toEqual([true, false]);
  expect(statusOf(await own.client.run(ME))).toBe(401);
});

it("gets no role that its maker does not hold, and none once it is revoked", async () => {
  const maker = await adminWith(gateway, company.id, "can_edit_api_keys", "access_goods", "access_clients");
  const { id } = await makeKey(gateway, maker, company.id, { roles: ["access_goods"] });
  const update = (roles: string[]) =>
    company.owner.run(UPDATE, { companyId: company.id, id, input: { roles } });

  expect(errorCodes(await update(["access_goods", "access_coupons"]))).toEqual(["FORBIDDEN"]);
  expect(dataOf(await update(["access_clients"]))).toMatchObject({
    updateApiKey: { roles: ["access_clients"], version: 2, key: null },
  });
  await company.owner.run(REVOKE, { companyId: company.id, id });
  expect(errorCodes(await update(["access_goods"]))).toEqual(["INVALID_STATE"]);
  const rotated = await company.owner.run(ROTATE, { companyId: company.id, id, hours: 0 });
  expect(errorCodes(rotated)).toEqual(["INVALID_STATE"]);
});

it.each([-1, 721])("refuses an overlap of %d hours", async (hours) => {
  const { id, key } = await makeKey(gateway, company.owner, company.id, { roles: ROLES });

  const result = await company.owner.run(ROTATE, { companyId: company.id, id, hours });

  expect(errorCodes(result)).toEqual(["VALIDATION_FAILED"]);
  expect(await statusesOf(key)).toEqual([200, 200]);
});
