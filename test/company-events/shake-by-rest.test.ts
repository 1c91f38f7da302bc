import { untilInUse } from "../support/replica.js";
import { createHash } from "node:crypto";
import pino from "pino";
import { buildApp } from "../../src/app.js";
import { loadConfig } from "../../src/process/config/config.js";
import { createDatabase } from "../../src/engine/connections/client.js";
import { createCompany, signedInClient, type TestCompany } from "../support/factories.js";
import { startGateway, type Client, type Gateway } from "../support/gateway.js";
import { sharedSchema } from "../support/schema.js";
import { SEED, storeEvent } from "./events.js";

describe("shaking by GET", () => {
  let gateway: Gateway;
  let acme: TestCompany;
  let client: Client;
  let path: string;
  beforeAll(async () => {
    gateway = await startGateway();
    acme = await createCompany(gateway);
    client = (await signedInClient(gateway, acme.id)).client;
    path = `/companies/${acme.id}/events/shake`;
    await storeEvent(gateway, acme.id, "running", { couponSeeds: [] });
  });
  afterAll(() => gateway.close());

  const drawCount = () => gateway.db.companyEventDraw.count({ where: { companyId: acme.id } });

  it("is never stored by anyone: no ETag, no age, no 304", async () => {
    const { status, headers } = await client.rest("GET", path, { headers: { "if-none-match": "*" } });

    expect(status).toBe(200);
    expect(headers["cache-control"]).toBe("no-store");
    expect(headers).not.toHaveProperty("etag");
    expect(headers).not.toHaveProperty("last-modified");
  });

  it("answers which draw of which event it was, and the hash by which anyone can repeat it", async () => {
    const { body: first } = await client.rest("GET", path);
    const { body: second } = await client.rest("GET", path);

    expect(first).toMatchObject({
      won: false,
      draw_number: expect.any(Number) as number,
      seed_hash: createHash("sha256").update(SEED).digest("hex"),
    });
    expect(second.draw_number).toBe((first.draw_number as number) + 1);
  });

  it("draws at each request, whatever Idempotency-Key it has", async () => {
    const before = await drawCount();

    for (let run = 0; run < 2; run += 1) {
      const { headers } = await client.rest("GET", path, { headers: { "idempotency-key": "the same" } });
      expect(headers).not.toHaveProperty("idempotent-replayed");
    }

    expect(await drawCount()).toBe(before + 2);
  });

  it("does nothing for HEAD and other methods", async () => {
    const before = await drawCount();

    for (const method of ["HEAD", "POST", "PUT", "PATCH", "DELETE"] as const) {
      const response = await gateway.app.inject({
        method,
        url: `/api${path}`,
        headers: { authorization: `Bearer ${client.token}` },
      });
      expect([method, response.statusCode, response.headers["allow"]]).toEqual([method, 405, "GET"]);
    }

    expect(await drawCount()).toBe(before);
  });

  it("writes to the primary where reads go to a replica", async () => {
    const replica = new URL(gateway.url);
    replica.searchParams.set("options", "-c default_transaction_read_only=on");
    const database = await createDatabase({ url: gateway.url, replicaUrls: [replica.href], poolSize: 2 });
    const app = await buildApp({
      config: loadConfig({ DATABASE_URL: gateway.url, JWT_SECRET: "x".repeat(32), LOG_LEVEL: "silent" }),
      database,
      keys: gateway.keys,
      secrets: gateway.secrets,
      log: pino({ level: "silent" }),
      schema: sharedSchema(),
    });
    await untilInUse(database);
    const before = await drawCount();

    const response = await app.inject({
      url: `/api${path}`,
      headers: { authorization: `Bearer ${client.token}` },
    });
    await app.close();
    await database.close();

    expect(response.statusCode).toBe(200);
    expect(await drawCount()).toBe(before + 1);
  });
});
