import { once } from "node:events";
import { Agent, createServer, request, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { createCompany, type TestCompany } from "../support/factories.js";
import { PausedConnections } from "../../src/api/http/paused-connections.js";
import { startGateway, type Client, type Gateway } from "../support/gateway.js";

const POOL = 4;
/** More requests than may wait when they are no burst any more. */
const MANY = 40;
const BURST_IS_OVER_MS = 700;
const ENVIRONMENT = { DATABASE_POOL_SIZE: String(POOL), REQUEST_TIMEOUT_MS: "10000", RATE_LIMIT: "0" };

interface Sent {
  readonly token?: string | null;
  readonly headers?: Record<string, string>;
  readonly method?: string;
  readonly agent?: Agent | false;
}

interface Answer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
  /** The port of the asker. */
  readonly port: number;
  readonly ms: number;
}

async function sendTo(
  port: number,
  path: string,
  { token = null, headers = {}, method = "GET", agent = false }: Sent = {},
): Promise<Answer> {
  const since = performance.now();
  const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
  const sent = request({ port, path, agent, method, headers: { ...authorization, ...headers } }).end();
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  const { statusCode: status = 0, headers: told, socket } = answer;
  const { localPort: own = 0 } = socket;
  const body = await text(answer);
  return { status, headers: told, body, port: own, ms: performance.now() - since };
}

async function listen({ app }: Gateway): Promise<number> {
  await app.listen({ port: 0, host: "127.0.0.1" });
  return (app.server.address() as AddressInfo).port;
}

/** Asks so often for what is locked that further requests are refused. @returns a function that unlocks it and waits for all answers. */
async function crowd(
  gateway: Gateway,
  table: string,
  ask: () => Promise<unknown>,
): Promise<() => Promise<void>> {
  const blocker = new pg.Client({ connectionString: gateway.url });
  await blocker.connect();
  await blocker.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  const blocked = Array.from({ length: MANY }, ask);
  await sleep(BURST_IS_OVER_MS);
  return async () => {
    await blocker.query("ROLLBACK");
    await Promise.all(blocked);
    await blocker.end();
  };
}

describe("requests of a company of which too many wait", () => {
  let gateway: Gateway;
  let loud: TestCompany;
  let quiet: TestCompany;
  let port: number;
  let end: () => Promise<void>;

  beforeAll(async () => {
    gateway = await startGateway({ environment: ENVIRONMENT });
    [loud, quiet] = [await createCompany(gateway), await createCompany(gateway)];
    port = await listen(gateway);
    for (const { owner, id } of [loud, quiet]) await send(owner, `/api/companies/${id}/goods`);
    end = await crowd(gateway, "properties", () => send(loud.owner, `/api/companies/${loud.id}/properties`));
  });
  afterAll(async () => {
    await end();
    await gateway.close();
  });

  const send = ({ token }: Client, path: string, headers: Record<string, string> = {}): Promise<Answer> =>
    sendTo(port, path, { token, headers });

  it("are refused in the form of their face, and their connections are closed", async () => {
    const rest = await send(loud.owner, `/api/companies/${loud.id}/goods`);
    const graphql = await send(loud.owner, "/graphql?query={__typename}");

    expect([rest.status, rest.headers["retry-after"], rest.headers["connection"]]).toEqual([
      503,
      "1",
      "close",
    ]);
    expect(rest.headers).toMatchObject({
      "content-type": "application/problem+json; charset=utf-8",
      "content-security-policy": "default-src 'none';frame-ancestors 'none'",
    });
    expect(JSON.parse(rest.body)).toMatchObject({
      code: "UNAVAILABLE",
      status: 503,
      request_id: rest.headers["x-request-id"],
    });
    expect(graphql.status).toBe(503);
    expect(JSON.parse(graphql.body)).toMatchObject({
      errors: [{ extensions: { code: "UNAVAILABLE", status: 503, retryAfter: 1 } }],
      extensions: { cost: { requested: 0, used: 0, left: null } },
    });
  });

  it("are refused by the id and within the trace that their caller has named", async () => {
    const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
    const named = { "x-request-id": "mine-7", traceparent: `00-${traceId}-00f067aa0ba902b7-01` };

    const { status, headers, body } = await send(loud.owner, `/api/companies/${loud.id}/goods`, named);

    expect([status, headers["x-request-id"]]).toEqual([503, "mine-7"]);
    expect(JSON.parse(body)).toMatchObject({ request_id: "mine-7" });
    expect(headers["traceparent"]).toMatch(
      new RegExp(`^00-${traceId}-(?!00f067aa0ba902b7)[0-9a-f]{16}-01$`, "u"),
    );
  });

  it("are refused with the headers that a browser needs when one asks", async () => {
    const { status, headers } = await send(loud.owner, `/api/companies/${loud.id}/goods`, {
      origin: "https://shop.example.com",
    });

    expect([status, headers["content-type"]]).toEqual([503, "application/problem+json; charset=utf-8"]);
  });

  it("are counted in the metrics", async () => {
    const { body } = await gateway.app.inject({ url: "/metrics" });

    expect(body).toMatch(
      /gateway_requests_total\{face="rest",operation="none",status="503",code="UNAVAILABLE"\} [1-9]/u,
    );
  });

  it("leave those of another company alone, also when the event loop is late", async () => {
    const ask = async ({ owner, id }: TestCompany) =>
      (await send(owner, `/api/companies/${id}/goods`)).status;
    const { app } = gateway;
    expect(await ask(quiet)).toBe(200);
    const measured = app.isUnderPressure;
    app.isUnderPressure = () => true;
    // What takes no turns is refused as soon as the pressure has lasted.
    while ((await app.inject({ url: "/jwks.json" })).statusCode !== 503) await sleep(50);

    const statuses = [await ask(quiet), await ask(loud)];
    app.isUnderPressure = measured;

    expect(statuses).toEqual([200, 503]);
  });
});

describe("requests of strangers of which too many wait", () => {
  let gateway: Gateway;
  let path: string;
  let port: number;
  let end: () => Promise<void>;

  beforeAll(async () => {
    gateway = await startGateway({ own: "service", environment: ENVIRONMENT });
    const { id } = await createCompany(gateway);
    path = `/api/companies/${id}/goods`;
    port = await listen(gateway);
    end = await crowd(gateway, "goods", () => ask());
  });
  afterAll(async () => {
    await end();
    await gateway.close();
  });

  const ask = (sent?: Sent): Promise<Answer> => sendTo(port, path, sent);
  const told = (answers: readonly Answer[]) =>
    answers.map(({ status, headers }) => [status, headers["connection"]]);

  it("are refused at once, and who asks again at once over the connection waits as he was told", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });

    const answers = [await ask({ agent }), await ask({ agent }), await ask({ agent })];
    agent.destroy();

    const [first, ...again] = answers;
    expect(told(answers)).toEqual(Array(3).fill([503, "keep-alive"]));
    expect(new Set(answers.map(({ port: own }) => own)).size).toBe(1);
    expect(first?.ms).toBeLessThan(500);
    for (const { ms } of again) expect(ms).toBeGreaterThan(500);
  });

  it("are refused with a closed connection when they have a body, come by a proxy, or do not keep it", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });

    const posted = await ask({ agent, method: "POST" });
    const forwarded = await ask({ agent, headers: { "x-forwarded-for": "203.0.113.9" } });
    const single = await ask();
    agent.destroy();

    expect(told([posted, forwarded, single])).toEqual(Array(3).fill([503, "close"]));
  });
});

it("whose connections are kept do not hold up the end of the process", async () => {
  const server = createServer((_request, response) => void response.end("refused"));
  const paused = new PausedConnections();
  server.on("request", (asked, response) => {
    response.once("finish", () => paused.pause(asked.socket, 60_000));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const agent = new Agent({ keepAlive: true });
  const { port } = server.address() as AddressInfo;
  const sent = request({ port, agent }).end();
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  await text(answer);

  const isClosed = once(server, "close");
  server.close();
  server.closeIdleConnections();

  await isClosed;
  agent.destroy();
});
