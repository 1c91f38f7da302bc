import type { FastifyReply, FastifyRequest } from "fastify";
import type { ExecutionResult } from "graphql";
import { LRUCache } from "lru-cache";
import type { RequestContext } from "../../engine/request/run.js";
import type { CompiledOperation, Variables } from "../../engine/execution/executor.js";
import { nameOperation } from "./trace-operations.js";

const MAX_OPERATIONS = 1_000;
const MAX_CHARACTERS = 8_000_000;
const MAX_ACCEPTED = 100;

interface KnownQuery {
  readonly compiled: CompiledOperation;
  readonly name: string | null;
}

/** A query that was asked before, and how its answer is to be typed. */
export interface RepeatedQuery extends KnownQuery {
  readonly variables: Variables;
  readonly contentType: string;
}

/**
 * Queries that Apollo has parsed, validated and had run before. The same text again needs none of that: it is run
 * at once, and answered as Apollo would. Everything else is Apollo's: what comes by GET or by its hash, mutations,
 * and how errors are told.
 */
export class KnownOperations {
  private readonly queries = new LRUCache<string, KnownQuery>({
    max: MAX_OPERATIONS,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (_query, key) => key.length + 1,
  });
  /** Apollo's choice of a content type for each `Accept`. */
  private readonly contentTypes = new LRUCache<string, string>({ max: MAX_ACCEPTED });

  /** Operations remembered now. */
  get size(): number {
    return this.queries.size;
  }

  /** Remembers what Apollo let through. */
  remember(text: string, operationName: string | null, query: KnownQuery): void {
    this.queries.set(keyOf(text, operationName), query);
  }

  /** Remembers how Apollo answered the request. */
  learn({ headers }: FastifyRequest, reply: FastifyReply): void {
    const contentType = reply.getHeader("content-type");
    if (reply.statusCode === 200 && typeof contentType === "string" && contentType.includes("json"))
      this.contentTypes.set(headers.accept ?? "", contentType);
  }

  /** @returns `undefined` for what is Apollo's. */
  find({ method, headers, body }: FastifyRequest): RepeatedQuery | undefined {
    if (method !== "POST" || headers["content-type"]?.startsWith("application/json") !== true)
      return undefined;
    if (typeof body !== "object" || body === null) return undefined;
    const { query, operationName = null, variables, extensions } = body as Record<string, unknown>;
    if (typeof query !== "string" || extensions != null) return undefined;
    if (operationName !== null && typeof operationName !== "string") return undefined;
    if (variables != null && (typeof variables !== "object" || Array.isArray(variables))) return undefined;
    const known = this.queries.get(keyOf(query, operationName));
    const contentType = this.contentTypes.get(headers.accept ?? "");
    if (known === undefined || contentType === undefined) return undefined;
    return { ...known, contentType, variables: (variables ?? {}) as Variables };
  }
}

/**
 * Runs a query that is known.
 *
 * @returns the answer, or `null` when there is none without errors: telling those, and what the context now holds
 *   of the result, is left to Apollo.
 */
export async function answerRepeated(
  { compiled, name, variables, contentType }: RepeatedQuery,
  contextOf: () => Promise<RequestContext>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string | null> {
  let result: ExecutionResult;
  try {
    const context = await contextOf();
    request.graphqlContext = context;
    nameOperation(context.trace, name);
    result = await compiled.run(context, variables);
    context.answered = result;
  } catch {
    // It will fail in Apollo's hands again.
    return null;
  }
  if (result.errors !== undefined) return null;
  reply.header("content-type", contentType);
  return `${JSON.stringify({ data: result.data, extensions: { cost: request.graphqlCost } })}\n`;
}

function keyOf(text: string, operationName: string | null): string {
  return `${operationName ?? ""}\n${text}`;
}
