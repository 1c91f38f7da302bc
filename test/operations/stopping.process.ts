import { once } from "node:events";
import { Agent, request as send, type ServerResponse } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setImmediate as nextRound, setTimeout as sleep } from "node:timers/promises";
import fastify from "fastify";
import { prepareClosing } from "../../src/api/http/closing.js";
import { holdProperty } from "../idempotency/with-key.js";
import { createCompany, createProperty } from "../support/factories.js";
import { startGateway } from "../support/gateway.js";
import { cleanUp, makeDataDirectory, startService } from "../support/service-process.js";

const QUERY = '{"query":"{ __typename }"}';
const POST = `POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${QUERY.length}\r\n\r\n`;

describe("a service that is about to stop", () => {
  it("is not ready any more, serves on, and closes connections with their answers", async () => {
    const gateway = await startGateway({ own: "service" });
    const before = await gateway.app.inject({ url: "/readyz" });
    gateway.app.drain();

    const [ready, healthy, served] = await Promise.all(
      ["/readyz", "/healthz", "/api/openapi.json"].map((url) => gateway.app.inject({ url })),
    );

    expect([before.statusCode, before.headers.connection]).toEqual([200, "keep-alive"]);
    expect([ready?.statusCode, ready?.json().code]).toEqual([503, "UNAVAILABLE"]);
    expect([healthy?.statusCode, served?.statusCode]).toEqual([200, 200]);
    expect([ready, healthy, served].map((answer) => answer?.headers.connection)).toEqual(
      Array(3).fill("close"),
    );
    await gateway.close();
  });

  it("closes the connection of a request that was under way", async () => {
    const gateway = await startGateway({ own: "service" });
    await gateway.app.listen({ port: 0, host: "127.0.0.1" });
    const { port } = gateway.app.server.address() as AddressInfo;
    const socket = connect(port, "127.0.0.1").setEncoding("utf8");
    socket.write(`${POST}{`);
    await once(gateway.app.server, "request");
    await sleep(50);

    gateway.app.drain();
    socket.write(QUERY.slice(1));
    const answer = await text(socket);

    expect(answer).toMatch(/^HTTP\/1.1 200 /u);
    expect(answer).toMatch(/^connection: close\r$/imu);
    await gateway.close();
  });
});

describe("an answer that is being sent when the service begins to stop", () => {
  it("ends whole, and its connection is closed with it", async () => {
    const app = fastify();
    prepareClosing(app);
    app.get("/", (_request, reply) => {
      reply.hijack();
      reply.raw.writeHead(200, { "content-length": 10 });
      reply.raw.write("begun");
    });
    await app.listen({ port: 0, host: "127.0.0.1" });
    const { port } = app.server.address() as AddressInfo;
    let response: ServerResponse | undefined;
    app.server.once("request", (_request, of) => (response = of));
    const socket = connect(port, "127.0.0.1").setEncoding("utf8");
    const answer = text(socket);
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await once(socket, "readable");

    app.drain();
    response?.end("ended");

    expect(await answer).toMatch(/^connection: keep-alive\r[\s\S]*\r\n\r\nbegunended$/imu);
    await app.close();
  });
});

describe("a service that accepts many connections at once", () => {
  it("takes no more of them once it closes, and finishes what came over those it has", async () => {
    const gateway = await startGateway({ own: "service" });
    await gateway.app.listen({ port: 0, host: "127.0.0.1" });
    await gateway.app.acceptMany();
    const { port } = gateway.app.server.address() as AddressInfo;
    let begun = 0;
    gateway.app.server.on("request", () => (begun += 1));
    // They come within one round of the event loop, so several handles accept them.
    const sockets = Array.from({ length: 8 }, () => connect(port, "127.0.0.1").setEncoding("utf8"));
    for (const socket of sockets) socket.write(`${POST}{`);
    while (begun < sockets.length) await nextRound();

    let isClosed = false;
    const closing = gateway.app.close().then(() => (isClosed = true));
    while (gateway.app.server.listening) await nextRound();
    const [refusal] = (await once(connect(port, "127.0.0.1"), "error")) as [NodeJS.ErrnoException];
    const wasClosed = isClosed;
    for (const socket of sockets) socket.write(QUERY.slice(1));
    const answers = await Promise.all(sockets.map(text));
    await closing;

    expect([refusal.code, wasClosed]).toEqual(["ECONNREFUSED", false]);
    expect(answers.map((answer) => answer.slice(0, 12))).toEqual(Array(8).fill("HTTP/1.1 200"));
    await gateway.close();
  });
});

describe("a process that is asked to stop", () => {
  afterEach(cleanUp);

  it("says so for the delay, answers 503 to what would take too long, and leaves no statement behind", async () => {
    const gateway = await startGateway({ own: "database" });
    const company = await createCompany(gateway);
    const { id } = await createProperty(gateway, company.id);
    const service = startService({
      DATABASE_URL: gateway.url,
      NODE_ENV: "production",
      DATA_DIR: await makeDataDirectory(),
      JWT_SECRET: "a secret that only the tests use: 32 bytes or more",
      DRAIN_DELAY_MS: "4000",
      REQUEST_TIMEOUT_MS: "60000",
    });
    const base = await service.ready;
    const held = await holdProperty(gateway, company.id, id);
    const rename = fetch(`${base}/api/companies/${company.id}/properties/${id}`, {
      method: "PATCH",
      headers: { authorization: `Bearer ${company.owner.token ?? ""}`, "content-type": "application/json" },
      body: '{"name":"too late"}',
    });
    await held.waiting();
    const agent = new Agent({ keepAlive: true });

    service.kill("SIGTERM");
    while (!service.output().includes('"stopping"')) await sleep(20);
    const during = [await statusOf(`${base}/readyz`, agent), await statusOf(`${base}/healthz`, agent)];
    const answer = await rename;
    const code = await service.exited;
    const sessions = await gateway.db.$queryRaw<object[]>`
      SELECT pid, state, query FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'commerce-gateway' AND pid <> pg_backend_pid()
         AND state <> 'idle'`;
    // The row was held all the while, so nothing waited for it.
    await held.release();

    expect(during).toEqual([503, 200]);
    expect([answer.status, answer.headers.get("connection")]).toEqual([503, "close"]);
    expect(await answer.json()).toMatchObject({ code: "UNAVAILABLE" });
    expect([code, sessions]).toEqual([0, []]);
    const { name } = await gateway.db.property.findFirstOrThrow({ where: { companyId: company.id, id } });
    expect(name).not.toBe("too late");
    agent.destroy();
    await gateway.close();
  });
});

function statusOf(url: string, agent: Agent): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    send(url, { agent }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode));
    })
      .on("error", reject)
      .end();
  });
}
