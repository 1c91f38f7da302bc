import { connect, type AddressInfo, type Socket } from "node:net";
import { setImmediate as nextRound, setTimeout as sleep } from "node:timers/promises";
import { startGateway, type Gateway } from "../support/gateway.js";

const TIMEOUT_MS = 1_000;
const DRIP_MS = 50;
const CROWD = 128;
/** More connections than one handle accepts in a round. */
const SEVERAL = 4;

let gateway: Gateway;
let port: number;

beforeAll(async () => {
  gateway = await startGateway({ own: "service", environment: { REQUEST_TIMEOUT_MS: String(TIMEOUT_MS) } });
  await gateway.app.listen({ port: 0, host: "127.0.0.1" });
  await gateway.app.acceptMany();
  ({ port } = gateway.app.server.address() as AddressInfo);
});
afterAll(() => gateway.close());

describe("a crowd of connections", () => {
  it("is accepted within a few rounds of the event loop", async () => {
    let accepted = 0;
    const count = (): void => void (accepted += 1);
    gateway.app.server.on("connection", count);
    const sockets = Array.from({ length: CROWD }, () => connect(port, "127.0.0.1"));

    let rounds = 0;
    for (; accepted < CROWD; rounds += 1) await nextRound();
    gateway.app.server.off("connection", count);
    for (const socket of sockets) socket.destroy();

    expect(rounds).toBeLessThan(CROWD / 4);
  });
});

/** Nobody can hold a connection by sending slowly. */
describe("a socket that drips", () => {
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
    // Those that come at once are accepted by several handles.
    const sockets = Array.from({ length: SEVERAL }, () => connect(port, "127.0.0.1"));
    const drop = name.includes("chunks") ? "1\r\n \r\n" : " ";
    // Without a limit they would drip for longer than a test may last.
    const answers = await Promise.all(sockets.map((socket) => dripUntilClosed(socket, begin, drop)));

    for (const answer of answers) {
      expect(answer.startsWith(status)).toBe(true);
      expect(answer.match(/HTTP\/1\.1 \d{3} /gu)).toHaveLength(1);
    }
  });
});

/** Begins a request, and sends a drop now and then until the other side has closed; returns what it has answered. */
async function dripUntilClosed(socket: Socket, begin: string, drop: string): Promise<string> {
  let answer = "";
  let isClosed = false;
  socket
    .setEncoding("utf8")
    .on("data", (chunk) => (answer += String(chunk)))
    .on("error", () => undefined)
    .once("close", () => (isClosed = true));
  socket.write(begin);
  while (!isClosed) {
    socket.write(drop);
    await sleep(DRIP_MS);
  }
  return answer;
}
