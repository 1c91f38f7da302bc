import { createCompany, type TestCompany } from "../support/factories.js";
import { dataOf, type Gateway, startGateway } from "../support/gateway.js";
import { type Account, createAccount, PASSWORD, refresh } from "./accounts.js";
import { enrolled } from "./factors.js";

const SESSIONS = "{ mySessions { address device isCurrent } }";
const ENTRIES = `query ($companyId: Int!, $targetId: SafeInt!) {
  auditEntries(companyId: $companyId, filter: { targetId: { eq: $targetId }, targetType: { eq: admin } }, orderBy: [{ field: ID, direction: ASC }]) {
    edges { node { action operation actorKind adminId address device changes { field } } } } }`;

describe("sign-ins", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let account: Account;

  beforeAll(async () => {
    gateway = await startGateway();
    company = await createCompany(gateway);
  });
  beforeEach(async () => {
    account = await createAccount(gateway, company.id);
  });
  afterAll(() => gateway.close());

  const signIn = (device: string, body: object = {}) =>
    gateway.anonymous.rest("POST", "/auth/login", {
      body: { email: account.email, password: PASSWORD, ...body },
      headers: { "user-agent": device },
    });
  const tokenOf = async (device: string) => {
    const { body } = await signIn(device);
    return body as { access_token: string; refresh_token: string };
  };
  /** The entries of the trail about logins of the account, once there are so many. */
  const entries = async (count: number) => {
    for (;;) {
      const answer = await company.owner.run(ENTRIES, { companyId: company.id, targetId: account.id });
      const nodes = dataOf(answer)["auditEntries"].edges.map(
        ({ node }: { node: Record<string, unknown> }) => node,
      );
      const about = nodes.filter(({ action }: { action: string }) => action.startsWith("s"));
      if (about.length >= count) return about;
    }
  };
  const logout = (token: string) =>
    gateway.anonymous.rest("POST", "/auth/logout", { body: { refresh_token: token } });

  it("tell their address and device in the list of logins, those of the last use", async () => {
    const first = await tokenOf("Till 7");
    const second = await tokenOf(`A${"\t"} ${"b".repeat(300)}`);
    const client = gateway.withToken(second.access_token);

    const before = dataOf(await client.run(SESSIONS))["mySessions"];
    await gateway.anonymous.rest("POST", "/auth/refresh", {
      body: { refresh_token: first.refresh_token },
      headers: { "user-agent": "Till 8" },
    });
    const after = dataOf(await client.run(SESSIONS))["mySessions"];

    expect(before).toContainEqual({ address: "127.0.0.1", device: "Till 7", isCurrent: false });
    const current = before.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent);
    expect(current.device).toHaveLength(200);
    expect(after).toContainEqual({ address: "127.0.0.1", device: "Till 8", isCurrent: false });
  });

  it("stand in the trail with address and device, refused ones and ended ones, too", async () => {
    await signIn("Laptop", { password: "not the password" });
    await entries(1);
    const { refresh_token: token } = await tokenOf("Phone");
    expect((await logout(token)).status).toBe(204);
    const other = await tokenOf("Tablet");
    dataOf(await gateway.withToken(other.access_token).run("mutation { revokeMySessions }"));
    dataOf(
      await company.owner.run(
        "mutation ($c: Int!, $a: Int!) { revokeAdminSessions(companyId: $c, adminId: $a) }",
        { c: company.id, a: account.id },
      ),
    );

    const about = await entries(5);

    const own = { actorKind: "admin", adminId: account.id, address: "127.0.0.1", changes: [] };
    const isNew = [{ field: "devices" }];
    expect(about).toEqual([
      {
        ...own,
        action: "sign_in_refused",
        operation: "login",
        actorKind: null,
        adminId: null,
        device: "Laptop",
      },
      { ...own, action: "sign_in", operation: "login", device: "Phone", changes: isNew },
      { ...own, action: "session_end", operation: "logout", device: "Phone" },
      { ...own, action: "sign_in", operation: "login", device: "Tablet", changes: isNew },
      {
        ...own,
        action: "session_end",
        operation: "revokeAdminSessions",
        adminId: company.ownerId,
        device: "Tablet",
      },
    ]);
  });

  it("with a wrong code are refused ones, and trades of refresh tokens are none", async () => {
    await enrolled(gateway, account);
    expect((await signIn("Laptop", { otp: "1234567" })).status).toBe(401);

    const about = await entries(2);

    expect(about.map(({ action, device }: Record<string, unknown>) => [action, device])).toEqual([
      ["sign_in", "lightMyRequest"],
      ["sign_in_refused", "Laptop"],
    ]);
  });

  it("end in the trail once when a token comes a second time", async () => {
    const { refresh_token: first } = await tokenOf("Till 7");
    const { body } = await refresh(gateway, first);
    await refresh(gateway, body.refresh_token as string);

    expect((await refresh(gateway, first)).status).toBe(401);

    const about = await entries(2);
    expect(about.map(({ action, operation }: Record<string, unknown>) => [action, operation])).toEqual([
      ["sign_in", "login"],
      ["session_end", "refreshToken"],
    ]);
  });
});
