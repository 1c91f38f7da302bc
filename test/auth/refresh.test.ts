import { sql } from "../../src/core/db/sql.js";
import { createCompany, type TestCompany } from "../support/factories.js";
import { errorCodes, type Gateway, startGateway } from "../support/gateway.js";
import { letRowsAge } from "../support/let-rows-age.js";
import { type Account, createAccount, refresh, refreshTokenOf, rememberPasswords } from "./accounts.js";

describe("refresh tokens", () => {
  let gateway: Gateway;
  let company: TestCompany;

  rememberPasswords();
  beforeAll(async () => {
    gateway = await startGateway();
    company = await createCompany(gateway);
  });
  afterAll(() => gateway.close());

  it("trades a token for a new pair", async () => {
    const account = await createAccount(gateway, company.id);
    const token = await refreshTokenOf(gateway, account);

    const { status, body } = await refresh(gateway, token);

    expect(status).toBe(200);
    expect(body).toMatchObject({ token_type: "Bearer", expires_in: 900 });
    expect(body.refresh_token).not.toBe(token);
    const me = await gateway.withToken(body.access_token).run("{ me { id } }");
    expect(me.data).toEqual({ me: { id: account.id } });
  });

  it("gives a token that comes again within seconds the same one, as often as that is asked", async () => {
    const account = await createAccount(gateway, company.id);
    const first = await refreshTokenOf(gateway, account);
    const second = (await refresh(gateway, first)).body.refresh_token as string;

    const again = [await refresh(gateway, first), await refresh(gateway, first)];

    expect(again.map(({ status, body }) => [status, body.refresh_token])).toEqual(
      Array(2).fill([200, second]),
    );
    const me = await gateway.withToken(again[0]?.body.access_token).run("{ me { id } }");
    expect(me.data).toEqual({ me: { id: account.id } });
    expect(await tokensOf(account)).toEqual({ alive: 1, all: 2 });
    const kept = await gateway.db.refreshToken.findMany({
      where: { companyId: company.id, subjectId: account.id },
    });
    for (const { tokenHash } of kept) expect(first + second).not.toContain(tokenHash);
    expect((await refresh(gateway, second)).status).toBe(200);
  });

  it("does not let a token that comes again gain time by it", async () => {
    const account = await createAccount(gateway, company.id);
    const first = await refreshTokenOf(gateway, account);
    await refresh(gateway, first);
    await later(account, 9_000);
    const within = (await refresh(gateway, first)).status;
    await later(account, 1_500);

    const beyond = (await refresh(gateway, first)).status;

    expect([within, beyond]).toEqual([200, 401]);
  });

  it("revokes the whole family when a traded token comes again later", async () => {
    const account = await createAccount(gateway, company.id);
    const first = await refreshTokenOf(gateway, account);
    const second = (await refresh(gateway, first)).body.refresh_token as string;
    await later(account, 10_500);

    const again = await refresh(gateway, first);
    const successor = await refresh(gateway, second);

    expect(again.status).toBe(401);
    expect(again.body.code).toBe("UNAUTHENTICATED");
    expect(successor.status).toBe(401);
    expect(await tokensOf(account)).toEqual({ alive: 0, all: 2 });
  });

  it("revokes the whole family when a token comes again whose successor was used", async () => {
    const account = await createAccount(gateway, company.id);
    const first = await refreshTokenOf(gateway, account);
    const second = (await refresh(gateway, first)).body.refresh_token as string;
    const third = (await refresh(gateway, second)).body.refresh_token as string;

    const statuses = [];
    for (const token of [first, second, third]) statuses.push((await refresh(gateway, token)).status);

    expect(statuses).toEqual([401, 401, 401]);
    expect(await tokensOf(account)).toEqual({ alive: 0, all: 3 });
  });

  it("gives nothing for a token that comes again after the logout", async () => {
    const account = await createAccount(gateway, company.id);
    const first = await refreshTokenOf(gateway, account);
    const second = (await refresh(gateway, first)).body.refresh_token as string;
    await gateway.anonymous.rest("POST", "/auth/logout", { body: { refresh_token: second } });

    const { status } = await refresh(gateway, first);

    expect(status).toBe(401);
    expect(await tokensOf(account)).toEqual({ alive: 0, all: 2 });
  });

  it("leaves other logins of the same admin alone", async () => {
    const account = await createAccount(gateway, company.id);
    const leaked = await refreshTokenOf(gateway, account);
    await refresh(gateway, leaked);
    await later(account, 10_500);
    const other = await refreshTokenOf(gateway, account);
    await refresh(gateway, leaked);

    const { status } = await refresh(gateway, other);

    expect(status).toBe(200);
  });

  it("makes one successor of many requests at once, in two processes, which goes on", async () => {
    const other = await startGateway({ on: gateway, own: "service" });
    const account = await createAccount(gateway, company.id);
    let token = await refreshTokenOf(gateway, account);

    for (const generation of [2, 3, 4]) {
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, index) => refresh(index % 2 === 0 ? gateway : other, token)),
      );

      expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
      const successors = [...new Set(answers.map(({ body }) => body.refresh_token as string))];
      expect(successors).toHaveLength(1);
      expect(await tokensOf(account)).toEqual({ alive: 1, all: generation });
      token = successors[0] ?? "";
    }
    await other.close();
  });

  it("never leaves two tokens alive when a traded one and its successor come at once", async () => {
    const other = await startGateway({ on: gateway, own: "service" });
    for (let round = 0; round < 8; round += 1) {
      const account = await createAccount(gateway, company.id);
      const first = await refreshTokenOf(gateway, account);
      const second = (await refresh(gateway, first)).body.refresh_token as string;

      const [stale, fresh] = await Promise.all([refresh(gateway, first), refresh(other, second)]);

      // Either the first one came before the second was used, or it came after that and ended the login.
      expect([200, 401]).toContain(stale.status);
      expect(fresh.status).toBe(200);
      expect(await tokensOf(account)).toEqual({ alive: stale.status === 200 ? 1 : 0, all: 3 });
      if (stale.status === 200) expect(stale.body.refresh_token).toBe(second);
    }
    await other.close();
  });

  it("refuses a token that is expired, of another company or none at all", async () => {
    const account = await createAccount(gateway, company.id);
    const expired = await refreshTokenOf(gateway, account);
    await gateway.db.refreshToken.updateMany({
      where: { companyId: company.id, subjectId: account.id },
      data: { expiresAt: new Date(Date.now() - 1) },
    });
    const valid = await refreshTokenOf(gateway, account);
    const other = await createCompany(gateway);
    const tokens = [
      expired,
      valid.replace(/^\d+/, String(other.id)),
      "nonsense",
      `999999999.${"a".repeat(43)}`,
    ];

    const answers = await Promise.all(tokens.map((token) => refresh(gateway, token)));

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    expect((await refresh(gateway, valid)).status).toBe(200);
  });

  it("ends 90 days after the login, however often the token is traded", async () => {
    const account = await createAccount(gateway, company.id);
    const first = await refreshTokenOf(gateway, account);
    const DAY = 24 * 60 * 60_000;
    const startedAt = new Date(Date.now() - 89 * DAY);
    const own = { companyId: company.id, subjectId: account.id };
    await gateway.db.refreshToken.updateMany({ where: own, data: { startedAt } });

    const second = (await refresh(gateway, first)).body.refresh_token as string;

    const end = new Date(startedAt.getTime() + 90 * DAY);
    const traded = await gateway.db.refreshToken.findFirstOrThrow({ where: { ...own, revokedAt: null } });
    expect(traded.expiresAt).toEqual(end);
    await gateway.db.refreshToken.updateMany({ where: own, data: { expiresAt: new Date() } });
    expect((await refresh(gateway, second)).status).toBe(401);
  });

  it("removes tokens that are expired when the admin signs in again", async () => {
    const account = await createAccount(gateway, company.id);
    const token = await refreshTokenOf(gateway, account);
    await refresh(gateway, token);
    const own = { companyId: company.id, subjectId: account.id };
    await gateway.db.refreshToken.updateMany({ where: own, data: { expiresAt: new Date(Date.now() - 1) } });

    await refreshTokenOf(gateway, account);

    expect(await gateway.db.refreshToken.count({ where: own })).toBe(1);
  });

  it("ends with logout, as often as that is asked", async () => {
    const account = await createAccount(gateway, company.id);
    const first = await refreshTokenOf(gateway, account);
    const second = (await refresh(gateway, first)).body.refresh_token as string;

    const answers = [];
    for (const token of [second, second, "nonsense"]) {
      answers.push(await gateway.anonymous.rest("POST", "/auth/logout", { body: { refresh_token: token } }));
    }

    expect(answers.map(({ status, body }) => [status, body])).toEqual(Array(3).fill([204, null]));
    expect((await refresh(gateway, second)).status).toBe(401);
  });

  it("ends when the admin is deleted", async () => {
    const account = await createAccount(gateway, company.id);
    const token = await refreshTokenOf(gateway, account);
    await company.owner.run(
      "mutation ($companyId: Int!, $id: Int!) { deleteAdmin(companyId: $companyId, id: $id) { id } }",
      {
        companyId: company.id,
        id: account.id,
      },
    );

    const { status } = await refresh(gateway, token);

    expect(status).toBe(401);
  });

  it("is refused through GraphQL the same way", async () => {
    const result = await gateway.anonymous.run(
      "mutation ($input: RefreshTokenInput!) { refreshToken(input: $input) { accessToken } }",
      { input: { refreshToken: "nonsense" } },
    );

    expect(errorCodes(result)).toEqual(["UNAUTHENTICATED"]);
  });

  /** Moves what was revoked into the past, as if so much time had gone by. */
  async function later({ id }: Account, milliseconds: number): Promise<void> {
    await letRowsAge(
      gateway.db,
      {
        table: "refresh_tokens",
        columns: ["revoked_at"],
        where: sql`company_id = ${company.id} AND subject_kind = 'admin' AND subject_id = ${id}`,
      },
      `${milliseconds} milliseconds`,
    );
  }

  async function tokensOf({ id }: Account): Promise<{ alive: number; all: number }> {
    const own = { companyId: company.id, subjectKind: "admin", subjectId: id };
    const alive = await gateway.db.refreshToken.count({ where: { ...own, revokedAt: null } });
    return { alive, all: await gateway.db.refreshToken.count({ where: own }) };
  }
});
