import { createCompany, type TestCompany } from "../support/factories.js";
import { dataOf, startGateway, type Client, type Gateway } from "../support/gateway.js";

/** Two instances of the service on one database. */
let one: Gateway;
let other: Gateway;
let company: TestCompany;
let throughOther: Client;
beforeAll(async () => {
  one = await startGateway();
  other = await startGateway({ on: one });
});
beforeEach(async () => {
  company = await createCompany(one, { timeZoneOffset: "+00:00" });
  throughOther = other.withToken(String(company.owner.token));
});
afterAll(async () => {
  await other.close();
  await one.close();
});

const facts = async (through: Client): Promise<{ currency: unknown; balance: unknown }> => {
  const key = await client();
  const body = { type: "client", key, amount_e2: 1 };
  const posted = await through.rest("POST", `/companies/${company.id}/balance-movements/adjust`, { body });
  const trial = dataOf(await through.run(`{ trialBalance(companyId: ${company.id}) { currencyIso } }`));
  return { currency: posted.body.currency_iso, balance: trial["trialBalance"].currencyIso };
};
const client = async (): Promise<number> =>
  (await one.db.client.create({ data: { companyId: company.id, name: "Ana" } })).id;
const settings = (body: object, headers: Record<string, string> = {}) =>
  company.owner.rest("PATCH", `/companies/${company.id}/settings`, { body, headers });

it("books in the currency that the settings have, through whatever instance, once they have been answered", async () => {
  const before = await facts(throughOther);

  const { status } = await settings({ currency_iso: "SEK" });
  const after = await facts(throughOther);
  await settings({ currency_iso: "CHF" }, { "Idempotency-Key": "francs" });
  const withKey = await facts(throughOther);

  expect(status).toBe(200);
  expect([before, after, withKey]).toEqual(
    ["USD", "SEK", "CHF"].map((currency) => ({ currency, balance: currency })),
  );
});

it("reads days in the zone that the company has, through whatever instance", async () => {
  const day = async (through: Client) => {
    const period = 'from: "2026-03-01", until: "2026-03-02"';
    const read = `{ balanceStatements(companyId: ${company.id}, ${period}, filter: {currencyIso: {eq: "USD"}}) { nodes { count } } }`;
    return dataOf(await through.run(read))["balanceStatements"].nodes.length as number;
  };
  await one.asOwner(
    `SELECT outcome FROM write_movements($1, '{client}', ARRAY[$2::int], '{USD}', '{5}', '{adjustment}', '{NULL}', 'Old',
       NULL, NULL, NULL, NULL, '2026-03-02T05:00:00Z')`,
    [company.id, await client()],
  );
  const before = await day(throughOther);

  const input = 'input: {timeZone: "America/Los_Angeles"}';
  dataOf(
    await company.owner.run(`mutation { updateCompany(companyId: ${company.id}, ${input}) { version } }`),
  );
  const after = await day(throughOther);

  expect([before, after]).toEqual([0, 2]);
});

it("answers who sets the currency back through another instance once no instance goes by the one between", async () => {
  const before = await facts(throughOther);
  const forth = settings({ currency_iso: "SEK" });
  const stored = async () =>
    (await one.db.companySettings.findFirst({ where: { companyId: company.id } }))?.data as {
      currencyIso?: string;
    };
  while ((await stored()).currencyIso !== "SEK");
  await facts(company.owner);

  const back = await throughOther.rest("PATCH", `/companies/${company.id}/settings`, {
    body: { currency_iso: "USD" },
  });
  const after = await facts(company.owner);

  expect([back.status, (await forth).status]).toEqual([200, 200]);
  expect([before, after]).toEqual(Array(2).fill({ currency: "USD", balance: "USD" }));
});
