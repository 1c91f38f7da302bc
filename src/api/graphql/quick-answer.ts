import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import { isLargeResult } from "../../engine/execution/large-results.js";
import { REPLAYED_HEADER } from "../../engine/idempotency/idempotent-request.js";
import type { Variables } from "../../engine/schema/root-operations.js";
import { bodyOf, jsonInSlices } from "../http/sliced-json.js";
import type { GraphqlContext } from "./graphql-context.js";
import { nameOperation } from "./trace-operations.js";

const MAX_ACCEPTED = 100;
const LINE_END = Buffer.from("\n");

/** Remembers which content type Apollo chooses for each `Accept`. */
export class ContentTypes {
  private readonly chosen = new LRUCache<string, string>({ max: MAX_ACCEPTED });

  /** Remembers the content type of the answer that Apollo gave to a request with this `Accept`. */
  learn(accept: string | undefined, reply: FastifyReply): void {
    if (reply.statusCode === 200) this.note(accept, reply.getHeader("content-type"));
  }

  /** Remembers what Apollo has chosen for an `Accept`, or where there is none. */
  note(accept: string | undefined, contentType: unknown): void {
    if (typeof contentType === "string" && contentType.includes("json"))
      this.chosen.set(accept ?? "", contentType);
  }

  /**
   * Returns Apollo's content type for the request, `undefined` until Apollo has answered one with the same
   * `Accept`.
   */
  of({ headers }: FastifyRequest): string | undefined {
    return this.chosen.get(headers.accept ?? "");
  }
}

/** A request that does not need Apollo, as its body has it. */
export interface PlainRequest {
  readonly text: string;
  readonly variables: Variables;
}

/**
 * Returns what a request asks for that does not need Apollo: a query or a mutation that fits the schema and came as a plain POST of
 * JSON.
 *
 * @returns `null` for all other requests: GET, hashes, files, and those that Apollo has to refuse.
 */
export function plainRequest({ method, headers, body, graphql }: FastifyRequest): PlainRequest | null {
  const kind = graphql?.operation?.kind;
  if ((kind !== "query" && kind !== "mutation") || method !== "POST") return null;
  if (headers["content-type"]?.startsWith("application/json") !== true) return null;
  const { query, operationName = null, variables, extensions } = body as Record<string, unknown>;
  if (extensions != null || (operationName !== null && typeof operationName !== "string")) return null;
  if (variables != null && (typeof variables !== "object" || Array.isArray(variables))) return null;
  return { text: query as string, variables: (variables ?? {}) as Variables };
}

/**
 * Runs an operation without Apollo, and answers as Apollo would.
 *
 * @returns `null` when the result has errors: Apollo then answers with the result, which the context holds.
 */
export async function answerQuickly(
  context: GraphqlContext,
  { text, variables }: PlainRequest,
  contentType: string,
  reply: FastifyReply,
): Promise<string | Buffer | Readable | null> {
  const { request, operation, cost, trace } = context;
  if (operation === null) return null;
  const { kind, name, rootNames } = operation;
  nameOperation(trace, rootNames, name);
  const idempotency = context.idempotency({ kind, name, hash: () => hashOf(text), variables });
  context.answered = await operation.run(request, variables, { idempotency });
  if (context.answered.errors !== undefined) return null;
  reply.header("content-type", contentType);
  if (idempotency?.replayed === true) reply.header(...REPLAYED_HEADER);
  const extensions = cost === null ? {} : { cost: context.told(cost) };
  const { answered } = context;
  const body = { data: answered.data, extensions };
  if (!isLargeResult(answered)) return `${JSON.stringify(body)}\n`;
  return bodyOf([...(await jsonInSlices(body, request.turn)), LINE_END], request.turn);
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
