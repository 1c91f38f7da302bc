import type { FastifyReply, FastifyRequest } from "fastify";
import { getNamedType, GraphQLBoolean, GraphQLInputObjectType, GraphQLInt } from "graphql";
import type { FieldError } from "../../core/errors/domain-error.js";
import type { Documents, PreparedOperation } from "../../engine/execution/documents.js";
import {
  idempotentRequest,
  REPLAYED_HEADER,
  type IdempotentRequest,
} from "../../engine/idempotency/idempotent-request.js";
import { refusedRelation } from "../../engine/loading/relation-resolver.js";
import type { Request } from "../../engine/request/request.js";
import type { ChargeCost } from "../http/rate-limit-hook.js";
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
import { ifMatch, viewOfQuery } from "./if-match.js";
import { toSnakeCase } from "./naming.js";
import { pageHeaders } from "./page-links.js";
import type { RestRoute } from "./rest-route.js";
import { dataOf } from "./result-data.js";

const LIST_VARIABLES: ReadonlySet<string> = new Set([
  "filter",
  "orderBy",
  "first",
  "after",
  "offset",
  "input",
]);

/** The input type of operations that take no input. */
const NO_BODY = new GraphQLInputObjectType({ name: "NoBody", fields: {} });

/** Things that all routes share. */
export interface RestEngines {
  readonly documents: Documents;
  readonly dynamicLoading: DynamicLoading;
  readonly charge: ChargeCost;
}

/** The variables of a request, and the wrong fields that were found before the variables were given their types. */
export interface BoundRequest {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly inputErrors: readonly FieldError[];
}

interface Page {
  nodes: unknown[];
  total_count?: number;
  page_info?: { hasNextPage: boolean; endCursor: string | null };
}

/**
 * Answers the requests of one route: request → variables → compiled operation → answer. It holds no rule of its
 * own.
 */
export class RestHandler {
  constructor(
    readonly route: RestRoute,
    private readonly engines: RestEngines,
    private readonly publicUrl: (request: FastifyRequest) => string,
    /** Answers the resource that this route changes; `null` when it changes none, or none that has a route. */
    private readonly show: RestHandler | null = null,
  ) {}

  /** Returns the variables that the path names; access is decided by them alone. */
  pathVariables(request: FastifyRequest): Record<string, unknown> {
    const params = request.params as Record<string, string>;
    const entries = this.route.pathParameters.map((name) => {
      const type = this.route.variables.get(name);
      const text = params[name] as string;
      return [name, type !== undefined && getNamedType(type) === GraphQLInt ? readId(text) : text] as const;
    });
    return Object.fromEntries(entries);
  }

  async answer(request: FastifyRequest, reply: FastifyReply, asked: Request): Promise<FastifyReply> {
    const query = request.query as Query;
    await this.assertMayLoad(request, asked);
    const paging = this.route.isPaged ? readPaging(query) : null;
    const operation = this.operation(query, paging);
    const { variables, inputErrors } = this.bind(request, paging);
    await this.engines.charge(request, reply, operation.assertAffordable(variables).requested);
    const idempotency = this.idempotency(request, asked);
    const { idArguments } = this.route.operation;
    const includesDeleted = idArguments.some((argument) => argument.includesDeleted);
    const precondition = this.show === null ? null : ifMatch(this.show, { request, asked, includesDeleted });
    const result = await operation.run(asked, variables, { inputErrors, idempotency, precondition });
    if (idempotency?.replayed === true) reply.header(...REPLAYED_HEADER);
    const data = dataOf(result);
    return this.reply(request, reply, data[this.route.root], paging);
  }

  /** Returns all variables, those of the page included. */
  bind(request: FastifyRequest, paging: Paging | null): BoundRequest {
    const query = request.query as Query;
    const variables = this.pathVariables(request);
    const wrong: FieldError[] = [];
    for (const [name, type] of this.route.variables) {
      const text = query[toSnakeCase(name)];
      if (name in variables || LIST_VARIABLES.has(name) || text === undefined) continue;
      const value = readValue(text, type);
      const isWrong = getNamedType(type) === GraphQLBoolean && typeof value !== "boolean";
      if (isWrong) wrong.push({ field: name, rule: "type", message: "must be boolean" });
      else variables[name] = value;
    }
    const inputErrors = [...wrong, ...this.bindInput(request, variables)];
    const { variables: types } = this.route;
    const filterType = types.get("filter");
    const orderType = types.get("orderBy");
    if (filterType !== undefined) variables["filter"] = readFilter(query, filterType);
    if (orderType !== undefined) variables["orderBy"] = readSort(query, orderType);
    if (paging === null) return { variables, inputErrors };
    variables["first"] = paging.perPage;
    if (paging.page === null) variables["after"] = paging.cursor;
    else variables["offset"] = (paging.page - 1) * paging.perPage;
    return { variables, inputErrors };
  }

  /**
   * Binds the body to `input`.
   *
   * @returns the wrong fields of the body's shape.
   */
  private bindInput(request: FastifyRequest, variables: Record<string, unknown>): FieldError[] {
    const type = this.route.variables.get("input") ?? NO_BODY;
    const { value, unknown, wrong } = bindBody(request.body ?? {}, type);
    const errors = isStrict(request) ? [...unknown] : [];
    if (type === NO_BODY) return errors;
    variables["input"] = value;
    for (const name of this.route.bodyVariables) {
      const given = (value as Readonly<Record<string, unknown>> | null)?.[name];
      if (given != null) variables[name] = given;
    }
    return [...errors, ...wrong];
  }

  private idempotency(
    { method, url, body }: FastifyRequest,
    { idempotencyKey }: Request,
  ): IdempotentRequest | null {
    if (idempotencyKey === undefined || !this.route.takesIdempotencyKey) return null;
    return idempotentRequest(idempotencyKey, `${method} ${url}`, body);
  }

  /**
   * Checks that the caller may follow the relations that `load` names, before anything is read.
   *
   * @throws DomainError FORBIDDEN.
   */
  private async assertMayLoad({ query, rest }: FastifyRequest, { admissions }: Request): Promise<void> {
    const { load } = query as Query;
    const company = rest?.company ?? null;
    if (load === undefined || company === null || !this.route.rest.dynamic) return;
    const { dynamicLoading } = this.engines;
    for (const access of dynamicLoading.accessesOf(this.route.resource, words(load, "load"))) {
      if (!(await admissions.mayFollow(access, company.id))) throw refusedRelation(access);
    }
  }

  /** Returns the route's operation with the relations that the request wants loaded along. */
  operation(query: Query, paging: Paging | null): PreparedOperation {
    const { route, engines } = this;
    const mode = paging === null ? null : paging.page === null ? "cursor" : "number";
    const asked = route.rest.dynamic ? JSON.stringify([query["load"], query["fields"]]) : "";
    return engines.documents.ownOperation(`${route.name} ${mode ?? ""} ${asked}`, () =>
      route.document(
        engines.dynamicLoading.select(route.resource, route.selection, this.wanted(query)),
        mode,
      ),
    );
  }

  private wanted(query: Query): Wanted {
    if (!this.route.rest.dynamic) return { load: [], fields: null };
    const { load, fields } = query;
    const loads = load === undefined ? [] : [...new Set(words(load, "load"))].sort();
    const keys = fields === undefined ? [] : [...new Set(words(fields, "fields"))].sort();
    return { load: loads, fields: keys.length === 0 ? null : keys };
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
    const body = JSON.stringify(page === null ? this.route.flattened(value) : page.nodes);
    if (this.route.isRead) {
      const isPublic = this.route.isOpen && !("with_deleted" in (request.query as Query));
      const view = this.route.rest.dynamic ? viewOfQuery(request.query as Query) : "";
      return sendRead(request, reply, body, { view, isPublic });
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

function isStrict(request: FastifyRequest): boolean {
  const prefer = request.headers["prefer"];
  return String(prefer ?? "")
    .split(",")
    .some((preference) => /^\s*handling\s*=\s*"?strict"?\s*$/iu.test(preference));
}
