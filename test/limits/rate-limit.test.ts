import { createHash } from "node:crypto";
import { request, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { JobContext } from "../../src/core/jobs/jobs.js";
import { expiredBuckets } from "../../src/engine/limits/rate-limit.sql.js";
import { adminWith, createCompany, type TestCompany } from "../support/factories.js";
import { startGateway, type Client, type Gateway } from "../support/gateway.js";

const LIMIT = 10;

describe("the rate limit", () => {
  let gateway: Gateway;
  let other: Gateway;
  let company: TestCompany;

  beforeAll(async () => {
    gateway = await startGateway({ own: "database", environment: { RATE_LIMIT: String(LIMIT) } });
    other = await startGateway({ on: gateway, environment: { RATE_LIMIT: String(LIMIT) } });
    company = await createCompany(gateway);
    await gateway.app.listen({ port: 0, host: "127.0.0.1" });
  });
  afterAll(async () => {
    await other.close();
    await gateway.close();
  });

  it("lets as many requests of a principal through as it says, all processes and both faces together", async () => {
    const here = await signIn(gateway);
    const there = other.withToken(here.token);

    const statuses = [];
    for (let index = 0; index < 8; index += 1) {
      statuses.push(await status(gateway, index % 2 === 0 ? here : there), (await list(there)).status);
    }

    expect(statuses.slice(0, LIMIT)).toEqual(Array(LIMIT).fill(200));
    expect(statuses.slice(LIMIT)).toEqual(Array(6).fill(429));
  });

  it("never lets more through, however many come at once", async () => {
    const here = await signIn(gateway);
    const there = other.withToken(here.token);

    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => list(index % 2 === 0 ? here : there)),
    );

    expect(answers.filter(({ status: code }) => code === 200)).toHaveLength(LIMIT);
  });

  it("says what is left, and how long to wait", async () => {
    const client = await signIn(gateway);

    const first = await list(client);
    for (let index = 1; index < LIMIT; index += 1) await list(client);
    const refused = await list(client);

    expect(first.headers).toMatchObject({
      ratelimit: expect.stringMatching(/^"minute";r=9;t=(60|59)$/u),
      "ratelimit-policy": '"minute";q=10;w=60',
      "ratelimit-limit": "10",
      "ratelimit-remaining": "9",
    });
    expect(refused.status).toBe(429);
    expect(refused.headers["content-type"]).toMatch(/^application\/problem\+json/u);
    expect(refused.body).toMatchObject({ status: 429, code: "RATE_LIMITED" });
    expect(refused.headers["ratelimit-remaining"]).toBe("0");
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(50);
    expect(refused.headers["retry-after"]).toBe(refused.headers["ratelimit-reset"]);
  });

  it("refuses over GraphQL with the same status and an error in GraphQL's form, and does nothing", async () => {
    const client = await signIn(gateway);
    for (let index = 0; index < LIMIT; index += 1) await list(client);
    gateway.statements.length = 0;

    const answer = await graphql(gateway, client, "{ __typename }");

    expect(answer.statusCode).toBe(429);
    expect(answer.headers["content-type"]).toMatch(/^application\/json/u);
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(50);
    expect(answer.json()).toEqual({
      errors: [
        {
          message: "Too many requests; try again later.",
          extensions: {
            code: "RATE_LIMITED",
            status: 429,
            retryAfter: Number(answer.headers["retry-after"]),
          },
        },
      ],
      extensions: { cost: { requested: 0, used: 0, left: 0 } },
    });
    expect(gateway.statements).toEqual([]);
  });

  it.each([
    ["an encoded path", "/%67raphql?query={__typename}"],
    ["an absolute target", "http://other.example/graphql?query={__typename}"],
    ["an encoded path of REST", "/%61pi/companies/1/goods"],
    ["an absolute target of REST", "http://other.example/api/companies/1/goods"],
    ["an unknown path of REST", "/%61pi/nothing"],
    ["a path of REST that cannot be decoded", "/api/%zz"],
    ["REST itself", "/api"],
    ["an unknown path below GraphQL", "/graphql/nothing"],
    ["the description of the API", "/api/openapi.json"],
  ])("counts %s: %s", async (_what, url) => {
    const client = await signIn(gateway);
    const authorization = `Bearer ${client.token}`;
    const ask = () => targeted(gateway, url, { authorization, "apollo-require-preflight": "1" });

    const answers = [];
    for (let index = 0; index <= LIMIT; index += 1) answers.push(await ask());

    const left = answers.map(({ headers }) => headers["ratelimit-remaining"]);
    expect(left).toEqual(["9", "8", "7", "6", "5", "4", "3", "2", "1", "0", "0"]);
    expect(answers.at(-2)?.status).not.toBe(429);
    expect(answers.at(-1)?.status).toBe(429);
    expect(answers.at(-1)?.body).toContain('"RATE_LIMITED"');
  });

  it("counts OPTIONS where no preflights are answered", async () => {
    const closed = await startGateway({
      on: gateway,
      environment: { RATE_LIMIT: String(LIMIT), CORS_ORIGIN: "off" },
    });
    const remoteAddress = "10.0.0.11";

    const { headers } = await closed.app.inject({ method: "OPTIONS", url: "/graphql", remoteAddress });

    expect(headers["ratelimit-remaining"]).toBe("9");
    await closed.close();
  });

  it("takes all addresses of an IPv6 network for one, and a mapped IPv4 address for itself", async () => {
    const remaining = async (remoteAddress: string) =>
      (await gateway.app.inject({ url: "/api/nothing", remoteAddress })).headers["ratelimit-remaining"];

    const seen = [];
    for (const address of [
      "2001:db8:0:1::1",
      "2001:db8:0:1:ffff:ffff:ffff:ffff",
      "2001:0db8::1:0:0:0:2",
      "2001:db8:0:2::1",
      "203.0.113.77",
      "::ffff:203.0.113.77",
      "::ffff:cb00:714d",
      "::ffff:203.0.113.78",
    ])
      seen.push(await remaining(address));

    expect(seen).toEqual(["9", "8", "7", "9", "9", "8", "7", "9"]);
  });

  it("counts principals apart, and addresses without a valid token", async () => {
    const [one, another] = [await signIn(gateway), await signIn(gateway)];
    for (let index = 0; index < LIMIT; index += 1) await list(one);
    for (let index = 0; index < LIMIT; index += 1) await list(gateway.withToken("forged"));

    expect((await list(one)).status).toBe(429);
    expect((await list(another)).status).toBe(200);
    expect((await list(gateway.anonymous)).status).toBe(429);
  });

  it("begins anew when the minute is over", async () => {
    const bucket = `rate:address:10.0.0.9`;
    await gateway.db.rateLimit.create({
      data: { bucket, count: 5_000, resetsAt: new Date(Date.now() - 1) },
    });

    const answer = await other.app.inject({
      url: `/api/companies/${company.id}/goods`,
      remoteAddress: "10.0.0.9",
    });

    expect(answer.statusCode).toBe(200);
    expect(answer.headers["ratelimit-remaining"]).toBe("9");
  });

  it("knows addresses behind a proxy only where it has to trust it", async () => {
    const url = `/api/companies/${company.id}/goods`;
    const behind = await startGateway({
      on: gateway,
      environment: { RATE_LIMIT: String(LIMIT), TRUST_PROXY: "10.1.0.0/16" },
    });
    const remaining = async (app: Gateway["app"], remoteAddress: string, forwarded: string) => {
      const headers = { "x-forwarded-for": forwarded };
      return (await app.inject({ url, remoteAddress, headers })).headers["ratelimit-remaining"];
    };

    expect(await remaining(gateway.app, "10.2.0.1", "203.0.113.1")).toBe("9");
    expect(await remaining(gateway.app, "10.2.0.1", "203.0.113.2")).toBe("8");
    expect(await remaining(behind.app, "10.1.0.1", "203.0.113.3")).toBe("9");
    expect(await remaining(behind.app, "10.1.0.1", "203.0.113.4")).toBe("9");
    await behind.close();
  });

  it.each([
    ["a port", "203.0.113.21:1000", "203.0.113.21:1001", "203.0.113.21"],
    ["a port behind IPv6", "[2001:db8:1:1::1]:1000", "[2001:db8:1:1::1]:1001", "2001:db8:1:1::1"],
    ["what is no address", "junk0", "203.0.113.22, _hidden1", ""],
    ["what is no address before one", "junk0, 203.0.113.23", "junk1,203.0.113.23:80", "203.0.113.23"],
  ])("takes %s in a trusted header for no address of its own", async (_what, ...forwarded) => {
    const url = `/api/companies/${company.id}/goods`;
    const trusting = await startGateway({
      on: gateway,
      environment: { RATE_LIMIT: String(LIMIT), TRUST_PROXY: "on" },
    });

    const left = [];
    for (const addresses of forwarded) {
      const headers = { "x-forwarded-for": addresses };
      const { headers: told } = await trusting.app.inject({ url, remoteAddress: "10.3.0.1", headers });
      left.push(told["ratelimit-remaining"]);
    }

    expect(left).toEqual(["9", "8", "7"]);
    await trusting.close();
  });

  it("forgets windows that are over, and no other", async () => {
    const at = (seconds: number) => new Date(Date.now() + seconds * 1_000);
    await gateway.db.rateLimit.createMany({
      data: [
        { bucket: "rate:address:192.0.2.1", count: 1, resetsAt: at(-1) },
        { bucket: "rate:address:192.0.2.2", count: 1, resetsAt: at(30) },
      ],
    });

    const { signal } = new AbortController();
    await expiredBuckets({ database: gateway.database, signal } as unknown as JobContext);

    const left = await gateway.db.rateLimit.findMany({
      where: { bucket: { startsWith: "rate:address:192.0.2" } },
    });
    expect(left.map(({ bucket }) => bucket)).toEqual(["rate:address:192.0.2.2"]);
  });

  it("leaves health checks and the description of the API alone", async () => {
    for (const url of ["/healthz", "/readyz"]) {
      const { headers } = await gateway.app.inject({ url, remoteAddress: "10.0.0.10" });
      expect(headers).not.toHaveProperty("ratelimit");
    }
  });

  it("asks the database once for many requests, and not at all when it is off", async () => {
    const roomy = await startGateway({ on: gateway, environment: { RATE_LIMIT: "6000" } });
    const off = await startGateway({ on: gateway, environment: { RATE_LIMIT: "0" } });
    const asked = jest.spyOn(roomy.database.pool, "query");
    const client = await signIn(roomy);

    for (let index = 0; index < 25; index += 1) await list(client);

    const leases = asked.mock.calls.filter(
      ([query]) => (query as { name?: string }).name === "rate-limit-leases",
    );
    expect(leases).toHaveLength(1);
    expect((await list(off.anonymous)).headers).not.toHaveProperty("ratelimit");
    await off.close();
    await roomy.close();
  });

  describe("of cost", () => {
    let roomy: Gateway;
    beforeAll(async () => {
      roomy = await startGateway({ on: gateway, environment: { RATE_LIMIT: "100" } });
    });
    afterAll(() => roomy.close());

    const FIELDS = "id type name priceE2 createdAt updatedAt";

    it("counts each whole thousand as one request more, on both faces", async () => {
      const client = await signIn(roomy);

      const cheap = await graphql(roomy, client, goods({ lists: 1, first: 1 }));
      const dear = await graphql(roomy, client, goods({ lists: 10, first: 200 }));
      const before = left(dear);
      const nested = await client.rest("GET", `/companies/${company.id}/goods?per_page=200&load=properties`);

      const cost = dear.json<{ extensions: { cost: { requested: number } } }>().extensions.cost.requested;
      expect(cost).toBeGreaterThan(2_000);
      expect([left(cheap), before]).toEqual([99, 98 - Math.floor(cost / 1_000)]);
      expect(before - left(nested)).toBeGreaterThan(1);
    });

    it("is counted before the operation runs, which is refused when less is left", async () => {
      const client = await signIn(roomy);
      const dear = goods({ lists: 50, first: 200 });
      let answer = await graphql(roomy, client, dear);
      while (answer.statusCode === 200) {
        roomy.statements.length = 0;
        answer = await graphql(roomy, client, dear);
      }
      const ran = [...roomy.statements];
      const cheap = await graphql(roomy, client, goods({ lists: 1, first: 1 }));

      expect(answer.statusCode).toBe(429);
      expect(answer.json().errors[0].extensions).toMatchObject({ code: "RATE_LIMITED", status: 429 });
      expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
      expect(ran).toEqual([]);
      expect([cheap.statusCode, left(cheap)]).toEqual([200, left(answer) - 1]);
    });

    it("is never more than a whole minute's", async () => {
      const client = await signIn(gateway);

      const first = await graphql(gateway, client, goods({ lists: 50, first: 200 }));
      const second = await graphql(gateway, client, "{ __typename }");

      expect([first.statusCode, left(first), second.statusCode]).toEqual([200, 0, 429]);
    });

    it("is counted too when only the hash of a document is sent", async () => {
      const client = await signIn(roomy);
      const query = goods({ lists: 10, first: 200 });
      const sha256Hash = createHash("sha256").update(query).digest("hex");
      const extensions = { persistedQuery: { version: 1, sha256Hash } };
      const authorization = `Bearer ${client.token}`;
      const send = (payload: object) =>
        roomy.app.inject({ method: "POST", url: "/graphql", headers: { authorization }, payload });

      const known = await send({ query, extensions });
      const hashed = await send({ extensions });
      let answer = hashed;
      while (answer.statusCode === 200) answer = await send({ extensions });

      expect(hashed.json().data).toEqual(known.json().data);
      expect(left(known) - left(hashed)).toBe(100 - left(known));
      expect([answer.statusCode, Number(answer.headers["retry-after"]) > 0]).toEqual([429, true]);
      expect(answer.json().errors[0].extensions).toMatchObject({ code: "RATE_LIMITED", status: 429 });
    });

    /** Writes a query for so many lists of the company's goods. */
    function goods({ lists, first }: { lists: number; first: number }): string {
      const list = `goods(companyId: ${company.id}, first: ${first}) { nodes { ${FIELDS} } }`;
      return `{ ${Array.from({ length: lists }, (_, index) => `l${index}: ${list}`).join(" ")} }`;
    }

    const left = ({ headers }: { headers: Record<string, unknown> }) =>
      Number(headers["ratelimit-remaining"]);
  });

  /** Returns a principal that no other test uses. */
  const signIn = (on: Gateway): Promise<Client> => adminWith(on, company.id, "access_goods");

  /** Sends a request with a target as it is written, which `inject` would put into another form. */
  async function targeted(on: Gateway, target: string, headers: Record<string, string>) {
    const { port } = on.app.server.address() as AddressInfo;
    return new Promise<{ status: number; headers: IncomingHttpHeaders; body: string }>((resolve, reject) => {
      const sent = request({ port, path: target, headers, agent: false }, (answer) => {
        const { statusCode: status = 0 } = answer;
        text(answer).then((body) => resolve({ status, headers: answer.headers, body }), reject);
      });
      sent.once("error", reject).end();
    });
  }

  const list = (client: Client) => client.rest("GET", `/companies/${company.id}/goods`);
  function graphql(on: Gateway, { token }: Client, query: string) {
    const headers = { authorization: `Bearer ${token}` };
    return on.app.inject({ method: "POST", url: "/graphql", headers, payload: { query } });
  }
  const status = async (on: Gateway, client: Client) =>
    (await graphql(on, client, "{ __typename }")).statusCode;
});
