import type { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import { isLargeResult } from "../../engine/execution/large-results.js";
import type { Variables } from "../../engine/schema/root-operations.js";
import { bodyOf, jsonInSlices } from "../http/sliced-json.js";
import type { GraphqlContext } from "./graphql-context.js";
import { nameOperation } from "./trace-operations.js";

const MAX_ACCEPTED = 100;

/** Remembers which content type Apollo chooses for each `Accept`. */
export class ContentTypes {
  private readonly chosen = new LRUCache<string, string>({ max: MAX_ACCEPTED });

  /** Remembers the content type of the answer that Apollo gave to the request. */
  learn({ headers }: FastifyRequest, reply: FastifyReply): void {
    const contentType = reply.getHeader("content-type");
    if (reply.statusCode === 200 && typeof contentType === "string" && contentType.includes("json"))
      this.chosen.set(headers.accept ?? "", contentType);
  }

  /**
   * Returns Apollo's content type for the request, `undefined` until Apollo has answered one with the same
   * `Accept`.
   */
  of({ headers }: FastifyRequest): string | undefined {
    return this.chosen.get(headers.accept ?? "");
  }
}

/**
 * Returns the variables of a query that does not need Apollo: it fits the schema and came as a plain POST of JSON.
 *
 * @returns `null` for all other requests: GET, hashes, mutations, and those that Apollo has to refuse.
 */
export function variablesOfPlainQuery({ method, headers, body, graphql }: FastifyRequest): Variables | null {
  if (graphql?.operation?.kind !== "query" || method !== "POST") return null;
  if (headers["content-type"]?.startsWith("application/json") !== true) return null;
  const { operationName = null, variables, extensions } = body as Record<string, unknown>;
  if (extensions != null || (operationName !== null && typeof operationName !== "string")) return null;
  if (variables != null && (typeof variables !== "object" || Array.isArray(variables))) return null;
  return (variables ?? {}) as Variables;
}

/**
 * Runs a query without Apollo, and answers as Apollo would.
 *
 * @returns `null` when the result has errors: Apollo then answers with the result, which the context holds.
 */
export async function answerQuickly(
  context: GraphqlContext,
  variables: Variables,
  contentType: string,
  reply: FastifyReply,
): Promise<string | Readable | null> {
  const { request, operation, cost, trace } = context;
  if (operation === null) return null;
  nameOperation(trace, operation.rootNames, operation.name);
  context.answered = await operation.run(request, variables);
  if (context.answered.errors !== undefined) return null;
  reply.header("content-type", contentType);
  const extensions = cost === null ? {} : { cost: context.told(cost) };
  const { answered } = context;
  const body = { data: answered.data, extensions };
  if (!isLargeResult(answered)) return `${JSON.stringify(body)}\n`;
  return bodyOf([...(await jsonInSlices(body, request.turn)), "\n"]);
}
