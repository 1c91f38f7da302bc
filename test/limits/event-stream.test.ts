import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import type { FastifyReply } from "fastify";
import { EventStream } from "../../src/api/http/event-stream.js";

/** More than the buffers of a connection hold on either side. */
const MOST_EVENTS = 200_000;

let server: Server;
let client: Socket;
let raw: ServerResponse;
beforeEach(async () => {
  server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  client = connect((server.address() as AddressInfo).port, "127.0.0.1").setEncoding("utf8");
  client.on("error", () => undefined);
  client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  [, raw] = (await once(server, "request")) as [unknown, ServerResponse];
});
afterEach(() => {
  jest.useRealTimers();
  client.destroy();
  server.close();
});

const open = (lifeMs: number): EventStream =>
  new EventStream(
    { raw, hijack: () => undefined, getHeaders: () => ({}) } as unknown as FastifyReply,
    lifeMs,
  );

it("cuts off a client that takes nothing, before much is kept for it", async () => {
  client.pause();
  const stream = open(60_000);
  const event = { id: "1", event: "progress", data: { text: "x".repeat(1_000) } };

  let sent = 0;
  let kept = 0;
  while (!stream.signal.aborted && sent < MOST_EVENTS) {
    stream.send(event);
    sent += 1;
    kept = Math.max(kept, raw.writableLength);
    await turn();
  }

  expect([stream.signal.aborted, raw.destroyed]).toEqual([true, true]);
  expect(sent).toBeGreaterThan(10);
  expect(kept).toBeLessThan(100_000);
});

it("keeps a client that reads on, however much there is", async () => {
  client.resume();
  const stream = open(60_000);

  for (let sent = 0; sent < 5_000; sent += 1) {
    stream.send({ id: String(sent), event: "progress", data: { text: "x".repeat(1_000) } });
    await turn();
  }

  expect(stream.signal.aborted).toBe(false);
  stream.end();
});

it("sends many events as fast as they are taken", async () => {
  const events = Array.from({ length: 2_000 }, (_, n) => ({
    id: String(n),
    event: "change",
    data: { text: "x".repeat(1_000) },
  }));
  let text = "";
  client.on("data", (chunk) => (text += String(chunk)));
  const stream = open(60_000);

  await stream.sendAll(events);
  const closed = once(client, "close");
  stream.end();
  await closed;

  expect(text.match(/^id: \d+$/gmu)).toEqual(events.map(({ id }) => `id: ${id}`));
});

it("gives up a client that takes none of many events, after a heartbeat's time", async () => {
  jest.useFakeTimers({ doNotFake: ["nextTick", "setImmediate", "queueMicrotask"] });
  client.pause();
  const stream = open(60_000);
  const event = { id: "1", event: "change", data: { text: "x".repeat(1_000) } };

  const sending = stream.sendAll(Array.from({ length: 100_000 }, () => event));
  while (raw.writableLength === 0) await turn();
  const hasWaited = !stream.signal.aborted;
  // A pause begins for each part that the buffers of the connection still take.
  while (!stream.signal.aborted) {
    jest.advanceTimersByTime(15_000);
    await turn();
  }
  await sending;

  expect([hasWaited, raw.destroyed]).toEqual([true, true]);
  expect(raw.writableLength).toBeLessThan(100_000);
});

it("names a place without an event at once, and a later one with the next sign of life", async () => {
  jest.useFakeTimers({ doNotFake: ["nextTick", "setImmediate", "queueMicrotask"] });
  let text = "";
  client.on("data", (chunk) => (text += String(chunk)));
  const closed = once(client, "close");
  const stream = open(60_000);

  stream.reach("a");
  stream.reach("b");
  stream.reach("c");
  jest.advanceTimersByTime(30_000);
  stream.end();
  await closed;

  expect(text.match(/^(?:id: \w|:)$/gmu)).toEqual([":", "id: a", ":", "id: c", ":"]);
});

it("sends a comment every 15 seconds, and ends after its life", async () => {
  jest.useFakeTimers({ doNotFake: ["nextTick", "setImmediate", "queueMicrotask"] });
  let text = "";
  client.on("data", (chunk) => (text += String(chunk)));
  const closed = once(client, "close");
  const stream = open(40_000);

  jest.advanceTimersByTime(39_999);
  const isOpen = !stream.signal.aborted;
  jest.advanceTimersByTime(1);
  await closed;

  expect([isOpen, stream.signal.aborted]).toEqual([true, true]);
  expect(text.match(/^:$/gmu)).toHaveLength(2);
  expect(text).toContain("retry: 1000\n\n");
  expect(text).toMatch(/^connection: close\r$/imu);
});
