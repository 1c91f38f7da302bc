import type { FastifyReply, FastifyRequest } from "fastify";
import {
  getNamedType,
  GraphQLInputObjectType,
  GraphQLInt,
  type DocumentNode,
  type ExecutionResult,
} from "graphql";
import { LRUCache } from "lru-cache";
import type { RequestContext } from "../../engine/request/run.js";
import type { CompiledOperation, Executor } from "../../engine/execution/executor.js";
import {
  idempotentRequest,
  REPLAYED_HEADER,
  type IdempotentRequest,
} from "../../engine/idempotency/idempotent-request.js";
import type { DocumentLimits } from "../../engine/limits/document-limits.js";
import { bindBody } from "./bind-body.js";
import {
  readFilter,
  readId,
  readPaging,
  readSort,
  readValue,
  words,
  type Paging,
  type Query,
} from "./bind-query.js";
import { sendRead } from "./conditional-reply.js";
import type { DynamicLoading, Wanted } from "./dynamic-loading.js";
import { toSnakeCase } from "./naming.js";
import { pageHeaders } from "./page-links.js";
import type { RestRoute } from "./rest-route.js";

const MAX_VARIANTS = 200;
const LIST_VARIABLES: ReadonlySet<string> = new Set([
  "filter",
  "orderBy",
  "first",
  "after",
  "offset",
  "input",
]);

/** Of operations that take none. */
const NO_BODY = new GraphQLInputObjectType({ name: "NoBody", fields: {} });

/** What routes share. */
export interface RestEngines {
  readonly executor: Executor;
  readonly limits: DocumentLimits;
  readonly dynamicLoading: DynamicLoading;
}

/** A route's operation with what a request wants loaded along. */
interface Variant {
  readonly document: DocumentNode;
  readonly operation: CompiledOperation;
}

interface Page {
  nodes: unknown[];
  total_count?: number;
  page_info?: { hasNextPage: boolean; endCursor: string | null };
}

/** Answers one route: request → variables → compiled operation → answer. It holds no rule of its own. */
export class RestHandler {
  private readonly variants = new LRUCache<string, Variant>({ max: MAX_VARIANTS });

  private readonly variantsBySpelling = new LRUCache<string, Variant>({ max: MAX_VARIANTS });

  constructor(
    readonly route: RestRoute,
    private readonly engines: RestEngines,
    private readonly publicUrl: (request: FastifyRequest) => string,
  ) {}

  /** Variables that the path alone gives: who may act, and on what, is decided by these. */
  pathVariables(request: FastifyRequest): Record<string, unknown> {
    const params = request.params as Record<string, string>;
    const entries = this.route.pathParameters.map((name) => {
      const type = this.route.variables.get(name);
      const text = params[name] as string;
      return [name, type !== undefined && getNamedType(type) === GraphQLInt ? readId(text) : text] as const;
    });
    return Object.fromEntries(entries);
  }

  async answer(request: FastifyRequest, reply: FastifyReply, context: RequestContext): Promise<FastifyReply> {
    const query = request.query as Query;
    const paging = this.route.isPaged ? readPaging(query) : null;
    const { operation, document } = this.variant(query, paging);
    const variables = this.variables(request, context, paging);
    this.engines.limits.assertCost(document, variables);
    context.idempotency = this.idempotency(request, context);
    const result = await operation.run(context, variables);
    if (context.idempotency?.replayed === true) reply.header(...REPLAYED_HEADER);
    const data = dataOf(result);
    return this.reply(request, reply, data[this.route.root], paging);
  }

  /** All variables, the page's among them. */
  variables(
    request: FastifyRequest,
    context: RequestContext,
    paging: Paging | null,
  ): Record<string, unknown> {
    const query = request.query as Query;
    const variables = this.pathVariables(request);
    for (const [name, type] of this.route.variables) {
      const text = query[toSnakeCase(name)];
      if (name in variables || LIST_VARIABLES.has(name) || text === undefined) continue;
      variables[name] = readValue(text, type);
    }
    this.bindInput(request, context, variables);
    const { variables: types } = this.route;
    const filterType = types.get("filter");
    const orderType = types.get("orderBy");
    if (filterType !== undefined) variables["filter"] = readFilter(query, filterType);
    if (orderType !== undefined) variables["orderBy"] = readSort(query, orderType);
    if (paging === null) return variables;
    variables["first"] = paging.perPage;
    if (paging.page === null) variables["after"] = paging.cursor;
    else variables["offset"] = (paging.page - 1) * paging.perPage;
    return variables;
  }

  private bindInput(
    request: FastifyRequest,
    context: RequestContext,
    variables: Record<string, unknown>,
  ): void {
    const type = this.route.variables.get("input") ?? NO_BODY;
    const { value, unknown, wrong } = bindBody(request.body ?? {}, type);
    if (isStrict(request)) context.inputErrors.push(...unknown);
    if (type === NO_BODY) return;
    variables["input"] = value;
    for (const name of this.route.bodyVariables) {
      const given = (value as Readonly<Record<string, unknown>> | null)?.[name];
      if (given != null) variables[name] = given;
    }
    context.inputErrors.push(...wrong);
  }

  private idempotency(
    { method, url, body }: FastifyRequest,
    { idempotencyKey }: RequestContext,
  ): IdempotentRequest | null {
    if (idempotencyKey === undefined || !this.route.takesIdempotencyKey) return null;
    return idempotentRequest(idempotencyKey, `${method} ${url}`, body);
  }

  private variant(query: Query, paging: Paging | null): Variant {
    const mode = paging === null ? null : paging.page === null ? "cursor" : "number";
    const spelling = this.spellingOf(query, mode);
    const known = spelling === null ? undefined : this.variantsBySpelling.get(spelling);
    if (known !== undefined) return known;
    const variant = this.readVariant(query, mode);
    if (spelling !== null) this.variantsBySpelling.set(spelling, variant);
    return variant;
  }

  /** What the request says of its variant, word for word; `null` for what is said in several parts. */
  private spellingOf({ load = "", fields = "" }: Query, mode: string | null): string | null {
    if (!this.route.rest.dynamic) return mode ?? "";
    if (typeof load !== "string" || typeof fields !== "string") return null;
    return `${mode ?? ""}|${load}|${fields}`;
  }

  private readVariant(query: Query, mode: "cursor" | "number" | null): Variant {
    const wanted = this.wanted(query);
    const key = `${mode ?? ""}|${wanted.load.map((path) => path.join(".")).join()}|${wanted.fields?.join() ?? "*"}`;
    let variant = this.variants.get(key);
    if (variant === undefined) {
      const { route } = this;
      const { executor, dynamicLoading } = this.engines;
      const document = route.document(dynamicLoading.select(route.resource, route.selection, wanted), mode);
      variant = { document, operation: executor.compile(document) };
      this.variants.set(key, variant);
    }
    return variant;
  }

  private wanted(query: Query): Wanted {
    if (!this.route.rest.dynamic) return { load: [], fields: null };
    const { load, fields } = query;
    const loads = load === undefined ? [] : [...new Set(words(load, "load"))].sort();
    const keys = fields === undefined ? [] : [...new Set(words(fields, "fields"))].sort();
    return { load: loads.map((path) => path.split(".")), fields: keys.length === 0 ? null : keys };
  }

  private reply(
    request: FastifyRequest,
    reply: FastifyReply,
    value: unknown,
    paging: Paging | null,
  ): FastifyReply {
    const { rest, isConnection } = this.route;
    if (rest.status === 204) return reply.code(204).send();
    const page = isConnection ? (value as Page) : null;
    if (page !== null && paging !== null) {
      reply.headers(pageHeaders(this.publicUrl(request), paging, page.total_count, page.page_info));
    }
    const body = JSON.stringify(page === null ? value : page.nodes);
    if (this.route.isRead) {
      const isPublic = this.route.isOpen && !("with_deleted" in (request.query as Query));
      return sendRead(request, reply, body, isPublic);
    }
    if (rest.location !== null)
      reply.header("location", this.location(request, rest.location, value as Record<string, unknown>));
    return reply
      .code(rest.status)
      .header("cache-control", "no-store")
      .type("application/json; charset=utf-8")
      .send(body);
  }

  private location(request: FastifyRequest, template: string, value: Record<string, unknown>): string {
    const params = request.params as Record<string, string>;
    return `/api${template.replace(/\{(\w+)\}/gu, (_, name: string) => String(params[name] ?? value[toSnakeCase(name)]))}`;
  }
}

/** @throws the first error of the result, when it has any. */
export function dataOf({ data, errors }: ExecutionResult): Record<string, unknown> {
  if (errors?.[0] !== undefined) throw errors[0];
  return data as Record<string, unknown>;
}

function isStrict(request: FastifyRequest): boolean {
  const prefer = request.headers["prefer"];
  return String(prefer ?? "")
    .split(",")
    .some((preference) => /^\s*handling\s*=\s*"?strict"?\s*$/iu.test(preference));
}
