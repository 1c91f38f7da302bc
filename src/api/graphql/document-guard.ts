import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from "fastify";
import type { Documents, PreparedDocument } from "../../engine/execution/documents.js";
import type { Cost } from "../../engine/limits/cost-limit.js";
import type { Safelist } from "../../engine/limits/safelist.js";
import type { Variables } from "../../engine/schema/root-operations.js";
import { assertWithinValueBounds } from "../../engine/limits/value-bounds.js";
import type { AskedOperation } from "./graphql-context.js";
import { refuseGraphql } from "./graphql-refusal.js";
import { nameOperation } from "./trace-operations.js";

declare module "fastify" {
  interface FastifyRequest {
    /** The operation that a GraphQL request asks for; `null` until its document is known. */
    graphql: (AskedOperation & { readonly variables: Variables }) | null;
  }
}

/** The parts of a GraphQL request, however they were sent. */
interface Asked {
  readonly query: string | undefined;
  readonly operationName: string | undefined;
  readonly variables: unknown;
  readonly hash: string | undefined;
}

interface GuardOptions {
  readonly documents: Documents;
  /** The only operations that may run; `null` allows all of them. */
  readonly safelist: Safelist | null;
}

/**
 * Checks a document before Apollo does: one that exceeds a limit or is not on the safelist is refused before it is
 * validated. (Apollo's own hooks come too late, or turn an error into a 500.) A request that is no GraphQL goes on
 * to Apollo, which refuses it in its own words.
 */
export function documentGuard({ documents, safelist }: GuardOptions) {
  return (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    const refused = (error: unknown): void => {
      const operation = request.graphql?.operation;
      if (operation) nameOperation(request.trace, operation.rootNames, operation.name);
      refuseGraphql(error, request, reply);
    };
    let charged: Promise<void> | undefined;
    try {
      charged = charge(request);
    } catch (error) {
      refused(error);
      return;
    }
    if (charged === undefined) done();
    else void charged.then(() => done(), refused);
  };

  /** Charges a request its cost. @returns `undefined` when there is nothing to wait for. */
  function charge(request: FastifyRequest): Promise<void> | undefined {
    const asked = request.method === "GET" ? askedByUrl(request.url) : askedByBody(request.body);
    if (asked === null) return undefined;
    // A body was measured when it was read.
    if (request.method === "GET") assertWithinValueBounds(asked.variables, "variables");
    const text = safelist === null ? asked.query : listed(safelist, asked, request);
    if (text === undefined) return undefined;
    const chargeFor = (document: PreparedDocument): Promise<void> | undefined => {
      const cost = judge(request, asked, document);
      return cost === null ? undefined : request.account.charge(cost.requested);
    };
    const document = documents.ofTextFor(text, request.turn);
    return document instanceof Promise ? document.then(chargeFor) : chargeFor(document);
  }

  function judge(request: FastifyRequest, asked: Asked, document: PreparedDocument): Cost | null {
    document.assertWithinBounds();
    const operation = document.operation(asked.operationName);
    const variables = recordOf(asked.variables);
    try {
      const cost = operation?.assertAffordable(variables, request.turn) ?? null;
      request.graphql = { operation, cost, variables };
      return cost;
    } catch (error) {
      request.graphql = { operation, cost: null, variables };
      throw error;
    }
  }
}

/** Returns the text of the document that a body asks for; `undefined` when it names none that may run. */
export function documentText(body: unknown, safelist: Safelist | null): string | undefined {
  const given = askedByBody(body);
  if (given === null || safelist === null) return given?.query;
  return safelist.documentFor({ text: given.query, hash: given.hash });
}

/**
 * Replaces the hash in a request by the listed document. A request for the landing page and an empty request stay
 * as they are.
 */
function listed(safelist: Safelist, { query, hash }: Asked, request: FastifyRequest): string | undefined {
  if (query === undefined && hash === undefined) return undefined;
  const text = safelist.documentFor({ text: query, hash });
  if (request.method === "GET") {
    const url = new URL(request.url, "http://localhost");
    url.searchParams.set("query", text);
    dropPersistedQuery(url.searchParams);
    request.raw.url = `${url.pathname}${url.search}`;
  } else {
    const { extensions, ...body } = request.body as Record<string, unknown>;
    const { persistedQuery: _, ...others } = (extensions ?? {}) as Record<string, unknown>;
    request.body = { ...body, query: text, extensions: others };
  }
  return text;
}

function dropPersistedQuery(parameters: URLSearchParams): void {
  const { persistedQuery: _, ...others } = (parsed(parameters.get("extensions")) ?? {}) as Record<
    string,
    unknown
  >;
  parameters.set("extensions", JSON.stringify(others));
}

function askedByBody(body: unknown): Asked | null {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return null;
  const { query, operationName, variables, extensions, documentId } = body as Record<string, unknown>;
  return asked({ query, operationName, variables, extensions, documentId });
}

/** Reads the URL as Apollo reads it, so that both see the same document. */
function askedByUrl(url: string): Asked {
  const { searchParams } = new URL(url, "http://localhost");
  return asked({
    query: searchParams.get("query"),
    operationName: searchParams.get("operationName"),
    variables: parsed(searchParams.get("variables")),
    extensions: parsed(searchParams.get("extensions")),
    documentId: searchParams.get("documentId"),
  });
}

function asked(given: Record<string, unknown>): Asked {
  const { persistedQuery } = (given["extensions"] ?? {}) as { persistedQuery?: { sha256Hash?: unknown } };
  return {
    query: text(given["query"]),
    operationName: text(given["operationName"]),
    variables: given["variables"],
    hash: text(persistedQuery?.sha256Hash) ?? text(given["documentId"]),
  };
}

function recordOf(value: unknown): Variables {
  return typeof value === "object" && value !== null ? (value as Variables) : {};
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function parsed(json: string | null): unknown {
  if (json === null) return undefined;
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}
