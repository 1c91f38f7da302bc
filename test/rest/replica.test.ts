import pino from "pino";
import { buildApp } from "../../src/app.js";
import { loadConfig } from "../../src/process/config/config.js";
import { createDatabase } from "../../src/engine/connections/client.js";
import { createCompany, createProperty } from "../support/factories.js";
import { until, untilInUse } from "../support/replica.js";
import { startGateway } from "../support/gateway.js";
import { sharedSchema } from "../support/schema.js";

/** A session that can only read, as one on a replica. */
function readOnly(url: string): string {
  const replica = new URL(url);
  replica.searchParams.set("options", "-c default_transaction_read_only=on");
  return replica.href;
}

it("reads from a replica, and writes to the primary all the same", async () => {
  const gateway = await startGateway();
  const company = await createCompany(gateway);
  const { id } = await createProperty(gateway, company.id);
  const database = await createDatabase({
    url: gateway.url,
    replicaUrls: [readOnly(gateway.url)],
    poolSize: 2,
  });
  const app = await buildApp({
    config: loadConfig({ DATABASE_URL: gateway.url, JWT_SECRET: "x".repeat(32), LOG_LEVEL: "silent" }),
    database,
    keys: gateway.keys,
    secrets: gateway.secrets,
    log: pino({ level: "silent" }),
    schema: sharedSchema(),
  });
  await untilInUse(database);
  const send = (method: "GET" | "PATCH", headers = {}) =>
    app.inject({
      method,
      url: `/api/companies/${company.id}/properties/${id}`,
      headers: { authorization: `Bearer ${String(company.owner.token)}`, ...headers },
      ...(method === "PATCH" && { payload: { name: "Changed" } }),
    });

  const statuses = [
    (await send("GET")).statusCode,
    (await send("PATCH")).statusCode,
    (await send("PATCH", { "idempotency-key": "1" })).statusCode,
  ];
  expect(database.replicas()[0]?.reads).toBeGreaterThan(0);
  await untilInUse(database);
  const replica = await database.reader().$executeRaw`UPDATE companies SET name = name`.catch(
    (error: unknown) => String(error),
  );
  await app.close();
  await database.close();
  await gateway.close();

  expect(statuses).toEqual([200, 200, 200]);
  expect(replica).toMatch(/read-only/u);
});

it("says of a replica that it is read once, however often nobody asks, and why it is read no more", async () => {
  const gateway = await startGateway();
  const said: string[] = [];
  const database = await createDatabase({
    url: gateway.url,
    replicaUrls: [readOnly(gateway.url)],
    poolSize: 2,
    onReplica: (message) => said.push(message.replace(/^the replica \S+ is /u, "")),
  });

  await untilInUse(database);
  // Nothing is asked any more after five seconds without a request.
  await until(() => database.replicas().every(({ isInUse }) => !isInUse));
  await untilInUse(database);
  await until(() => said.length > 0);
  const afterPause = [...said];
  await database.pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND classid = 4861029
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  await until(() => said.length > 1);
  await untilInUse(database);
  await until(() => said.length > 2);
  await database.close();
  await gateway.close();

  expect(afterPause).toEqual(["read from now on"]);
  expect(said).toEqual([
    "read from now on",
    expect.stringMatching(/^not read any more: the session with the primary was lost: \S/u),
    "read from now on",
  ]);
});
