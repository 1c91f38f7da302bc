import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { SHARES } from "../../src/engine/idempotency/kept-answers.quota.js";
import { createCompany, createProperty, unique, type TestCompany } from "../support/factories.js";
import { startGateway, type Client, type Gateway, type RestResult } from "../support/gateway.js";
import { CREATE_PROPERTY, holdProperty, newKey, propertyNamed, runWithKey } from "./with-key.js";

const POOL = 4;
const REQUESTS = 30;

/** The directive hides the field from the checks before the transaction, so that all of them are made within it. */
const CREATE_TWICE = `mutation ($companyId: Int!, $name: String!) {
  a: createProperty(companyId: $companyId, input: { name: $name, isTypeText: true, propertyText: { regex: "^.*$" } })
    @include(if: true) { id }
  b: createProperty(companyId: $companyId, input: { name: $name, isTypeText: true, propertyText: { regex: "^.*$" } })
    @include(if: true) { id }
}`;

/** Each service is a new one, so that it remembers neither companies nor roles. */
const gateways: Gateway[] = [];
async function startWithPool(size: number, environment: Record<string, string> = {}): Promise<Gateway> {
  const gateway = await startGateway({ environment: { DATABASE_POOL_SIZE: String(size), ...environment } });
  gateways.push(gateway);
  return gateway;
}
afterEach(async () => {
  for (const gateway of gateways.splice(0)) await gateway.close();
});

describe("requests with keys", () => {
  it("need one connection each, whatever is not remembered", async () => {
    const company = await createCompany(await startWithPool(POOL));
    const gateway = await startWithPool(1, { REQUEST_TIMEOUT_MS: "20000" });
    const name = unique();

    const answer = await runWithKey(gateway, company.owner, newKey(), CREATE_TWICE, {
      companyId: company.id,
      name,
    });

    expect(answer.body.errors).toBeUndefined();
    expect(await countOf(gateway, company, name)).toBe(2);
  });

  it("are all answered when many come at once, and others do not wait for them", async () => {
    const companies = await threeCompanies();
    const gateway = await startWithPool(POOL);
    const bystander = gateway.withToken((await createCompany(gateway)).owner.token);
    const name = unique();
    let done = false;

    const changing = Promise.all(
      Array.from({ length: REQUESTS }, (_, n) => {
        const { owner, id: companyId } = companies[n % companies.length] as TestCompany;
        return runWithKey(gateway, owner, newKey(), CREATE_TWICE, { companyId, name });
      }),
    ).finally(() => (done = true));
    let answered = 0;
    while (!done) {
      expect((await bystander.rest("GET", `/companies/${companies[0]!.id}/goods`)).status).toBe(200);
      answered += 1;
      await sleep(10);
    }

    expect((await changing).filter(({ body }) => body.errors !== undefined)).toEqual([]);
    expect(answered).toBeGreaterThan(2);
    for (const company of companies) expect(await countOf(gateway, company, name)).toBe(20);
  });

  it("wait for rows that are locked without keeping the others from a connection", async () => {
    const [company, other] = (await threeCompanies()) as [TestCompany, TestCompany];
    const gateway = await startWithPool(POOL);
    const { id } = await createProperty(gateway, company.id);
    const held = await holdProperty(gateway, company.id, id);
    const blocked = Array.from({ length: REQUESTS }, () => rename(gateway, company.owner, company.id, id));
    await held.waiting();

    const name = unique();
    const keyed = await runWithKey(gateway, other.owner, newKey(), CREATE_PROPERTY, {
      companyId: other.id,
      name,
    });
    const plain = await gateway
      .withToken(company.owner.token)
      .rest("POST", `/companies/${company.id}/properties`, { body: propertyNamed(name) });
    await held.release();

    expect([keyed.body.errors, plain.status]).toEqual([undefined, 201]);
    expect(new Set((await Promise.all(blocked)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  it("are refused when too many wait, or when their turn or a locked row does not come in time", async () => {
    const [company] = (await threeCompanies()) as [TestCompany];
    const gateway = await startWithPool(POOL, { REQUEST_TIMEOUT_MS: "3000" });
    const { id } = await createProperty(gateway, company.id);
    const held = await holdProperty(gateway, company.id, id);
    const answers: string[] = [];
    const all = Promise.all(
      Array.from({ length: 40 }, async () => {
        const { status, body, headers } = await rename(gateway, company.owner, company.id, id);
        answers.push(`${status} ${body.code as string} ${String(headers["retry-after"])}`);
      }),
    );
    // One runs and 32 wait; what is more is refused at once, and the others are still waiting then.
    while (answers.length < 7) await sleep(10);
    const atOnce = answers.length;
    await all;
    await held.release();

    expect([atOnce, countEach(answers)]).toEqual([7, { "503 UNAVAILABLE 1": 40 }]);
    expect((await rename(gateway, company.owner, company.id, id)).status).toBe(200);
  });
});

it("is answered again by a connection on which an answer could not be kept in time", async () => {
  const own = await startGateway({ own: "database" });
  const company = await createCompany(own);
  const gateway = await startGateway({
    on: own,
    environment: { DATABASE_POOL_SIZE: "1", REQUEST_TIMEOUT_MS: "2000" },
  });
  gateways.push(gateway, own);
  const named = (name: string) =>
    runWithKey(gateway, company.owner, newKey(), CREATE_PROPERTY, { companyId: company.id, name });
  const holder = new pg.Client({ connectionString: own.ownerUrl });
  await holder.connect();
  await holder.query(
    `INSERT INTO idempotency_quotas (owner, bytes, ends_at)
     SELECT sha256(convert_to('company:${company.id}/' || n, 'UTF8')), 0, now() + interval '1 day' FROM generate_series(0, ${SHARES - 1}) AS n`,
  );
  await holder.query("BEGIN; SELECT FROM idempotency_quotas FOR UPDATE");

  const late = await named("Late");
  await holder.end();
  const next = await named("Next");

  expect(late.body).toMatchObject({ data: null, errors: [{ extensions: { code: "UNAVAILABLE" } }] });
  expect(next.body.errors).toBeUndefined();
  expect([await countOf(own, company, "Late"), await countOf(own, company, "Next")]).toEqual([0, 1]);
});

async function threeCompanies(): Promise<TestCompany[]> {
  const gateway = await startWithPool(POOL);
  return Promise.all([1, 2, 3].map(() => createCompany(gateway)));
}

const countOf = ({ db }: Gateway, { id: companyId }: TestCompany, name: string): Promise<number> =>
  db.property.count({ where: { companyId, name } });

function rename(gateway: Gateway, owner: Client, companyId: number, id: number): Promise<RestResult> {
  return gateway.withToken(owner.token).rest("PATCH", `/companies/${companyId}/properties/${id}`, {
    body: { name: unique() },
    headers: { "idempotency-key": newKey() },
  });
}

function countEach(texts: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    [...new Set(texts)].map((text) => [text, texts.filter((t) => t === text).length]),
  );
}
