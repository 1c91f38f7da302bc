import { createCompany, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, type Gateway, startGateway, wrongFields } from "../support/gateway.js";
import { newsOf, versionOf } from "./account-news.js";
import { type Account, createAccount, login, PASSWORD, refresh, rememberPasswords } from "./accounts.js";
import { codeNow, CONFIRM, DISABLE, ENROL, enrolled } from "./factors.js";

describe("a second factor", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let account: Account;

  rememberPasswords();
  beforeAll(async () => {
    gateway = await startGateway();
    company = await createCompany(gateway);
  });
  beforeEach(async () => {
    account = await createAccount(gateway, company.id);
  });
  afterAll(() => gateway.close());

  const signIn = (otp?: string) =>
    login(gateway, { email: account.email, password: PASSWORD, ...(otp !== undefined && { otp }) });
  const factors = () =>
    gateway.db.secondFactor.findMany({ where: { companyId: company.id, adminId: account.id } });

  it("is news of the admin in the journal when it is confirmed or taken away, and not when it is used", async () => {
    const { client, secret, recoveryCodes } = await enrolled(gateway, account);
    const confirmed = await versionOf(gateway, account);
    await signIn(codeNow(secret, 1));
    await signIn(recoveryCodes[0]);
    const used = await newsOf(gateway, company, account, 4);
    dataOf(await client.run(DISABLE, { code: recoveryCodes[1] }));
    dataOf(await client.run(ENROL));
    const reset = `mutation ($c: Int!, $a: Int!) { resetSecondFactor(companyId: $c, adminId: $a) { version } }`;
    const variables = { c: company.id, a: account.id };
    const unconfirmed = dataOf(await company.owner.run(reset, variables))["resetSecondFactor"];
    await enrolled(gateway, account);
    const taken = dataOf(await company.owner.run(reset, variables))["resetSecondFactor"];

    const news = (await newsOf(gateway, company, account, 8)).map(({ fields, actorId }) => [fields, actorId]);

    expect(used.map(({ fields }) => fields)).toEqual([
      ["devices"],
      ["secondFactor"],
      ["devices"],
      ["devices"],
    ]);
    expect(news.slice(4)).toEqual([
      [["secondFactor"], account.id],
      [["devices"], account.id],
      [["secondFactor"], account.id],
      [["secondFactor"], company.ownerId],
    ]);
    expect([confirmed, unconfirmed.version, taken.version]).toEqual([2, 3, 5]);
  });

  it("is asked for at each login once it is confirmed", async () => {
    const { body } = await signIn();
    const client = gateway.withToken(body.access_token as string);
    const { secret, uri } = dataOf(await client.run(ENROL))["enrolTotp"] as { secret: string; uri: string };
    const [unconfirmed] = await factors();
    const before = await signIn();
    const codes = dataOf(await client.run(CONFIRM, { code: codeNow(secret) }))["confirmTotp"];

    const without = await signIn();
    const withCode = await signIn(codeNow(secret, 1));

    expect(uri).toContain(`secret=${secret}`);
    expect(unconfirmed).toMatchObject({ confirmedAt: null });
    expect(unconfirmed?.secret).not.toContain(secret);
    expect(before.status).toBe(200);
    expect(new Set(codes.recoveryCodes).size).toBe(10);
    expect([without.status, without.body.code]).toEqual([401, "SECOND_FACTOR_REQUIRED"]);
    expect(without.body.access_token).toBeUndefined();
    expect(withCode.status).toBe(200);
  });

  it("ends the other logins of the admin when it is confirmed", async () => {
    const other = await signIn();
    const { client } = await enrolled(gateway, account);

    expect((await refresh(gateway, other.body.refresh_token as string)).status).toBe(401);
    expect(dataOf(await client.run("{ mySessions { isCurrent } }"))["mySessions"]).toEqual([
      { isCurrent: true },
    ]);
  });

  it("takes each code once, also when it comes several times at once", async () => {
    const { secret } = await enrolled(gateway, account);
    const used = await signIn(codeNow(secret));
    const code = codeNow(secret, 1);

    const answers = await Promise.all(Array.from({ length: 4 }, () => signIn(code)));
    const older = await signIn(codeNow(secret));

    expect(used.status).toBe(401);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401]);
    expect([older.status, older.body.code]).toEqual([401, "UNAUTHENTICATED"]);
  });

  it("takes each recovery code once, also when it comes several times at once", async () => {
    const { recoveryCodes } = await enrolled(gateway, account);
    const [first = "", second = ""] = recoveryCodes;

    const answers = await Promise.all(Array.from({ length: 4 }, () => signIn(first)));
    const typed = await signIn(` ${second.toUpperCase().replaceAll("-", " ")}`);

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401]);
    expect(typed.status).toBe(200);
    const stored = await gateway.db.recoveryCode.findMany({
      where: { companyId: company.id, adminId: account.id },
    });
    expect(stored.filter(({ usedAt }) => usedAt !== null)).toHaveLength(2);
    expect(JSON.stringify(stored.map(({ codeHash }) => codeHash))).not.toContain(first);
  });

  it("counts wrong codes as wrong passwords are counted, and right ones not", async () => {
    const { secret, recoveryCodes } = await enrolled(gateway, account);
    for (const code of recoveryCodes.slice(0, 5)) expect((await signIn(code)).status).toBe(200);
    for (let times = 0; times < 5; times += 1) expect((await signIn()).status).toBe(401);

    const wrong = [];
    for (let times = 0; times < 12; times += 1) wrong.push((await signIn("000000x")).status);

    expect(wrong).toEqual([...Array<number>(10).fill(401), 429, 429]);
    expect((await signIn(codeNow(secret, 1))).status).toBe(429);
  });

  it("lets right logins at once shut nobody out, and ten wrong ones alone", async () => {
    const { recoveryCodes } = await enrolled(gateway, account);
    const bucket = `login:account:${account.email.toLowerCase()}`;
    const counted = async () => (await gateway.db.rateLimit.findUnique({ where: { bucket } }))?.count;
    for (let times = 0; times < 8; times += 1)
      await login(gateway, { email: account.email, password: "a guess" });

    const atOnce = await Promise.all(recoveryCodes.slice(0, 4).map((code) => signIn(code)));
    const after = await counted();
    const next = await signIn(recoveryCodes[4]);
    const wrong = await Promise.all(Array.from({ length: 20 }, () => signIn("000000x")));

    const statuses = atOnce.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(2);
    expect(after).toBe(8);
    expect(next.status).toBe(200);
    expect(wrong.filter(({ status }) => status === 401)).toHaveLength(2);
    expect(wrong.filter(({ status }) => status === 429)).toHaveLength(18);
    expect(await counted()).toBe(10);
  });

  it("is confirmed and taken away by who is signed in, though strangers have used the failures of the e-mail up", async () => {
    const { body } = await signIn();
    const client = gateway.withToken(body.access_token as string);
    const { secret } = dataOf(await client.run(ENROL))["enrolTotp"] as { secret: string };
    for (let times = 0; times < 11; times += 1)
      await login(gateway, { email: account.email, password: "a guess" });

    const wrong = await client.run(CONFIRM, { code: "000000x" });
    const confirmed = await client.run(CONFIRM, { code: codeNow(secret) });
    const taken = await client.run(DISABLE, { code: codeNow(secret, 1) });

    expect(errorCodes(wrong)).toEqual(["VALIDATION_FAILED"]);
    expect(errorCodes(confirmed)).toEqual([]);
    expect(dataOf(taken)).toEqual({ disableTotp: true });
    expect((await signIn()).status).toBe(429);
  });

  it("is not confirmed by a wrong code, and not without a secret or twice", async () => {
    const { body } = await signIn();
    const client = gateway.withToken(body.access_token as string);
    const early = await client.run(CONFIRM, { code: "123456" });
    const { secret } = dataOf(await client.run(ENROL))["enrolTotp"] as { secret: string };

    const wrong = await client.run(CONFIRM, { code: "12345" });
    const replaced = dataOf(await client.run(ENROL))["enrolTotp"] as { secret: string };
    const old = await client.run(CONFIRM, { code: codeNow(secret) });
    const right = await client.run(CONFIRM, { code: codeNow(replaced.secret) });

    expect(errorCodes(early)).toEqual(["INVALID_STATE"]);
    for (const { errors } of [wrong, old])
      expect(wrongFields(errors?.[0]?.extensions["errors"])).toEqual(["code:mismatch"]);
    expect(errorCodes(right)).toEqual([]);
    expect(errorCodes(await client.run(CONFIRM, { code: codeNow(replaced.secret, 1) }))).toEqual([
      "INVALID_STATE",
    ]);
    expect(errorCodes(await client.run(ENROL))).toEqual(["INVALID_STATE"]);
  });

  it("is taken away by a code of it alone", async () => {
    const { client, secret } = await enrolled(gateway, account);

    const wrong = await client.run(DISABLE, { code: "12345" });
    const kept = await factors();
    const right = await client.run(DISABLE, { code: codeNow(secret, 1) });

    expect(wrongFields(wrong.errors?.[0]?.extensions["errors"])).toEqual(["code:mismatch"]);
    expect(kept).toHaveLength(1);
    expect(dataOf(right)).toEqual({ disableTotp: true });
    expect((await signIn()).status).toBe(200);
    expect(errorCodes(await client.run(DISABLE, { code: "12345" }))).toEqual(["INVALID_STATE"]);
  });

  it("is for admins alone, and leaves entries without its values in the trail", async () => {
    const refused = await gateway.platform.run(ENROL);
    const { secret, recoveryCodes } = await enrolled(gateway, account);

    expect(errorCodes(refused)).toEqual(["FORBIDDEN"]);
    const entries = await gateway.db.auditEntry.findMany({
      where: { companyId: company.id, adminId: account.id, operation: { in: ["enrolTotp", "confirmTotp"] } },
    });
    expect(new Set(entries.map(({ targetType }) => targetType))).toEqual(
      new Set(["second_factor", "recovery_code"]),
    );
    const text = JSON.stringify(entries, (_key, value: unknown) =>
      typeof value === "bigint" ? String(value) : value,
    );
    for (const value of [secret, ...recoveryCodes, (await factors())[0]?.secret ?? "?"])
      expect(text).not.toContain(value);
  });
});
