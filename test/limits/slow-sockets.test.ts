import { once } from "node:events";
import { connect, type AddressInfo, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { startGateway, type Gateway } from "../support/gateway.js";

const TIMEOUT_MS = 1_000;
const DRIP_MS = 50;

/** Nobody can hold a connection by sending slowly. */
describe("a socket that drips", () => {
  let gateway: Gateway;
  let port: number;

  beforeAll(async () => {
    gateway = await startGateway({ own: "service", environment: { REQUEST_TIMEOUT_MS: String(TIMEOUT_MS) } });
    await gateway.app.listen({ port: 0, host: "127.0.0.1" });
    ({ port } = gateway.app.server.address() as AddressInfo);
  });
  afterAll(() => gateway.close());

  const POST = "POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
  it.each([
    ["its headers", "POST /graphql HTTP/1.1\r\nHost: x\r\nX-Slow: ", "HTTP/1.1 408 "],
    ["its body", `${POST}Content-Length: 100000\r\n\r\n{`, "HTTP/1.1 408 "],
    ["its body in chunks", `${POST}Transfer-Encoding: chunked\r\n\r\n`, "HTTP/1.1 408 "],
    [
      "a body that nobody reads",
      `${POST.replace("/graphql", "/api/nowhere")}Content-Length: 99999\r\n\r\n`,
      "HTTP/1.1 404 ",
    ],
  ])("%s is answered in time and cut off", async (name, begin, status) => {
    const socket = connect(port, "127.0.0.1").setEncoding("utf8");
    socket.on("error", () => undefined);
    socket.write(begin);

    // Without a limit it would drip for longer than a test may last.
    const closed = once(socket, "close");
    const answer = await dripUntilClosed(socket, name.includes("chunks") ? "1\r\n \r\n" : " ", closed);

    expect(answer.startsWith(status)).toBe(true);
    expect(answer.match(/HTTP\/1\.1 \d{3} /gu)).toHaveLength(1);
  });
});

/** Sends a drop now and then until the other side has closed; returns what it has answered. */
async function dripUntilClosed(socket: Socket, drop: string, closed: Promise<unknown>): Promise<string> {
  let answer = "";
  let isClosed = false;
  socket.on("data", (chunk) => (answer += String(chunk)));
  void closed.then(() => (isClosed = true));
  while (!isClosed) {
    socket.write(drop);
    await sleep(DRIP_MS);
  }
  return answer;
}
