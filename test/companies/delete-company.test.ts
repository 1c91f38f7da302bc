import { hashPassword } from "../../src/core/access/passwords.js";
import { createCompany, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, type Gateway, startGateway, wrongFields } from "../support/gateway.js";

const RESTORE = `mutation ($id: Int!) { restoreCompany(companyId: $id) { id deletedAt } }`;
const DELETE = `mutation ($companyId: Int!) { deleteCompany(companyId: $companyId) { id deletedAt } }`;

describe("deleting and restoring companies", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let path: string;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    company = await createCompany(gateway);
    path = `/companies/${company.id}`;
  });
  afterAll(() => gateway.close());

  const stored = () => gateway.db.company.findFirstOrThrow({ where: { id: company.id } });

  it("takes all of its paths, tokens and logins away, and gives them back", async () => {
    const { domain } = await stored();
    const admin = await gateway.db.admin.update({
      where: { companyId_id: { companyId: company.id, id: company.ownerId } },
      data: { passwordHash: await hashPassword("the owner's password") },
    });
    const login = () =>
      gateway.anonymous.rest("POST", "/auth/login", {
        body: { email: admin.email, password: "the owner's password" },
      });
    const statuses = async () => [
      (await gateway.platform.rest("GET", `${path}/settings`)).status,
      (await company.owner.rest("GET", `${path}/settings`)).status,
      (await gateway.anonymous.rest("GET", `/domains/${domain}`)).status,
      (await login()).status,
    ];
    expect(await statuses()).toEqual([200, 200, 200, 200]);

    const deleted = await gateway.platform.rest("DELETE", path);

    expect([deleted.status, deleted.body]).toEqual([204, null]);
    expect(await statuses()).toEqual([404, 401, 404, 401]);
    expect((await gateway.platform.rest("DELETE", path)).status).toBe(404);

    const restored = await gateway.platform.rest("POST", `${path}/restore`);

    expect([restored.status, restored.body.deleted_at]).toEqual([200, null]);
    expect(await statuses()).toEqual([200, 200, 200, 200]);
  });

  it("does the same through GraphQL, and restores only what is deleted", async () => {
    const early = await gateway.platform.run(RESTORE, { id: company.id });
    const gone = dataOf(await gateway.platform.run(DELETE, { companyId: company.id }));
    const back = dataOf(await gateway.platform.run(RESTORE, { id: company.id }));
    const late = await gateway.platform.rest("POST", `${path}/restore`);
    const unknown = await gateway.platform.run(RESTORE, { id: 999_999_999 });

    expect(errorCodes(early)).toEqual(["INVALID_STATE"]);
    expect(gone["deleteCompany"].deletedAt).toEqual(expect.any(String));
    expect(back["restoreCompany"].deletedAt).toBeNull();
    expect([late.status, late.body.code]).toEqual([409, "INVALID_STATE"]);
    expect(errorCodes(unknown)).toEqual(["NOT_FOUND"]);
  });

  it("refuses to restore a company whose names were taken meanwhile", async () => {
    const { domain } = await stored();
    const custom = { customDomain: `https://www.${domain}`, customDomainHost: `www.${domain}` };
    await gateway.db.company.update({ where: { id: company.id }, data: custom });
    await gateway.platform.rest("DELETE", path);
    const other = await createCompany(gateway);
    const names = { domain: `www.${domain}`, custom_domain: `https://${domain}` };
    await gateway.platform.rest("PATCH", `/companies/${other.id}`, { body: names });

    const { status, body } = await gateway.platform.rest("POST", `${path}/restore`);

    expect([status, wrongFields(body.errors)]).toEqual([422, ["custom_domain:unique", "domain:unique"]]);
    expect((await stored()).deletedAt).not.toBeNull();
  });

  it("is for the platform alone", async () => {
    const before = await stored();

    const statuses = [];
    for (const caller of [company.owner, gateway.anonymous]) {
      statuses.push((await caller.rest("DELETE", path)).status);
      statuses.push((await caller.rest("POST", `${path}/restore`)).status);
    }

    expect(statuses).toEqual([403, 403, 401, 401]);
    expect(await stored()).toEqual(before);
  });
});
