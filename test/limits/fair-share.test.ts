import { isDeepStrictEqual } from "node:util";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { createCompany, createProperty, unique, type TestCompany } from "../support/factories.js";
import { startGateway, type Client, type Gateway } from "../support/gateway.js";
import { untilLockWaits } from "../support/lock-waits.js";

const POOL = 4;
/** The first request of a burst may wait for a twentieth of it. */
const TIMEOUT_MS = 10_000;
/** More requests than the process works on, and more statements than the pool has connections. */
const MANY = 30;

describe("a company whose requests do not end", () => {
  let gateway: Gateway;
  let loud: TestCompany;
  let quiet: TestCompany;
  let blocker: pg.Client;

  beforeAll(async () => {
    const environment = { DATABASE_POOL_SIZE: String(POOL), REQUEST_TIMEOUT_MS: String(TIMEOUT_MS) };
    gateway = await startGateway({ environment });
    [loud, quiet] = [await createCompany(gateway), await createCompany(gateway)];
    for (const { owner, id } of [loud, quiet]) await owner.rest("GET", `/companies/${id}/goods`);
    blocker = new pg.Client({ connectionString: gateway.url });
    await blocker.connect();
  });
  afterEach(() => blocker.query("ROLLBACK"));
  afterAll(async () => {
    await blocker.end();
    await gateway.close();
  });

  /** Answers what the quiet company gets from each face. */
  const ask = async ({ owner, id }: TestCompany): Promise<unknown[]> => {
    const rest = await owner.rest("GET", `/companies/${id}/goods`);
    const graphql = await owner.run(`{ goods(companyId: ${id}) { totalCount } }`);
    const write = await owner.run(
      `mutation { createFleet(companyId: ${id}, input: { name: "${unique()}" }) { id } }`,
    );
    return [rest.status, graphql.errors, write.errors];
  };
  const FINE = [200, undefined, undefined];

  it("leaves others their share when its changes wait for a row", async () => {
    const { id } = await createProperty(gateway, loud.id);
    await blocker.query("BEGIN");
    await blocker.query("SELECT FROM properties WHERE company_id = $1 AND id = $2 FOR UPDATE", [loud.id, id]);
    const path = `/companies/${loud.id}/properties/${id}`;
    const rename = () => loud.owner.rest("PATCH", path, { body: { name: unique() } });
    const blocked = Array.from({ length: MANY }, rename);
    await untilLockWaits(gateway.url, POOL - 1);

    expect(await ask(quiet)).toEqual(FINE);

    await blocker.query("ROLLBACK");
    expect(new Set((await Promise.all(blocked)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  it("leaves others their share of connections when one request reads many lists at once", async () => {
    await blocker.query("BEGIN; LOCK TABLE properties IN ACCESS EXCLUSIVE MODE");
    const lists = Array.from(
      { length: MANY },
      (_, n) => `a${n}: properties(companyId: ${loud.id}, first: ${n + 1}) { nodes { id } }`,
    );
    const blocked = loud.owner.run(`{ ${lists.join(" ")} }`);
    await untilLockWaits(gateway.url, POOL - 1);

    expect(await ask(quiet)).toEqual(FINE);

    await blocker.query("ROLLBACK");
    expect((await blocked).errors).toBeUndefined();
  });

  it("is refused what is more than a burst, and alone", async () => {
    await blocker.query("BEGIN; LOCK TABLE properties IN ACCESS EXCLUSIVE MODE");
    const list = (client: Client, length: number) =>
      client.rest("GET", `/companies/${loud.id}/properties?per_page=${length}`);
    const blocked = Array.from({ length: MANY }, (_, n) => list(loud.owner, n + 1));
    await untilLockWaits(gateway.url, POOL - 1);
    await sleep(700);

    const { status, body, headers } = await list(loud.owner, MANY);
    const another = await ask(quiet);
    await blocker.query("ROLLBACK");

    expect([status, body.code, headers["retry-after"]]).toEqual([503, "UNAVAILABLE", "1"]);
    expect(another).toEqual(FINE);
    expect(new Set((await Promise.all(blocked)).map((answer) => answer.status))).toEqual(new Set([200]));
    expect((await list(loud.owner, MANY)).status).toBe(200);
  });

  it("gives its turns back when its callers have gone", async () => {
    await gateway.app.listen({ port: 0, host: "127.0.0.1" });
    const { port } = gateway.app.server.address() as AddressInfo;
    const headers = { authorization: `Bearer ${String(loud.owner.token)}` };
    const queryOf = (n: number): string =>
      JSON.stringify({ query: `{ properties(companyId: ${loud.id}, first: ${n + 1}) { nodes { id } } }` });
    const post = { method: "POST", headers: { ...headers, "content-type": "application/json" } };
    const faces: ((n: number) => readonly [string, RequestInit])[] = [
      (n) => [`/api/companies/${loud.id}/properties?per_page=${n + 1}`, { headers }],
      (n) => ["/graphql", { ...post, body: queryOf(n) }],
    ];
    for (const face of faces) {
      await blocker.query("BEGIN; LOCK TABLE properties IN ACCESS EXCLUSIVE MODE");
      const gone = new AbortController();
      const asked = Array.from({ length: MANY }, (_, n) => {
        const [path, init] = face(n);
        return fetch(`http://127.0.0.1:${port}${path}`, { ...init, signal: gone.signal }).catch(() => "gone");
      });
      await untilLockWaits(gateway.url, POOL - 1);
      gone.abort();
      expect(new Set(await Promise.all(asked))).toEqual(new Set(["gone"]));
      await blocker.query("ROLLBACK");

      // While the requests of those who have gone are put away, a turn may still be long in coming.
      while (!isDeepStrictEqual(await ask(loud), FINE)) await sleep(20);
      expect(await ask(quiet)).toEqual(FINE);
    }
  });
});
