import type { Socket } from "node:net";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

declare module "fastify" {
  interface FastifyReply {
    /** Whether the body of the request is still to come. */
    isArriving: boolean;
  }
}

/** A connection, and the answer to the last request that came over it. */
interface Connection extends Socket {
  lastReply?: FastifyReply;
}

/**
 * The requests that have no answer yet. They are counted, and found by their connections: a set of them, which changes
 * with each request, would keep them in memory past their answers and double the work of the garbage collector.
 */
export class InFlight {
  private readonly connections = new Set<Connection>();
  private requests = 0;
  /** Requests whose body is still to come; the process does not work on them yet. */
  private arriving = 0;

  constructor(app: FastifyInstance) {
    app.decorateReply("isArriving", false);
    app.server.on("connection", (connection: Connection) => {
      this.connections.add(connection);
      connection.once("close", () => this.connections.delete(connection));
    });
  }

  /** How many requests the process works on. */
  get working(): number {
    return this.requests - this.arriving;
  }

  add(request: FastifyRequest, reply: FastifyReply): void {
    this.requests += 1;
    (request.raw.socket as Connection).lastReply = reply;
    if (isBodyToCome(request)) {
      this.arriving += 1;
      reply.isArriving = true;
    }
    reply.raw.once("close", () => {
      this.requests -= 1;
      this.arrived(reply);
    });
  }

  /** Tells that the body has arrived. @returns whether it was still to come when the request was added. */
  arrived(reply: FastifyReply): boolean {
    if (!reply.isArriving) return false;
    reply.isArriving = false;
    this.arriving -= 1;
    return true;
  }

  /** The requests that can still be answered. */
  unanswered(): FastifyReply[] {
    return [...this.connections].flatMap(({ lastReply: reply }) =>
      reply === undefined || reply.sent || reply.raw.headersSent || reply.raw.destroyed ? [] : [reply],
    );
  }
}

/** Whether the request has a body that has not arrived as a whole. */
export function isBodyToCome({ raw }: FastifyRequest): boolean {
  const { "content-length": length, "transfer-encoding": encoding } = raw.headers;
  // A request that was injected says nothing about that.
  return (
    (raw.complete as boolean | undefined) === false &&
    (encoding !== undefined || (length !== undefined && length !== "0"))
  );
}
