import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** A connection, and the answer to the last request that came over it. */
interface Connection extends Socket {
  lastReply?: FastifyReply;
}

/**
 * The requests that have no answer yet. They are found by their connections: a set of requests, which changes with each
 * of them, would keep them in memory past their answers and double the work of the garbage collector.
 */
export class InFlight {
  private readonly connections = new Set<Connection>();

  constructor(app: FastifyInstance) {
    app.server.on("connection", (connection: Connection) => {
      this.connections.add(connection);
      connection.once("close", () => this.connections.delete(connection));
    });
  }

  add(request: FastifyRequest, reply: FastifyReply): void {
    (request.raw.socket as Connection).lastReply = reply;
  }

  /** The connections over which an answer is being sent. */
  answering(): { readonly connection: Socket; readonly response: ServerResponse }[] {
    return [...this.connections].flatMap((connection) => {
      const response = connection.lastReply?.raw;
      const isBeingSent = response?.headersSent === true && !response.writableEnded;
      return isBeingSent ? [{ connection, response }] : [];
    });
  }

  /** The requests that can still be answered. */
  unanswered(): FastifyReply[] {
    return [...this.connections].flatMap(({ lastReply: reply }) =>
      reply === undefined || reply.sent || reply.raw.headersSent || reply.raw.destroyed ? [] : [reply],
    );
  }
}

/** Returns whether the last request of a connection has its answer already, although its body has not arrived as a whole. */
export function isAnsweredEarly(connection: Socket): boolean {
  const reply = (connection as Connection).lastReply;
  return reply !== undefined && reply.raw.writableEnded && !reply.request.raw.complete;
}

/** Returns whether the request has a body that has not arrived as a whole. */
export function isBodyToCome({ raw }: FastifyRequest): boolean {
  const { "content-length": length, "transfer-encoding": encoding } = raw.headers;
  // A request that was injected says nothing about that.
  return (
    (raw.complete as boolean | undefined) === false &&
    (encoding !== undefined || (length !== undefined && length !== "0"))
  );
}
