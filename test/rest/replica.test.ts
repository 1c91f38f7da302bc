import pino from "pino";
import { buildApp } from "../../src/app.js";
import { loadConfig } from "../../src/process/config/config.js";
import { createDatabase } from "../../src/engine/connections/client.js";
import { createCompany, createProperty } from "../support/factories.js";
import { untilInUse } from "../support/replica.js";
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
