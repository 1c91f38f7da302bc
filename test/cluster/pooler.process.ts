import pg from "pg";
import { createDatabase } from "../../src/engine/connections/client.js";
import { missingLimits } from "../../src/engine/connections/session-limits.js";
import { follow, listen } from "../jobs/follow.js";
import { createGeneratingCoupon } from "../support/coupons.js";
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from "../support/database.js";
import { createCompany, createProperty } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";
import { startTestWorker } from "../support/jobs.js";
import { POOLER_VERSION, startPooler, type Pooler } from "../support/pooler.js";
import { until } from "../support/replica.js";
import { cleanUp, makeDataDirectory, startService } from "../support/service-process.js";

const AT_ONCE = 40;
/** Which PgBouncer cares for prepared statements, if it is asked to. */
const CARES = ["max_prepared_statements = 200"];
const isNew = Number(POOLER_VERSION.split(".")[1]) >= 21;

const LISTENING = `
  SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN job_progress%'`;

async function ask(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

describe("behind a PgBouncer in transaction mode", () => {
  let testDatabase: TestDatabase;
  let pooler: Pooler;
  let gateway: Gateway;
  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    pooler = await startPooler(testDatabase.serviceUrl);
    gateway = await startGateway({
      on: { url: pooler.url, ownerUrl: testDatabase.url },
      environment: { DATABASE_DIRECT_URL: testDatabase.serviceUrl, RATE_LIMIT: "0" },
    });
  });
  afterAll(async () => {
    gateway.app.server.closeAllConnections();
    await gateway.close();
    await pooler.stop();
    await testDatabase.drop();
  });

  it("the service finds out that nothing may be prepared, and which limits do not hold", async () => {
    expect(gateway.database.isPreparing).toBe(false);
    expect(await missingLimits(gateway.database.pool)).toEqual([
      "idle_in_transaction_session_timeout",
      "statement_timeout",
    ]);
    expect(await ask(pooler.url, "SELECT name FROM pg_prepared_statements")).toEqual([]);
  });

  it("statements are prepared where the pooler cares for them, and without one", async () => {
    const direct = await createDatabase({ url: testDatabase.serviceUrl, poolSize: 1 });
    expect(direct.isPreparing).toBe(true);
    await direct.close();
    const caring = await startPooler(testDatabase.serviceUrl, isNew ? CARES : []);
    const pooled = await createDatabase({ url: caring.url, poolSize: 1 });
    expect(pooled.isPreparing).toBe(isNew);
    await pooled.close();
    await caring.stop();
  });

  it("all that is asked and changed at once is answered, over four sessions of the server", async () => {
    const company = await createCompany(gateway);
    const { id } = await createProperty(gateway, company.id);
    const path = `/companies/${company.id}/properties/${id}`;
    const query = `query ($companyId: Int!) { goods(companyId: $companyId) { totalCount } me { id } }`;

    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, async (_, place) => {
        const { status } = await company.owner.rest("PATCH", path, { body: { name: `Name ${place}` } });
        const read = await company.owner.rest("GET", path);
        const { errors } = await company.owner.run(query, { companyId: company.id });
        return [status, read.status, errors];
      }),
    );

    expect(answers).toEqual(answers.map(() => [200, 200, undefined]));
    expect((await company.owner.rest("GET", path)).body.version).toBe(AT_ONCE + 1);
  });

  it("jobs are done and followed, by the direct way and over the pooler", async () => {
    const company = await createCompany(gateway);
    const base = await listen(gateway);
    for (const url of [testDatabase.serviceUrl, pooler.url]) {
      const coupon = await createGeneratingCoupon(gateway, company.id, { totalCount: 30 });
      const stream = await follow(base, company.owner, {
        companyId: company.id,
        jobId: `coupon-codes-${coupon.id}`,
      });
      // What is listened to has a session of its own, past the pooler.
      await until(async () => (await ask(testDatabase.url, LISTENING)).length > 0);
      const worker = await startTestWorker(url);
      const events = await stream.rest();
      await worker.stop();

      expect(events.at(-1)).toMatchObject({ event: "done", data: { done: 30, total: 30 } });
    }
  });
});

describe("behind a PgBouncer whose server writes values in another form", () => {
  let testDatabase: TestDatabase;
  let pooler: Pooler;
  const set = (setting: string, value: string) =>
    ask(
      testDatabase.url,
      `ALTER DATABASE ${new URL(testDatabase.url).pathname.slice(1)} SET ${setting} = ${value}`,
    );
  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    await set("datestyle", "'SQL, DMY'");
    await set("timezone", "'America/Caracas'");
  });
  afterEach(() => pooler.stop());
  afterAll(async () => {
    await cleanUp();
    await testDatabase.drop();
  });

  it("moments are read right all the same", async () => {
    pooler = await startPooler(testDatabase.serviceUrl);
    const gateway = await startGateway({ on: { url: pooler.url, ownerUrl: testDatabase.url } });
    const company = await createCompany(gateway);
    const { id } = await createProperty(gateway, company.id);
    const path = `/companies/${company.id}/properties/${id}`;

    const { status, body } = await company.owner.rest("PATCH", path, { body: { name: "Changed" } });
    const { updatedAt } = await gateway.database.writer.property.findFirstOrThrow({
      where: { companyId: company.id, id },
    });
    const [row] = await ask(
      testDatabase.url,
      `SELECT (extract(epoch FROM date_trunc('milliseconds', updated_at)) * 1000)::bigint::text AS at FROM properties
        WHERE company_id = ${company.id} AND id = ${id}`,
    );
    await gateway.close();

    expect(updatedAt.getTime()).toBe(Number(row?.at));
    expect([status, body.updated_at]).toEqual([200, updatedAt.toISOString().slice(0, 19).replace("T", " ")]);
  });

  it("no process starts that would read bytes wrongly, or it says that nothing may be prepared", async () => {
    pooler = await startPooler(testDatabase.serviceUrl);
    const environment = async () => ({
      DATA_DIR: await makeDataDirectory(),
      DATABASE_URL: pooler.url,
      DATABASE_DIRECT_URL: testDatabase.serviceUrl,
      DATABASE_PREPARED: "on",
    });
    const preparing = startService(await environment());
    await preparing.ready;
    await set("bytea_output", "'escape'");
    await pooler.stop();
    pooler = await startPooler(testDatabase.serviceUrl);
    const refused = startService(await environment());

    expect(await refused.exited).toBe(1);
    expect(refused.output()).toContain("ALTER ROLE … SET bytea_output = 'hex'");
    expect(preparing.output()).toContain("DATABASE_PREPARED is on, and the pooler before the database");
  });
});

describe("a process in production behind a PgBouncer", () => {
  let empty: TestDatabase;
  beforeAll(async () => {
    empty = await createEmptyDatabase();
  });
  afterAll(async () => {
    await cleanUp();
    await empty.drop();
  });

  it("migrates past it, does not serve without limits of time, and does once the role has them", async () => {
    const before = await startPooler(empty.url);
    const environment = (url: string) => ({
      NODE_ENV: "production",
      DATABASE_URL: url,
      DATABASE_DIRECT_URL: empty.url,
      JWT_SECRET: "j".repeat(32),
      SECRETS_KEY: "5".repeat(64),
      STORAGE_URL: "s3://nowhere?endpoint=http://127.0.0.1:1&region=x",
    });

    const refused = startService(environment(before.url));
    expect(await refused.exited).toBe(1);
    await before.stop();
    expect(refused.output()).toContain("migrations applied");
    expect(refused.output()).toContain("ALTER ROLE");

    const { pathname, username } = new URL(empty.url);
    for (const limit of ["statement_timeout", "idle_in_transaction_session_timeout"])
      await ask(empty.url, `ALTER ROLE ${username} IN DATABASE ${pathname.slice(1)} SET ${limit} = '10s'`);
    const after = await startPooler(empty.url);
    const serving = startService(environment(after.url));
    const base = await serving.ready;
    expect((await fetch(`${base}/healthz`)).status).toBe(200);
    expect(serving.output()).toContain("statements are not prepared");
    serving.kill("SIGTERM");
    expect(await serving.exited).toBe(0);
    await after.stop();
  });
});
