import { createDatabase } from "../../src/engine/connections/client.js";
import { assertForm } from "../../src/engine/connections/session-limits.js";
import { createTestDatabase, type TestDatabase } from "../support/database.js";
import { createCompany, createProperty } from "../support/factories.js";
import { startGateway } from "../support/gateway.js";

/** Settings of a server that writes moments, bytes and numbers otherwise than those of the tests. */
const SETTINGS = {
  datestyle: "'SQL, DMY'",
  timezone: "'America/Caracas'",
  intervalstyle: "'sql_standard'",
  bytea_output: "'escape'",
  extra_float_digits: "0",
};

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const name = new URL(testDatabase.url).pathname.slice(1);
  const owner = await createDatabase({ url: testDatabase.url, poolSize: 1 });
  for (const [setting, value] of Object.entries(SETTINGS))
    await owner.pool.query(`ALTER DATABASE ${name} SET ${setting} = ${value}`);
  await owner.close();
});
afterAll(() => testDatabase.drop());

it("answers are the same whatever form of values the database is set to", async () => {
  const gateway = await startGateway({ on: { url: testDatabase.serviceUrl, ownerUrl: testDatabase.url } });
  const { id: companyId, owner } = await createCompany(gateway);
  const { id } = await createProperty(gateway, companyId);
  const path = `/companies/${companyId}/properties/${id}`;
  const headers = { "idempotency-key": "once" };
  const change = () => owner.rest("PATCH", path, { body: { name: "Changed" }, headers });

  const changed = await change();
  const again = await change();
  const read = await owner.rest("GET", path);
  const byPrisma = await gateway.database.writer.property.findFirstOrThrow({ where: { companyId, id } });
  const { rows } = await gateway.database.pool.query<{ milliseconds: string }>(
    "SELECT floor(extract(epoch FROM updated_at) * 1000)::text AS milliseconds FROM properties WHERE company_id = $1 AND id = $2",
    [companyId, id],
  );
  await gateway.close();

  const updatedAt = new Date(Number(rows[0]?.milliseconds));
  expect([changed.status, again.status, read.status]).toEqual([200, 200, 200]);
  expect(again.body).toEqual(changed.body);
  expect(read.body.updated_at).toBe(changed.body.updated_at);
  expect(read.body.updated_at).toBe(updatedAt.toISOString().slice(0, 19).replace("T", " "));
  expect(byPrisma.updatedAt).toEqual(updatedAt);
});

it("sessions that write values in another form are refused in words", async () => {
  const right = await createDatabase({ url: testDatabase.url, poolSize: 1 });
  await assertForm(right.pool);
  await right.close();
  // Options of the URL stand in the place of those that the service asks for.
  const wrong = await createDatabase({ url: `${testDatabase.url}?options=-c%20jit=off`, poolSize: 1 });

  await expect(assertForm(wrong.pool)).rejects.toThrow(
    /ALTER ROLE … SET IntervalStyle = 'postgres'; ALTER ROLE … SET bytea_output = 'hex'; ALTER ROLE … SET extra_float_digits = '1'/u,
  );
  await wrong.close();
});
