import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { serveProbes } from "../../src/process/probes.js";
import { createTestDatabase, type TestDatabase } from "../support/database.js";
import { createCompany, createProperty, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";
import { until } from "../support/replica.js";

/** The name under which the service knows its primary: what stands behind it may freeze, or be gone. */
interface Way {
  readonly url: string;
  /** Passes nothing on any more, over old connections and new ones. */
  freeze(): void;
  /** Passes new connections on again; the old ones stay as they are. */
  turn(): void;
  close(): Promise<void>;
}

async function openWay(databaseUrl: string): Promise<Way> {
  const { hostname, port } = new URL(databaseUrl);
  const sockets: Socket[] = [];
  let isFrozen = false;
  const server = createServer((near) => {
    sockets.push(near);
    near.on("error", () => undefined);
    if (isFrozen) return;
    const far = connect(Number(port), hostname);
    sockets.push(far);
    far.on("error", () => near.destroy());
    near.on("close", () => far.destroy());
    far.on("close", () => near.destroy());
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = new URL(databaseUrl);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    freeze: () => {
      isFrozen = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    turn: () => (isFrozen = false),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe("a primary that fails", () => {
  let testDatabase: TestDatabase;
  let way: Way;
  let gateway: Gateway;
  let company: TestCompany;
  let path: string;
  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    way = await openWay(testDatabase.serviceUrl);
    gateway = await startGateway({ on: { url: way.url, ownerUrl: testDatabase.url } });
    company = await createCompany(gateway);
    const { id } = await createProperty(gateway, company.id);
    path = `/companies/${company.id}/properties/${id}`;
  });
  afterAll(async () => {
    await way.close();
    await gateway.close();
    await testDatabase.drop();
  });

  const rename = (name: string) => company.owner.rest("PATCH", path, { body: { name } });
  const read = () => company.owner.rest("GET", path);
  const nameNow = async () => (await read()).body.name as string;

  it("by being a replica now refuses a change with 503, and the next one finds the primary", async () => {
    const name = new URL(testDatabase.url).pathname.slice(1);
    const endSessions = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = 'commerce-gateway'`;
    await gateway.asOwner(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    await gateway.asOwner(endSessions);
    const before = await nameNow();

    const refused = await rename("On a replica");
    await gateway.asOwner(
      `SET transaction_read_only = off; ALTER DATABASE ${name} RESET default_transaction_read_only`,
    );
    // Another connection than the one that was refused is a new one, too.
    const changes = await Promise.all(["A", "B", "C"].map((one) => rename(one)));

    expect([refused.status, refused.body.code]).toEqual([503, "UNAVAILABLE"]);
    expect(changes.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(before).not.toBe("On a replica");
  });

  it("by standing still lets no request hang, and none after it is another one behind its name", async () => {
    expect((await rename("Before")).status).toBe(200);

    way.freeze();
    const during = await Promise.all([rename("During"), read(), read()]);
    way.turn();
    const after = await rename("After");

    expect(during.map(({ status }) => status)).toEqual([503, 503, 503]);
    expect(after.status).toBe(200);
    expect(await nameNow()).toBe("After");
  }, 60_000);
});

it("leaves the gateways ready while a replica answers", async () => {
  const testDatabase = await createTestDatabase();
  const gone = await openWay(testDatabase.serviceUrl);
  await gone.close();
  const gateway = await startGateway({
    on: { url: gone.url, ownerUrl: testDatabase.url },
    environment: { DATABASE_REPLICA_URLS: testDatabase.serviceUrl },
  });
  const probes = await serveProbes({
    host: "127.0.0.1",
    port: 0,
    urls: [gone.url],
    replicaUrls: [testDatabase.serviceUrl],
  });
  probes.ready();

  const { statusCode } = await gateway.app.inject({ url: "/readyz" });
  const ofThread = await fetch(`http://127.0.0.1:${probes.port}/readyz`);

  expect([statusCode, ofThread.status]).toEqual([200, 200]);
  await probes.close();
  await gateway.close();
  await testDatabase.drop();
});

it("leaves no gateway ready by a replica that is another database", async () => {
  const testDatabase = await createTestDatabase();
  const other = await createTestDatabase();
  const way = await openWay(testDatabase.serviceUrl);
  const gateway = await startGateway({
    on: { url: way.url, ownerUrl: testDatabase.url },
    environment: { DATABASE_REPLICA_URLS: other.serviceUrl },
  });
  const replicas = () => gateway.database.replicas();
  const probes = await serveProbes({
    host: "127.0.0.1",
    port: 0,
    urls: [way.url],
    replicaUrls: [other.serviceUrl],
    replicas,
  });
  probes.ready();
  const statuses = async (): Promise<number[]> => [
    (await gateway.app.inject({ url: "/readyz" })).statusCode,
    (await fetch(`http://127.0.0.1:${probes.port}/readyz`)).status,
  ];
  await until(() => replicas()[0]?.isForeign === true);
  const before = await statuses();

  await way.close();
  // The thread of the probes hears of the replica with the next beat of the process.
  await until(async () => (await statuses()).every((status) => status === 503));

  expect(before).toEqual([200, 200]);
  await probes.close();
  await gateway.close();
  await other.drop();
  await testDatabase.drop();
});
