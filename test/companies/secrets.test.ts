import { randomBytes } from "node:crypto";
import { resolveSecretKeys } from "../../src/process/config/secret.js";
import { SecretKeys } from "../../src/engine/secrets/secret-keys.js";
import { SEALED_SOURCES } from "../../src/sealed-sources.js";
import { findUnreadableSecrets } from "../../src/slices/companies/rotate-secrets.service.js";
import { observedApp } from "../operations/observed-app.js";
import { createCompany, unique, type TestCompany } from "../support/factories.js";
import { type Gateway, startGateway } from "../support/gateway.js";
import { runCommand, type CommandEnd } from "../support/run-command.js";
import { textsOfTables } from "../support/table-texts.js";

const MARK = "MARKED-SECRET";
const SECRETS = {
  messenger_a_token: `${MARK}-1`,
  messenger_b_messaging_token: `${MARK}-2`,
  partner_account_json: [{ account: `${MARK}-3` }],
  sockette_keys: [`${MARK}-4`],
  acme_settings: [{ deep: { key: `${MARK}-5` } }],
};

describe("secrets", () => {
  const next = randomBytes(32);
  const keys = `${next.toString("hex")},${"5e".repeat(32)}`;
  let gateway: Gateway;
  let company: TestCompany;
  let path: string;

  beforeAll(async () => {
    gateway = await startGateway({ own: "database" });
    company = await createCompany(gateway);
    path = `/companies/${company.id}/settings`;
  });
  afterAll(() => gateway.close());

  const storedSecrets = async (companyId = company.id) =>
    (await gateway.db.companySettings.findFirstOrThrow({ where: { companyId } })).secrets as Record<
      string,
      string
    >;

  /** Gives the owner of a company a second factor whose secret the service's present key has sealed. */
  const withSecondFactor = async ({ id: companyId, ownerId: adminId }: TestCompany) => {
    const owner = { companyId, adminId };
    const secret = gateway.secrets.seal("secret", { companyId, name: `second_factor.${adminId}` });
    await gateway.db.secondFactor.create({ data: { ...owner, secret } });
    return owner;
  };

  it("are in no answer, log line, column or idempotency record", async () => {
    const { app, log } = await observedApp(gateway, { RATE_LIMIT: "0" });
    const send = (payload: object, headers: Record<string, string>) =>
      app.inject({
        method: "PATCH",
        url: `/api${path}`,
        headers: { authorization: `Bearer ${company.owner.token ?? ""}`, ...headers },
        payload,
      });
    const key = { "idempotency-key": unique() };

    const answers = [
      await send(SECRETS, key),
      await send(SECRETS, key),
      await send({ ...SECRETS, sockette_keys: `${MARK}-6`, slogan: 7 }, {}),
      await send({ ...SECRETS, messenger_a_token: `${MARK}-7\u0000` }, { prefer: "handling=strict" }),
    ];
    const graphql = await company.owner.run(
      `mutation ($companyId: Int!, $input: UpdateSettingsInput!) {
         updateSettings(companyId: $companyId, input: $input) { messengerAToken bankSettings socketteKeys }
       }`,
      {
        companyId: company.id,
        input: { messengerAToken: `${MARK}-8`, bankSettings: { b_settings: `${MARK}-9` } },
      },
    );
    await app.close();

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 422, 422]);
    expect(graphql.errors).toHaveLength(1);
    expect(answers[0]?.json()).toMatchObject({
      messenger_a_token: "********",
      messenger_b_messaging_token: "********",
      partner_account_json: ["********"],
      sockette_keys: ["********"],
      acme_settings: ["********"],
    });
    for (const { body } of answers) expect(body).not.toContain(MARK);
    expect(JSON.stringify(graphql)).not.toContain(MARK);
    expect(log()).not.toContain(MARK);
    for (const text of (await textsOfTables(gateway.ownerUrl)).values()) expect(text).not.toContain(MARK);
    expect(Object.keys(await storedSecrets()).sort()).toEqual([
      "acme_settings",
      "messengerAToken",
      "messengerBMessagingToken",
      "partnerAccountJson",
      "socketteKeys",
    ]);
  });

  it("open with their key, at their place, and as they were sealed", () => {
    const [old, next] = [randomBytes(32), randomBytes(32)];
    const place = { companyId: 1, name: "socketteKeys" };
    const sealed = new SecretKeys([old]).seal("text", place);

    expect(new SecretKeys([next, old]).open(sealed, place)).toBe("text");
    expect(new SecretKeys([next]).open(sealed, place)).toBeNull();
    expect(new SecretKeys([old]).open(sealed, { ...place, companyId: 2 })).toBeNull();
    expect(new SecretKeys([old]).open(sealed, { ...place, name: "acme_settings" })).toBeNull();
    expect(new SecretKeys([old]).open(`${sealed.slice(0, -2)}AA`, place)).toBeNull();
    expect(new SecretKeys([old]).open("nonsense", place)).toBeNull();
  });

  it("that no key opens are shown as set, and can be set again", async () => {
    const other = await createCompany(gateway);
    const foreign = new SecretKeys([randomBytes(32)]);
    const stored = { sources: SEALED_SOURCES, secrets: gateway.secrets };
    const sealed = foreign.seal('"x"', { companyId: other.id, name: "messengerAToken" });
    await gateway.db.companySettings.update({
      where: { companyId: other.id },
      data: { secrets: { messengerAToken: sealed } },
    });
    const settings = `/companies/${other.id}/settings`;

    expect(await findUnreadableSecrets(gateway.database.pool, stored)).toContain(other.id);
    const shown = await other.owner.rest("GET", settings);
    const kept = await other.owner.rest("PATCH", settings, { body: { slogan: "New" } });
    expect([shown.body.messenger_a_token, kept.status]).toEqual(["********", 200]);
    expect(await storedSecrets(other.id)).toEqual({ messengerAToken: sealed });

    await other.owner.rest("PATCH", settings, { body: { messenger_a_token: "again" } });
    const { messengerAToken } = await storedSecrets(other.id);
    const place = { companyId: other.id, name: "messengerAToken" };
    expect(gateway.secrets.open(messengerAToken as string, place)).toBe('"again"');
    expect(await findUnreadableSecrets(gateway.database.pool, stored)).toEqual([]);
  });

  it("are sealed anew by npm run rotate:secrets while the service writes", async () => {
    const companies = await Promise.all(Array.from({ length: 120 }, () => createCompany(gateway)));
    const write = (one: TestCompany, token: string) =>
      one.owner.rest("PATCH", `/companies/${one.id}/settings`, { body: { messenger_a_token: token } });
    for (const one of companies) await write(one, `token-${one.id}`);
    const before = await storedSecrets();
    const enrolled = await Promise.all(companies.slice(0, 3).map(withSecondFactor));

    const [first] = await Promise.all([
      rotate(gateway.url, keys),
      ...companies.slice(0, 20).map((one) => write(one, `late-${one.id}`)),
    ]);
    const again = await rotate(gateway.url, keys);
    const nothing = await rotate(gateway.url, keys);

    expect([first.code, again.code, nothing.code]).toEqual([0, 0, 0]);
    expect(first.stdout).toMatch(/\d+ of \d+ companies, \d+ left/u);
    expect(nothing.stdout).toBe("Nothing to rotate.\n");
    const after = new SecretKeys([next]);
    for (const [index, { id: companyId }] of companies.entries()) {
      const { messengerAToken } = await storedSecrets(companyId);
      const text = after.open(messengerAToken as string, { companyId, name: "messengerAToken" });
      expect(text).toBe(JSON.stringify(`${index < 20 ? "late" : "token"}-${companyId}`));
    }
    expect(Object.keys(await storedSecrets())).toEqual(Object.keys(before));
    expect(before["acme_settings"]).not.toBe((await storedSecrets())["acme_settings"]);

    const factors = await gateway.db.secondFactor.findMany({ where: { OR: enrolled } });
    for (const { companyId, adminId, secret } of factors)
      expect(after.open(secret, { companyId, name: `second_factor.${adminId}` })).toBe("secret");
    expect(factors).toHaveLength(3);

    const lost = await rotate(gateway.url, randomBytes(32).toString("base64"));
    expect([lost.code, lost.stderr]).toEqual([1, expect.stringContaining("No key of SECRETS_KEY opens")]);
    const named = /of the companies (?<ids>[\d, ]+):/u.exec(lost.stderr)?.groups?.["ids"]?.split(", ") ?? [];
    expect(named).toEqual([...new Set(named)]);
  });

  it("that the key of JWT_SECRET sealed are sealed anew by a SECRETS_KEY beside it", async () => {
    const { id: companyId, owner } = await createCompany(gateway);
    const jwtSecret = unique().padEnd(32, "-");
    const inProduction = { secretsKeys: null, jwtSecret, isProduction: true, dataDir: "/dev/null" };
    const [derived, elsewhere] = [
      await resolveSecretKeys(inProduction),
      await resolveSecretKeys(inProduction),
    ];
    const changed = await resolveSecretKeys({ ...inProduction, jwtSecret: `${jwtSecret}!` });
    const place = { companyId, name: "messengerAToken" };
    const messengerAToken = derived.seal('"derived"', place);
    await gateway.db.companySettings.update({
      where: { companyId },
      data: { secrets: { messengerAToken } },
    });
    const moved = await rotate(gateway.url, keys, { JWT_SECRET: jwtSecret });
    expect([elsewhere.open(messengerAToken, place), changed.open(messengerAToken, place)]).toEqual([
      '"derived"',
      null,
    ]);
    expect(moved.code).toBe(0);
    expect(
      new SecretKeys([next]).open((await storedSecrets(companyId))["messengerAToken"] as string, place),
    ).toBe('"derived"');
    await owner.rest("PATCH", `/companies/${companyId}/settings`, { body: { messenger_a_token: null } });
  });
});

const rotate = (
  url: string,
  keys: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<CommandEnd> =>
  runCommand("rotate-secrets", [], {
    ...process.env,
    DATABASE_URL: url,
    SECRETS_KEY: keys,
    LOG_LEVEL: "silent",
    ...variables,
  });
