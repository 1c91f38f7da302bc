import { createDatabase } from "../../src/engine/connections/client.js";
import { createCompany, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";
import { startPair, until, untilInUse, type Pair } from "../support/replica.js";

/** Leads to the one of both servers that accepts writes. */
function urlOfBoth({ url, replicaUrl }: Pair): string {
  const { host } = new URL(url);
  return `${url.replace(host, `${host},${new URL(replicaUrl).host}`)}?target_session_attrs=read-write`;
}

/** Writers that go on without a pause. */
const WRITERS = 4;
const FEW = 20;

describe("a primary that stands still while its replica takes its place", () => {
  let pair: Pair;
  let gateway: Gateway;
  let company: TestCompany;
  /** Names of all properties that were answered as made, and the statuses of all answers. */
  const made: string[] = [];
  const statuses = { writes: new Set<number>(), reads: new Set<number>() };

  beforeAll(async () => {
    pair = await startPair();
    await pair.waitForReplica();
    gateway = await startGateway({
      on: { url: urlOfBoth(pair), ownerUrl: pair.ownerUrl },
      environment: { DATABASE_REPLICA_URLS: pair.replicaUrl, RATE_LIMIT: "0", REQUEST_TIMEOUT_MS: "10000" },
    });
    company = await createCompany(gateway);
  });
  afterAll(async () => {
    await gateway.close();
    await pair.stop();
  });

  const path = (): string => `/companies/${company.id}/properties`;
  async function make(name: string): Promise<void> {
    const body = { name, is_type_text: true, property_text: { regex: "^.{0,80}$" } };
    const { status } = await company.owner.rest("POST", path(), { body });
    statuses.writes.add(status);
    if (status === 201) made.push(name);
  }
  async function namesNow(): Promise<Set<string>> {
    const names = new Set<string>();
    for (let page = 1; ; page += 1) {
      const { status, body } = await company.owner.rest("GET", `${path()}?per_page=200&page=${page}`);
      expect(status).toBe(200);
      for (const { name } of body as { name: string }[]) names.add(name);
      if (body.length < 200) return names;
    }
  }

  it("refuses by 503 meanwhile, has writes back by the other host, and nothing that was answered is lost", async () => {
    let isOver = false;
    const writers = Array.from({ length: WRITERS }, async (_, writer) => {
      for (let n = 0; !isOver; n += 1) await make(`${writer} ${n}`);
    });
    await until(() => made.length > FEW);

    await pair.signalPrimary("SIGSTOP");
    const before = made.length;
    statuses.reads.add((await company.owner.rest("GET", path())).status);
    await pair.promoteReplica();
    await until(() => made.length > before + FEW);
    isOver = true;
    await Promise.all(writers);

    const names = await namesNow();
    expect(made.filter((name) => !names.has(name))).toEqual([]);
    expect([...statuses.writes].sort()).toEqual([201, 503]);
    expect([...statuses.reads]).toEqual([503]);
  });

  it("is left alone when it goes on, although it still accepts writes", async () => {
    await pair.signalPrimary("SIGCONT");
    const later = await createDatabase({ url: gateway.url, poolSize: 1 });

    const names = Array.from({ length: FEW }, (_, n) => `later ${n}`);
    await Promise.all(names.map(make));

    const { rows } = await later.pool.query<{ server: number }>("SELECT inet_server_port() AS server");
    await later.close();
    expect(String(rows[0]?.server)).toBe(new URL(pair.replicaUrl).port);
    const present = await namesNow();
    expect(names.filter((name) => !made.includes(name))).toEqual([]);
    expect(made.filter((name) => !present.has(name))).toEqual([]);
  });
});

describe("a primary that goes on beside the replica that has taken its place", () => {
  let pair: Pair;
  let reading: Gateway;
  let writing: Gateway | undefined;

  beforeAll(async () => {
    pair = await startPair();
    reading = await startGateway({
      on: { url: urlOfBoth(pair), ownerUrl: pair.ownerUrl },
      environment: { DATABASE_REPLICA_URLS: `${pair.url},${pair.replicaUrl}`, RATE_LIMIT: "0" },
    });
  });
  afterAll(async () => {
    await writing?.close();
    await reading.close();
    await pair.stop();
  });

  it("is read by no process that reaches both", async () => {
    const { id } = await createCompany(reading);
    const path = `/companies/${id}/properties`;
    const numbersRead = async (): Promise<number[]> => {
      const { status, body } = await reading.platform.rest("GET", `${path}?per_page=200`);
      return status === 200 ? (body as { name: string }[]).map(({ name }) => Number(name)) : numbersRead();
    };
    await untilInUse(reading.database);

    await pair.promoteReplica();
    writing = await startGateway({ on: { url: urlOfBoth(pair), ownerUrl: pair.ownerUrl } });
    const stale: number[] = [];
    for (let n = 0; n < FEW; n += 1) {
      const body = { name: String(n), is_type_text: true, property_text: { regex: "^.{0,80}$" } };
      expect((await writing.platform.rest("POST", path, { body })).status).toBe(201);
      if (!(await numbersRead()).includes(n)) stale.push(n);
    }

    expect(stale).toEqual([]);
  });
});
