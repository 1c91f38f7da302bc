import type { FastifyReply, FastifyRequest } from "fastify";
import {
  getNamedType,
  getNullableType,
  GraphQLBoolean,
  GraphQLInputObjectType,
  GraphQLInt,
  type GraphQLInputType,
  isListType,
  isNullableType,
} from "graphql";
import { suggestionList } from "graphql/jsutils/suggestionList.js";
import type { FieldError } from "../../core/errors/domain-error.js";
import { MAX_UNPAGED_ROWS } from "../../core/lists/list-page.js";
import { UNLESS_CHANGED_SINCE } from "../../core/operations/changed-since.js";
import type { ModelName } from "../../core/scope/tenant-models.js";
import { parseMoment } from "../../core/time/moments.js";
import type { Documents, PreparedOperation } from "../../engine/execution/documents.js";
import {
  idempotentRequest,
  REPLAYED_HEADER,
  type IdempotentRequest,
} from "../../engine/idempotency/idempotent-request.js";
import { isOfList } from "../../engine/schema/operation.js";
import { refusedRelation } from "../../engine/loading/relation-resolver.js";
import type { Request } from "../../engine/request/request.js";
import type { Precondition } from "../../engine/request/run.js";
import { bindBody } from "./bind-body.js";
import {
  asWritten,
  GIVEN_TWICE,
  readFilter,
  readId,
  readPaging,
  readPart,
  readSort,
  readValue,
  refuseSort,
  type Paging,
  type Query,
} from "./bind-query.js";
import { rowTag, sendRead, sendUnchanged } from "./conditional-reply.js";
import type { DynamicLoading } from "./dynamic-loading.js";
import { ifMatch, noteUnreadable } from "./if-match.js";
import { toSnakeCase } from "./naming.js";
import { pageHeaders, type Extent } from "./page-links.js";
import { countPreference, isStrict, tellApplied } from "./preferences.js";
import { queryVariables } from "./query-parameters.js";
import type { PageMode, RestRoute } from "./rest-route.js";
import { dataOf } from "./result-data.js";
import { View } from "./view.js";
import { namesAllowed, WrongParameters } from "./wrong-parameters.js";
import { WrittenNames } from "./written-names.js";

/** The input type of operations that take no input. */
const NO_BODY = new GraphQLInputObjectType({ name: "NoBody", fields: {} });

/** With one of these even an open read is for its caller alone. */
const PRIVATE_PARAMETERS = ["with_deleted", "client_id"] as const;

/** Things that all routes share. */
export interface RestEngines {
  readonly documents: Documents;
  readonly dynamicLoading: DynamicLoading;
}

/** The variables of a request, and the wrong fields that were found before the variables were given their types. */
export interface BoundRequest {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly inputErrors: readonly FieldError[];
}

interface Page extends Extent {
  readonly [key: string]: unknown;
  nodes: unknown[];
  /** The moment at which the answer changes by itself. */
  valid_until?: string | null;
}

/**
 * Answers the requests of one route: request → variables → compiled operation → answer. It holds no rule of its
 * own.
 */
export class RestHandler {
  /** The variables that parameters of the same name fill. */
  private readonly named: readonly string[];
  /** The parameters of the path, and whether each is an id, which is a number. */
  private readonly inPath: readonly { readonly name: string; readonly isId: boolean }[];

  constructor(
    readonly route: RestRoute,
    private readonly engines: RestEngines,
    private readonly publicUrl: (request: FastifyRequest) => string,
    /** The names of the query parameters that the caller may send. */
    private readonly parameters: readonly string[],
    /** Answers the resource that this route changes; `null` when it changes none, or none that has a route. */
    private readonly show: RestHandler | null = null,
  ) {
    this.named = queryVariables(route);
    this.inPath = route.pathParameters.map((name) => {
      const type = route.variables.get(name);
      return { name, isId: type !== undefined && getNamedType(type) === GraphQLInt };
    });
  }

  /** Returns the variables that the path names; access is decided by them alone. */
  pathVariables(request: FastifyRequest): Record<string, unknown> {
    const params = request.params as Record<string, string>;
    const variables: Record<string, unknown> = {};
    for (const { name, isId } of this.inPath) {
      const text = params[name] as string;
      variables[name] = isId ? readId(text) : text;
    }
    return variables;
  }

  /** @param wrong has the wrong parameters that were found before. */
  async answer(
    request: FastifyRequest,
    reply: FastifyReply,
    asked: Request,
    wrong: WrongParameters,
  ): Promise<FastifyReply> {
    const query = request.query as Query;
    const view = this.view(query, wrong);
    await this.assertMayLoad(request, asked, view);
    const paging = this.paging(query, wrong);
    const bound = this.bind(request, paging, wrong);
    const { variables, inputErrors } = bound;
    if (this.route.takesIfMatch) noteUnreadable(request, wrong);
    const assertNoneWrong = () => wrong.assertNone(() => this.wrongValues(query, bound, asked));
    const count = this.route.isPaged && paging?.page !== null ? countPreference(request) : null;
    const mode = paging?.page === null ? "cursor" : (count ?? "exact");
    const operation = this.operation(view, this.route.isPaged ? mode : null, wrong, assertNoneWrong);
    assertNoneWrong();
    await request.account.charge(operation.assertAffordable(variables).requested);
    const idempotency = this.idempotency(request, asked);
    const precondition = this.precondition(request, asked);
    const result = await operation.run(asked, variables, { inputErrors, idempotency, precondition });
    if (idempotency?.replayed === true) reply.header(...REPLAYED_HEADER);
    const data = dataOf(result)[this.route.root];
    if (paging !== null) {
      const extent = await this.extent(asked, paging, data, variables);
      reply.headers(pageHeaders(this.publicUrl(request), paging, extent));
      if (count !== null) tellApplied(reply, `count=${count}`);
    }
    return this.reply(request, reply, data, { asked, view });
  }

  private precondition(request: FastifyRequest, asked: Request): Precondition | null {
    const { takesIfMatch, operation } = this.route;
    if (!takesIfMatch || operation.changedRow === null) return null;
    const { model } = operation.changedRow;
    const includesDeleted = operation.idArguments.some((argument) => argument.includesDeleted);
    return ifMatch({ request, asked }, { model, show: this.show, includesDeleted });
  }

  private paging(query: Query, wrong: WrongParameters): Paging | null {
    if (this.route.isPaged && !this.isUnpaged(query)) return readPaging(query, wrong);
    if (this.route.isPaged) return { page: 1, perPage: MAX_UNPAGED_ROWS, cursor: null };
    return this.route.isWhole ? readPart(query, wrong) : null;
  }

  /** Whether the caller wants the rows of a paged list on one page: `paginate=false`. */
  private isUnpaged({ paginate }: Query): boolean {
    const type = this.route.variables.get("paginate");
    return type !== undefined && readValue(paginate, type) === false;
  }

  /** Returns all variables, those of the page included. */
  bind(request: FastifyRequest, paging: Paging | null, wrong: WrongParameters): BoundRequest {
    const query = request.query as Query;
    const variables = this.pathVariables(request);
    const mistyped: FieldError[] = [];
    for (const name of this.named) {
      const type = this.route.variables.get(name) as GraphQLInputType;
      const text = query[toSnakeCase(name)];
      if (text === undefined || (text === "" && isNullableType(type))) continue;
      if (Array.isArray(text) && !isListType(getNullableType(type))) {
        mistyped.push({ field: name, ...GIVEN_TWICE });
        variables[name] = readValue(text[0], type);
        continue;
      }
      const value = readValue(text, type);
      const isWrong = getNamedType(type) === GraphQLBoolean && typeof value !== "boolean";
      if (isWrong) mistyped.push({ field: name, rule: "type", message: "must be boolean" });
      else variables[name] = value;
    }
    const strict = isStrict(request);
    if (strict) this.noteUnknown(query, wrong);
    const inputErrors = [...mistyped, ...this.bindInput(request, variables, strict)];
    const { variables: types } = this.route;
    const filterType = types.get("filter");
    const orderType = types.get("orderBy");
    // Brackets that are not whole may make another parameter of it.
    const isFiltered = query["filter"] !== undefined || request.url.includes("filter");
    if (filterType !== undefined && isFiltered)
      variables["filter"] = readFilter(query, filterType, { wrong, names: new WrittenNames(request.url) });
    if (orderType !== undefined) variables["orderBy"] = readSort(query, orderType, wrong);
    else if (this.route.isPaged && !strict) refuseSort(query, wrong);
    if (paging === null) return { variables, inputErrors };
    if (this.route.isPaged && !this.isUnpaged(query)) variables["first"] = paging.perPage;
    if (paging.page === null) variables["after"] = paging.cursor;
    else variables["offset"] = (paging.page - 1) * paging.perPage;
    return { variables, inputErrors };
  }

  private noteUnknown(query: Query, wrong: WrongParameters): void {
    for (const name of Object.keys(query)) {
      if (this.parameters.includes(name)) continue;
      const [near] = suggestionList(name, this.parameters);
      const others = near === undefined ? namesAllowed(this.parameters) : `did you mean ${near}?`;
      wrong.add(name, "unknown", `is no parameter of this operation; ${others}`);
    }
  }

  /**
   * Binds the body to `input`.
   *
   * @returns the wrong fields of the body's shape.
   */
  private bindInput(
    request: FastifyRequest,
    variables: Record<string, unknown>,
    strict: boolean,
  ): FieldError[] {
    const type = this.route.variables.get("input") ?? NO_BODY;
    if (type === NO_BODY && request.body === undefined) return [];
    const { value, unknown, wrong } = bindBody(request.body, type);
    const errors = strict ? [...unknown] : [];
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
  async assertMayLoad(
    { rest }: FastifyRequest,
    { admissions }: Request,
    { wanted: { load } }: View,
  ): Promise<void> {
    const company = rest?.company ?? null;
    if (company === null || load.length === 0) return;
    for (const access of this.engines.dynamicLoading.accessesOf(this.route.resource, load)) {
      if (!(await admissions.mayFollow(access, company.id))) throw refusedRelation(access);
    }
  }

  /** Returns the wrong list arguments that are not noted yet: values that fit their types, and flags that are none. */
  wrongValues(query: Query, { variables, inputErrors }: BoundRequest, { at }: Request): FieldError[] {
    const { operation } = this.route;
    const args = structuredClone(this.route.argumentsOf(variables));
    const { errors } = operation.check(args, { at, timeZoneOffset: "+00:00" });
    return asWritten([...inputErrors, ...errors].filter(isOfList), query);
  }

  /**
   * Returns the operation that answers what a query wants of the resource.
   *
   * @throws DomainError BAD_REQUEST for names that the resource does not have.
   */
  answering(query: Query): PreparedOperation {
    const wrong = new WrongParameters();
    const view = this.view(query, wrong);
    wrong.assertNone();
    return this.operation(view, null, wrong, () => wrong.assertNone());
  }

  /**
   * Returns the route's operation with the relations that the request wants loaded along.
   *
   * @param assertNoneWrong is called before an operation is made, so that none is made of wrong names.
   */
  private operation(
    { name, wanted }: View,
    mode: PageMode | null,
    wrong: WrongParameters,
    assertNoneWrong: () => void,
  ): PreparedOperation {
    const { route, engines } = this;
    return engines.documents.ownOperation(`${route.name} ${mode ?? ""} ${name}`, () => {
      const selection = engines.dynamicLoading.select(route.resource, route.selection, wanted, wrong);
      assertNoneWrong();
      return route.document(selection, mode);
    });
  }

  private view(query: Query, wrong: WrongParameters): View {
    const { rest, takesFields } = this.route;
    if (!rest.dynamic) return View.whole;
    return View.of(takesFields ? query : { load: query["load"] }, wrong);
  }

  /**
   * Returns how far the list goes. A list without pages is counted only where it does not end in the rows at hand.
   */
  private async extent(
    asked: Request,
    paging: Paging,
    value: unknown,
    variables: Readonly<Record<string, unknown>>,
  ): Promise<Extent> {
    if (this.route.isConnection) return value as Page;
    const { count } = this.route;
    const rows = (value as readonly unknown[]).length;
    const before = ((paging.page ?? 1) - 1) * paging.perPage;
    const isEnd = rows < paging.perPage && (rows > 0 || before === 0);
    if (isEnd || count === null) return { total_count: before + rows };
    const counting = this.engines.documents.ownOperation(count.name, () => count.ownDocument);
    const named = Object.entries(variables).filter(([name]) => count.variables.has(name));
    const counted = dataOf(await counting.run(asked, Object.fromEntries(named)))[count.root];
    return typeof counted === "number" ? { total_count: counted } : (counted as Page);
  }

  private reply(
    request: FastifyRequest,
    reply: FastifyReply,
    value: unknown,
    { asked: { at }, view }: { asked: Request; view: View },
  ): FastifyReply {
    const { rest, isConnection } = this.route;
    if (rest.status === 204) return reply.code(204).send();
    const page = isConnection ? (value as Page) : null;
    const reuse = { isPublic: this.isPublic(request), maxAge: maxAgeOf(rest.maxAge, page, at) };
    // A read with `updated_at` answers null when nothing has changed since.
    if (value === null && this.named.includes(UNLESS_CHANGED_SINCE)) return sendUnchanged(reply, reuse);
    const instead = this.route.insteadKey === null ? null : page?.[this.route.insteadKey];
    const body = JSON.stringify(page === null ? this.route.flattened(value) : (instead ?? page.nodes));
    if (this.route.isRead) {
      return sendRead(request, reply, body, view.mark, reuse);
    }
    if (rest.location !== null)
      reply.header("location", this.location(request, rest.location, value as Record<string, unknown>));
    if (this.route.answersRow) reply.header("etag", rowTagOf(this.route.resource as ModelName, value as Row));
    return reply
      .code(rest.status)
      .header("cache-control", "no-store")
      .type("application/json; charset=utf-8")
      .send(body);
  }

  private isPublic({ query }: FastifyRequest): boolean {
    return this.route.isOpen && !PRIVATE_PARAMETERS.some((name) => name in (query as Query));
  }

  private location(request: FastifyRequest, template: string, value: Record<string, unknown>): string {
    const params = request.params as Record<string, string>;
    return `/api${template.replace(/\{(\w+)\}/gu, (_, name: string) => String(params[name] ?? value[toSnakeCase(name)]))}`;
  }
}

/** The keys of an answered row by which its ETag is made. */
interface Row {
  readonly id: number;
  readonly updated_at: string;
}

function rowTagOf(model: ModelName, { id, updated_at: updatedAt }: Row): string {
  return rowTag(model, { id, updatedAt: parseMoment(updatedAt) as Date });
}

/** For how many seconds an answer may be kept: not beyond the moment at which it changes by itself. */
function maxAgeOf(most: number, page: Page | null, at: Date): number {
  const until = typeof page?.valid_until === "string" ? parseMoment(page.valid_until) : null;
  if (until === null) return most;
  return Math.max(0, Math.min(most, Math.floor((until.getTime() - at.getTime()) / 1_000)));
}
