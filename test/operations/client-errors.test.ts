import { createServer } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { readTraceParent } from "../../src/core/trace-context.js";
import { answerClientError } from "../../src/api/http/client-error.js";
import { startGateway, type Gateway } from "../support/gateway.js";
import { observedApp, type ObservedApp } from "./observed-app.js";

let gateway: Gateway;
let observed: ObservedApp;
beforeAll(async () => {
  gateway = await startGateway();
  observed = await observedApp(gateway);
  await observed.app.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(async () => {
  await observed.app.close();
  await gateway.close();
});

/** Sends bytes and returns everything that comes back until the server ends the connection. */
function send(text: string): Promise<string> {
  const { port } = observed.app.server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.setEncoding("utf8");
    socket.on("data", (chunk: string) => (answer += chunk));
    socket.once("end", () => resolve(answer));
    socket.once("error", reject);
  });
}

function read(answer: string): { status: number; headers: Record<string, string>; body: any } {
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  const [first = "", ...lines] = head.split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(": ")[0]?.toLowerCase(), line.slice(line.indexOf(": ") + 2)]),
  ) as Record<string, string>;
  expect(Number(headers["content-length"])).toBe(Buffer.byteLength(body));
  return { status: Number(first.split(" ")[1]), headers, body: JSON.parse(body) };
}

const HOST = "Host: localhost\r\n";

describe("a request that Node refuses by itself", () => {
  it.each([
    ["an address of 17 KB", `GET /${"x".repeat(17_000)} HTTP/1.1\r\n${HOST}\r\n`, 431, "HEADERS_TOO_LARGE"],
    [
      "a header of 400 KB",
      `GET / HTTP/1.1\r\n${HOST}X: ${"x".repeat(400_000)}\r\n\r\n`,
      431,
      "HEADERS_TOO_LARGE",
    ],
    [
      "a length that is none",
      `POST /graphql HTTP/1.1\r\n${HOST}Content-Length: x\r\n\r\n`,
      400,
      "BAD_REQUEST",
    ],
    ["an unknown method", `NOPE / HTTP/1.1\r\n${HOST}\r\n`, 400, "BAD_REQUEST"],
    [
      "a length twice",
      `POST / HTTP/1.1\r\n${HOST}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`,
      400,
      "BAD_REQUEST",
    ],
    ["no host", "GET /healthz HTTP/1.1\r\n\r\n", 400, "BAD_REQUEST"],
    ["a host that is none", "GET /healthz HTTP/1.1\r\nHost: a/b\r\n\r\n", 400, "BAD_REQUEST"],
    ["two hosts", `GET /healthz HTTP/1.1\r\n${HOST}Host: other.example\r\n\r\n`, 400, "BAD_REQUEST"],
    ["the same host twice", `GET /healthz HTTP/1.1\r\n${HOST}${HOST}\r\n`, 400, "BAD_REQUEST"],
    ["an empty host", "GET /healthz HTTP/1.1\r\nHost:\r\n\r\n", 400, "BAD_REQUEST"],
    ["a host with a user", "GET /healthz HTTP/1.1\r\nHost: a@b\r\n\r\n", 400, "BAD_REQUEST"],
    ["a port beyond 65535", "GET /healthz HTTP/1.1\r\nHost: a:70000\r\n\r\n", 400, "BAD_REQUEST"],
  ])("is refused as a problem with an id: %s", async (_what, text, status, code) => {
    const answer = read(await send(text));

    expect([answer.status, answer.body.status, answer.body.code]).toEqual([status, status, code]);
    expect(answer.headers).toMatchObject({
      "content-type": "application/problem+json; charset=utf-8",
      connection: "close",
      "x-request-id": answer.body.request_id,
    });
    const { traceId } = readTraceParent(answer.headers["traceparent"]) ?? {};
    expect(observed.requests()).toContainEqual(
      expect.objectContaining({ requestId: answer.body.request_id, traceId, status, code }),
    );
    expect(traceId).toBeDefined();
  });

  it("is no expectation that nobody knows", async () => {
    const answer = await send(`GET /nope HTTP/1.1\r\n${HOST}Expect: tea\r\nConnection: close\r\n\r\n`);

    expect(answer).toMatch(/^HTTP\/1\.1 404 [\s\S]*x-request-id: /u);
  });

  it("is answered in a trace where a part of its path is longer than any route takes", async () => {
    const answer = read(
      await send(`GET /api/companies/${"1".repeat(400)} HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`),
    );

    expect([answer.status, answer.headers["x-request-id"]]).toEqual([404, answer.body.request_id]);
    expect(readTraceParent(answer.headers["traceparent"])).not.toBeNull();
  });

  it("leaves out no header, however many there are", async () => {
    const many = `GET /healthz HTTP/1.1\r\n${"a:\r\n".repeat(3_000)}`;

    const [one, none] = await Promise.all([
      send(`${many}${HOST}X-Request-Id: last\r\nConnection: close\r\n\r\n`),
      send(`${many}\r\n`),
    ]);

    expect(one).toMatch(/^HTTP\/1\.1 200 [\s\S]*x-request-id: last\r\n/u);
    expect(read(none).body).toMatchObject({ status: 400, detail: "The request names no host." });
  });

  it("is none without a host in HTTP/1.0", async () => {
    const body = '{"query":"mutation { __typename }"}';

    const answer = await send(
      `POST /graphql HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );

    expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*"__typename":"Mutation"/u);
  });

  it("is refused behind the answers to the requests that came before it over the connection", async () => {
    const good = `GET /graphql?query={__typename} HTTP/1.1\r\n${HOST}Apollo-Require-Preflight: 1\r\n`;

    const answers = await Promise.all([
      send(`${good}\r\nGARBAGE\r\n\r\n`),
      send(`${good}\r\n${good}\r\nGARBAGE\r\n\r\n`),
      // Nothing may come behind a request that closes the connection, so nobody waits for an answer to it.
      send(`${good}Connection: close\r\n\r\n${good}\r\n`),
    ]);

    const statuses = answers.map((answer) => [...answer.matchAll(/HTTP\/1\.1 (\d+)/gu)].map(([, of]) => of));
    expect(statuses).toEqual([["200", "400"], ["200", "200", "400"], ["200"]]);
  });

  it("does not break into an answer that was begun", async () => {
    const answer = await send(
      `POST /api/nope HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\nzz\r\n`,
    );

    expect(answer.match(/HTTP\/1\.1/gu)).toHaveLength(1);
  });

  it("cuts off an answer that is under way", async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { "content-length": 99 });
      response.write("begun");
    });
    server.on("clientError", (error, socket) =>
      answerClientError.call(observed.app, error, socket as Socket),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const answer = await new Promise<string>((resolve) => {
      let text = "";
      const socket = connect(port, "127.0.0.1", () =>
        socket.write(`POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n`),
      );
      socket.setEncoding("utf8");
      socket.on("data", (chunk: string) => {
        text += chunk;
        if (text.endsWith("begun")) socket.write("zz\r\n");
      });
      socket.once("close", () => resolve(text));
    });
    server.close();

    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\nbegun$/u);
  });
});
