import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { BACKLOG } from "./listening.js";

declare module "fastify" {
  interface FastifyInstance {
    /** Lets the process, which has to listen already, accept several connections in each round of the event loop. */
    acceptMany(): Promise<void>;
  }
}

/** In a round of the event loop each handle of the listening socket accepts one connection. So many copies are made of the first. */
const COPIES = 15;
/** Making them takes milliseconds. A process that does not answer for so long is given up. */
const MOST_MS = 10_000;
/**
 * Sends a listening socket back, and closes its own handle before it could accept anything. It is plain JavaScript, so that
 * it runs the same before and after the build.
 */
const MIRROR = `process.on("message", (message, server) => { process.send(message, server); server.close(); });`;

/**
 * Prepares `acceptMany`. Without it a crowd waits in the queue of the system, where nobody sees it, however cheaply most of it
 * could be refused: one connection is accepted in a round, which takes milliseconds while the process is busy.
 *
 * Call it after all that is closed with the app has been declared: hooks run in reverse order at its end, so that whatever
 * requests use is closed after the last connection.
 */
export function prepareAccepting(app: FastifyInstance): void {
  const copies: Server[] = [];
  const ended: Promise<unknown>[] = [];
  let isClosing = false;
  app.decorate("acceptMany", async () => {
    for await (const copy of copiesOf(app.server)) {
      if (isClosing) return void copy.close();
      copies.push(copy);
    }
  });
  app.addHook("preClose", (done) => {
    isClosing = true;
    for (const copy of copies) {
      ended.push(once(copy, "close"));
      copy.close();
    }
    done();
  });
  app.addHook("onClose", async () => {
    await Promise.all(ended);
  });
}

/**
 * Yields servers with handles of their own for the socket on which a server listens; what they accept is the server's. Node
 * copies no handle within a process: it is sent to another one, and back.
 */
async function* copiesOf(server: FastifyInstance["server"]): AsyncGenerator<Server> {
  const mirror = spawn(process.execPath, ["-e", MIRROR], {
    env: {},
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    timeout: MOST_MS,
  });
  const ending = new AbortController();
  mirror.once("exit", () => ending.abort());
  const accept = (socket: Socket): void => void server.emit("connection", socket);
  try {
    for (let count = 0; count < COPIES; count += 1) {
      const answered = once(mirror, "message", { signal: ending.signal });
      mirror.send("copy", server);
      const [, handle] = (await answered) as [string, Server];
      // As an HTTP server makes them. Receiving the handle has made the backlog that of the default.
      yield createServer({ allowHalfOpen: true, noDelay: true }, accept).listen(handle, BACKLOG);
    }
  } finally {
    if (mirror.connected) mirror.disconnect();
  }
}
