import { createHash } from "node:crypto";
import { createCompany, createGood, unique, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway, wrongFields, saidBy } from "../support/gateway.js";
import { newKey, propertyNamed, runWithKey } from "./with-key.js";

/** An answer with this text is too large to be kept. */
const LONG = "x".repeat(200_000);
const QUOTA_BYTES = 2 ** 30;

describe("an answer that is too large to be kept", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let goodId: number;
  beforeAll(async () => {
    gateway = await startGateway();
    company = await createCompany(gateway);
    ({ id: goodId } = await createGood(gateway, company.id, { details: LONG }));
  });
  afterAll(() => gateway.close());

  const rename = (key: string, name: string, fields: string) =>
    runWithKey(
      gateway,
      company.owner,
      key,
      `mutation ($c: Int!, $id: Int!, $name: String!) {
        first: updateGood(companyId: $c, id: $id, input: { name: $name }) { ...Fields }
      }
      fragment Fields on Good { ${fields} }`,
      { c: company.id, id: goodId, name },
    );
  const nameOfGood = async () =>
    (await gateway.db.good.findFirst({ where: { companyId: company.id, id: goodId } }))?.name;

  it("is read again by its ids, and nothing is done twice", async () => {
    const [key, name] = [newKey(), unique()];
    const first = await rename(key, name, "id name details");
    const kept = await bytesKept();

    const again = await rename(key, name, "id name details");

    expect(first.body.data.first).toEqual({ id: goodId, name, details: LONG });
    expect(saidBy(again.body)).toEqual(saidBy(first.body));
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect(kept).toBeLessThan(1_000);
  });

  it("shows the row as it is by then", async () => {
    const [key, later] = [newKey(), unique()];
    await rename(key, unique(), "id name details");
    await gateway.db.good.updateMany({ where: { companyId: company.id, id: goodId }, data: { name: later } });

    const again = await rename(key, unique(), "id name details");
    expect([again.status, again.body.errors[0].extensions.errors[0].rule]).toEqual([200, "reused"]);
    expect(await nameOfGood()).toBe(later);
  });

  it("is refused when its rows could not be found again, and nothing takes effect", async () => {
    const before = await nameOfGood();
    const key = newKey();

    const { body } = await rename(key, unique(), "name details");

    expect(body.data).toBeNull();
    expect(body.errors[0].extensions).toMatchObject({
      code: "BAD_REQUEST",
      errors: [{ field: "Idempotency-Key", rule: "max_length" }],
    });
    expect(await nameOfGood()).toBe(before);
    const name = unique();
    expect((await rename(key, name, "id name")).body.data).toEqual({ first: { id: goodId, name } });
  });

  async function bytesKept(): Promise<number> {
    const [row] = await gateway.db.$queryRaw<{ bytes: number }[]>`
      SELECT max(length(answer)) AS bytes FROM idempotency_keys
       WHERE expires_at = (SELECT max(expires_at) FROM idempotency_keys)`;
    return row?.bytes ?? NaN;
  }
});

describe("a company whose answers fill the quota", () => {
  let gateway: Gateway;
  let company: TestCompany;
  beforeAll(async () => {
    gateway = await startGateway();
    company = await createCompany(gateway);
  });
  afterAll(() => gateway.close());

  const create = async (name: string, headers: Record<string, string>) =>
    company.owner.rest("POST", `/companies/${company.id}/properties`, { body: propertyNamed(name), headers });
  const named = (name: string) => gateway.db.property.count({ where: { companyId: company.id, name } });
  /** The rows that share the quota of the company. */
  const owners = Array.from(
    { length: 8 },
    (_, share) => (companyId: number) =>
      createHash("sha256").update(`company:${companyId}/${share}`).digest(),
  );

  it("is refused further keys until the day is over, and nothing takes effect", async () => {
    const name = unique();
    const kept = newKey();
    expect((await create(unique(), { "idempotency-key": kept })).status).toBe(201);
    const where = { owner: { in: owners.map((of) => of(company.id)) } };
    const [row, ...others] = await gateway.db.idempotencyQuota.findMany({ where });
    expect([Number(row?.bytes) > 300, others]).toEqual([true, []]);
    const endsAt = new Date(Date.now() + 3_600_000);
    await gateway.db.idempotencyQuota.deleteMany({ where });
    const full = owners.map((of) => ({ owner: of(company.id), bytes: QUOTA_BYTES / 8, endsAt }));
    await gateway.db.idempotencyQuota.createMany({ data: full });

    const refused = await create(name, { "idempotency-key": newKey() });
    const plain = await create(unique(), {});

    expect([refused.status, refused.body.code]).toEqual([429, "RATE_LIMITED"]);
    expect(wrongFields(refused.body.errors)).toEqual(["idempotency_keys:quota"]);
    expect(Math.abs(Number(refused.headers["retry-after"]) - 3_590)).toBeLessThanOrEqual(10);
    expect(await named(name)).toBe(0);
    expect(plain.status).toBe(201);
    await gateway.db.idempotencyQuota.updateMany({ where, data: { endsAt: new Date(Date.now() - 1) } });
    expect((await create(name, { "idempotency-key": newKey() })).status).toBe(201);
    expect(await named(name)).toBe(1);
  });

  it("may use all of the quota, and is refused no key before", async () => {
    const small = await startGateway({ on: gateway, environment: { QUOTAS: "idempotency_keys=20kB" } });
    const own = await createCompany(gateway);
    const post = (name: string) =>
      small.withToken(own.owner.token).rest("POST", `/companies/${own.id}/properties`, {
        body: propertyNamed(name),
        headers: { "idempotency-key": newKey() },
      });
    const used = async () => {
      const { body } = await own.owner.rest("GET", `/companies/${own.id}/usage`);
      return (body as { name: string; used: number }[]).find(({ name }) => name === "idempotency_keys")?.used;
    };

    let before: number | undefined = 0;
    let name = unique();
    for (let answer = await post(name); answer.status === 201; answer = await post((name = unique())))
      before = await used();

    expect(before).toBeGreaterThanOrEqual(20 * 1_024);
    expect(before).toBeLessThan(22 * 1_024);
    expect(await used()).toBe(before);
    expect(await gateway.db.property.count({ where: { companyId: own.id, name } })).toBe(0);
    await small.close();
  });
});
