import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import { LRUCache } from "lru-cache";
import { roomFor } from "../../core/cache-room.js";
import { networkOf } from "../../core/access/network.js";
import type { FairTurns, TurnOwner } from "../../engine/limits/fair-turns.js";
import { costOfNothing } from "../../engine/limits/cost-limit.js";
import { loopTime } from "../../engine/limits/loop-time.js";
import { presentError } from "../../engine/errors/present.js";
import { FACE_PREFIX, type Face } from "../../engine/request/face.js";
import { graphqlError } from "../graphql/graphql-refusal.js";
import { problemOf, PROBLEM_TYPE } from "../rest/problem.js";
import { overloaded } from "./back-pressure.js";
import { PausedConnections } from "./paused-connections.js";
import { requestId } from "./request-id.js";

/** The owners of this many tokens are remembered. */
const MOST_TOKENS = 20_000;
/** A body that is longer, or whose length is not declared, is refused by what reads bodies. */
const MOST_UNREAD = 16_384;
const MILLISECONDS = 1_000;

/** What everybody is told who is refused here. An error for each of them would record where it was made, which takes time. */
const SHOWN = presentError(overloaded());
const GRAPHQL_BODY = JSON.stringify({
  errors: [graphqlError(SHOWN)],
  extensions: { cost: costOfNothing(null) },
});
const RETRY_AFTER_SECONDS = SHOWN.retryAfterSeconds ?? 1;
/** The headers that are always the same, as names and values by turns, which are written as they are. */
const HEADERS = ["cache-control", "no-store", "retry-after", String(RETRY_AFTER_SECONDS)] as const;
const CLOSING = [...HEADERS, "connection", "close"] as const;

interface GateOptions {
  readonly turns: FairTurns;
  /** Whether a further request of an owner is refused. */
  readonly isCrowded: (owner: TurnOwner) => boolean;
  /** Whether the address of a connection is that of its caller, and not of a proxy. */
  readonly knowsAddress: boolean;
  /** Is called for each refusal. @returns the header `traceparent` of its answer. */
  readonly onRefused: (face: Face, headers: IncomingHttpHeaders) => string;
}

/**
 * Refuses requests of those who have too many waiting before anything of them is read or run: by one write, and then the
 * connection is closed, or, of a stranger, is not read for as long as the refusal asks to wait. What asks beyond its share so takes
 * next to nothing from the others.
 *
 * Whose a request is was found out when its token came first; a token that nobody knows yet passes.
 */
export class CrowdGate {
  private readonly owners = new LRUCache<string, TurnOwner>(roomFor(MOST_TOKENS));
  private readonly paused = new PausedConnections();

  constructor(private readonly options: GateOptions) {}

  /** Remembers whose the requests with these credentials are. */
  learn(authorization: string | undefined, owner: TurnOwner): void {
    if (authorization !== undefined) this.owners.set(authorization, owner);
  }

  /** Stands before everything else that a server does with requests. */
  guard(app: FastifyInstance): void {
    const { server } = app as unknown as { server: Server };
    const handlers = server.listeners("request") as ((
      request: IncomingMessage,
      response: ServerResponse,
    ) => void)[];
    server.removeAllListeners("request");
    server.on("request", (request, response) => {
      loopTime.worksFor(null);
      this.paused.noteRequest(request.socket);
      if (this.refuses(request)) this.refuse(request, response);
      else for (const handler of handlers) handler.call(server, request, response);
    });
  }

  private refuses(request: IncomingMessage): boolean {
    const { turns, isCrowded } = this.options;
    // A browser can read a refusal only with headers that depend on its origin.
    if (turns.waiting === 0 || isLong(request) || request.headers.origin !== undefined) return false;
    const owner = this.ownerOf(request);
    return owner !== undefined && isCrowded(owner);
  }

  private ownerOf({ url = "", headers, socket }: IncomingMessage): TurnOwner | undefined {
    const { turns, knowsAddress } = this.options;
    if (plainFace(url) === "other") return undefined;
    if (headers.authorization !== undefined) return this.owners.get(headers.authorization);
    if (!knowsAddress || socket.remoteAddress === undefined) return undefined;
    return turns.known(`network:${networkOf(socket.remoteAddress)}`);
  }

  private refuse(request: IncomingMessage, response: ServerResponse): void {
    const face = plainFace(request.url ?? "");
    const id = requestId(request.headers["x-request-id"]);
    const isGraphql = face === "graphql";
    const body = isGraphql ? GRAPHQL_BODY : JSON.stringify(problemOf(SHOWN, id));
    const { socket } = request;
    const isKept = this.mayKeep(request);
    if (isKept) response.once("finish", () => this.paused.pause(socket, RETRY_AFTER_SECONDS * MILLISECONDS));
    response.writeHead(SHOWN.status, [
      ...(isKept ? HEADERS : CLOSING),
      "x-request-id",
      id,
      "traceparent",
      this.options.onRefused(face, request.headers),
      "content-type",
      isGraphql ? "application/json; charset=utf-8" : PROBLEM_TYPE,
      "content-length",
      String(Buffer.byteLength(body)),
    ]);
    response.end(body);
  }

  /**
   * Whether the connection of a refused request stays open. One over which others may come is closed: a company's, and that of a
   * proxy; so is one with a body, which would have to be read.
   */
  private mayKeep({ method, headers }: IncomingMessage): boolean {
    return (
      this.paused.haveRoom &&
      method === "GET" &&
      headers.authorization === undefined &&
      !hasBody(headers) &&
      !OF_PROXIES.some((name) => headers[name] !== undefined)
    );
  }
}

/** Headers that a proxy adds. */
const OF_PROXIES = ["x-forwarded-for", "forwarded", "via"] as const;

function hasBody({
  "content-length": length = "0",
  "transfer-encoding": coding,
}: IncomingHttpHeaders): boolean {
  return length !== "0" || coding !== undefined;
}

function isLong({ headers }: IncomingMessage): boolean {
  if (headers["transfer-encoding"] !== undefined) return true;
  return Number(headers["content-length"] ?? 0) > MOST_UNREAD;
}

/** The face of a path that is written plainly; any other one passes. */
function plainFace(url: string): Face {
  if (url.startsWith(`${FACE_PREFIX.rest}/`)) return "rest";
  return /^\/graphql(?:\?|$)/u.test(url) ? "graphql" : "other";
}
