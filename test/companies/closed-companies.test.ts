import { hashPassword } from "../../src/core/access/passwords.js";
import {
  adminWith,
  createBranch,
  createCompany,
  signedInClient,
  type TestCompany,
} from "../support/factories.js";
import { dataOf, errorCodes, type Client, type Gateway, startGateway } from "../support/gateway.js";

const PASSWORD = "the owner's password";
const OPEN = `query ($companyId: Int!, $domain: String!) {
  company(companyId: $companyId) { id }
  termsOfService(companyId: $companyId) { termsOfService }
  companyByDomain(domain: $domain) { id }
  resolveDomain(domain: $domain) { id }
}`;

let gateway: Gateway;
let company: TestCompany;
let domain: string;
let email: string;
let client: Client;
let refreshToken: string;

beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  company = await createCompany(gateway);
  const row = await gateway.db.company.findFirstOrThrow({ where: { id: company.id } });
  domain = row.domain;
  const passwordHash = await hashPassword(PASSWORD);
  const admin = await gateway.db.admin.update({
    where: { companyId_id: { companyId: company.id, id: company.ownerId } },
    data: { passwordHash },
  });
  email = admin.email;
  ({ client } = await signedInClient(gateway, company.id));
  refreshToken = (await login()).body.refresh_token as string;
});
afterAll(() => gateway.close());

const login = (password = PASSWORD) =>
  gateway.anonymous.rest("POST", "/auth/login", { body: { email, password, domain } });
const change = (body: object) => gateway.platform.rest("PATCH", `/companies/${company.id}`, { body });

describe.each([
  [
    "has expired",
    { expires_at: "2020-01-01 00:00:00", extension_days: 30 },
    /has expired on 2020-01-31 00:00:00/u,
  ],
  ["is disabled", { enabled: false }, /is disabled/u],
] as const)("a company that %s", (_, closing, detail) => {
  it("refuses strangers and clients, and lets in the platform and its own admins", async () => {
    const { id: branchId } = await createBranch(gateway, company.id);
    const other = await createCompany(gateway);
    expect((await change(closing)).status).toBe(200);
    const paths = [
      `/companies/domain/${domain}`,
      `/domains/${domain}`,
      `/companies/${company.id}/terms-of-service`,
      `/companies/${company.id}/branches/${branchId}/day-time`,
      `/companies/${company.id}/goods`,
    ];

    for (const path of paths) {
      for (const caller of [gateway.anonymous, client, other.owner]) {
        const { status, body } = await caller.rest("GET", path);
        expect([path, status, body.code]).toEqual([path, 403, "FORBIDDEN"]);
        expect(body.detail).toMatch(detail);
      }
      for (const caller of [gateway.platform, company.owner])
        expect([path, (await caller.rest("GET", path)).status]).toEqual([path, 200]);
    }
    const args = { companyId: company.id, domain };
    expect(errorCodes(await gateway.anonymous.run(OPEN, args))).toEqual(Array(4).fill("FORBIDDEN"));
    expect(errorCodes(await client.run("{ me { kind } }"))).toEqual(["FORBIDDEN"]);
    expect(dataOf(await company.owner.run(OPEN, args))["company"].id).toBe(company.id);
    const reader = await adminWith(gateway, company.id, "access_settings");
    expect((await reader.rest("GET", `/companies/${company.id}/settings`)).status).toBe(200);
  });

  it("signs nobody in, and says why only to who knows the password", async () => {
    await change(closing);

    const [right, wrong] = [await login(), await login("another password")];
    const refreshed = await gateway.anonymous.rest("POST", "/auth/refresh", {
      body: { refresh_token: refreshToken },
    });
    const forged = await gateway.anonymous.rest("POST", "/auth/refresh", {
      body: { refresh_token: `${refreshToken.slice(0, -4)}AAAA` },
    });

    expect([right.status, wrong.status, refreshed.status, forged.status]).toEqual([403, 401, 403, 401]);
    expect(right.body.detail).toMatch(detail);
    expect(JSON.stringify(wrong.body)).not.toMatch(/expired|disabled/u);

    await change({ enabled: true, expires_at: "2099-01-01" });
    const again = await gateway.anonymous.rest("POST", "/auth/refresh", {
      body: { refresh_token: refreshToken },
    });
    expect([again.status, (await login()).status]).toEqual([200, 200]);
  });
});

it("an extension keeps a company open", async () => {
  const yesterday = new Date(Date.now() - 86_400_000).toISOString();

  await change({ expires_at: yesterday, extension_days: 2 });

  expect((await gateway.anonymous.rest("GET", `/domains/${domain}`)).status).toBe(200);
});
