import type { FastifyReply, FastifyRequest } from "fastify";
import { UNLESS_CHANGED_SINCE } from "../../core/operations/changed-since.js";
import type { ModelName } from "../../core/scope/tenant-models.js";
import { parseMoment } from "../../core/time/moments.js";
import type { Documents, PreparedOperation } from "../../engine/execution/documents.js";
import {
  idempotentRequest,
  REPLAYED_HEADER,
  type IdempotentRequest,
} from "../../engine/idempotency/idempotent-request.js";
import { isLargeResult } from "../../engine/execution/large-results.js";
import { refusedRelation } from "../../engine/loading/relation-resolver.js";
import type { Request } from "../../engine/request/request.js";
import { CHANGED } from "../../engine/execution/run-operation.js";
import type { ChangedVersion, Precondition } from "../../engine/request/run.js";
import type { Paging, Query } from "./bind-query.js";
import { largeReadBody, readBody, rowTag, sendRead, sendUnchanged } from "./conditional-reply.js";
import type { DynamicLoading } from "./dynamic-loading.js";
import { ifMatch, noteUnreadable } from "./if-match.js";
import { toSnakeCase } from "./naming.js";
import { pageHeaders, type Extent } from "./page-links.js";
import { countPreference, tellApplied } from "./preferences.js";
import type { PageMode, RestRoute } from "./rest-route.js";
import { dataOf } from "./result-data.js";
import { RouteVariables } from "./route-variables.js";
import { View } from "./view.js";
import { WrongParameters } from "./wrong-parameters.js";

/** With one of these even an open read is for its caller alone. */
const PRIVATE_PARAMETERS = ["with_deleted", "client_id"] as const;

/** Things that all routes share. */
export interface RestEngines {
  readonly documents: Documents;
  readonly dynamicLoading: DynamicLoading;
}

interface Page extends Extent {
  readonly [key: string]: unknown;
  nodes?: object[];
  /** The keys beside those of the rows, where the route has some. */
  edges?: object[];
  /** The moment at which the answer changes by itself. */
  valid_until?: string | null;
}

/**
 * Answers the requests of one route: request → variables → compiled operation → answer. It holds no rule of its
 * own.
 */
export class RestHandler {
  /** What a request says, read as the variables of the operation. */
  readonly variables: RouteVariables;

  constructor(
    readonly route: RestRoute,
    private readonly engines: RestEngines,
    private readonly publicUrl: (request: FastifyRequest) => string,
    /** The names of the query parameters that the caller may send. */
    parameters: readonly string[],
    /** Answers the resource that this route changes; `null` when it changes none, or none that has a route. */
    private readonly show: RestHandler | null = null,
  ) {
    this.variables = new RouteVariables(route, parameters);
  }

  /** Returns the variables that the path names; access is decided by them alone. */
  pathVariables(request: FastifyRequest): Record<string, unknown> {
    return this.variables.ofPath(request);
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
    const paging = this.variables.paging(query, wrong);
    const bound = this.variables.bind(request, paging, wrong);
    const { variables, inputErrors } = bound;
    if (this.route.takesIfMatch) noteUnreadable(request, wrong);
    const assertNoneWrong = () => wrong.assertNone(() => this.variables.wrongValues(query, bound, asked));
    const count = this.route.isPaged && paging?.page !== null ? countPreference(request) : null;
    const mode = paging?.page === null ? "cursor" : (count ?? "exact");
    const operation = this.operation(view, this.route.isPaged ? mode : null, wrong, assertNoneWrong);
    assertNoneWrong();
    await request.account.charge(operation.assertAffordable(variables, request.turn).requested);
    const idempotency = this.idempotency(request, asked);
    const precondition = this.precondition(request, asked);
    const { asksForVersion } = this.route;
    const options = { inputErrors, idempotency, precondition, asksForVersion };
    const result = await operation.run(asked, variables, options);
    if (idempotency?.replayed === true) reply.header(...REPLAYED_HEADER);
    const data = dataOf(result)[this.route.root];
    if (paging !== null) {
      const extent = await this.extent(asked, paging, data, variables);
      const carried = this.route.isConnection ? this.route.carriedBy(data as Page) : {};
      const isEndless = this.route.rest.endless;
      reply.headers(pageHeaders(this.publicUrl(request), paging, extent, { isEndless, carried }));
      if (count !== null) tellApplied(reply, `count=${count}`);
    }
    const etag = this.etag(data, result.extensions?.[CHANGED] as ChangedVersion | undefined);
    if (etag !== null) reply.header("etag", etag);
    return this.reply(request, reply, data, { asked, view, isLarge: isLargeResult(result) });
  }

  private precondition(request: FastifyRequest, asked: Request): Precondition | null {
    const { takesIfMatch, operation } = this.route;
    if (!takesIfMatch || operation.changedRow === null) return null;
    const { model } = operation.changedRow;
    const includesDeleted = operation.idArguments.some((argument) => argument.includesDeleted);
    return ifMatch({ request, asked }, { model, show: this.show, includesDeleted });
  }

  /** Returns the ETag of the row that the route has changed or created; `null` for any other route. */
  private etag(data: unknown, changed: ChangedVersion | undefined): string | null {
    const { asksForVersion, answersRow, operation, resource } = this.route;
    if (asksForVersion)
      return changed === undefined ? null : rowTag(operation.changedRow?.model as ModelName, changed);
    return answersRow ? rowTag(resource as ModelName, data as ChangedVersion) : null;
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

  /** Returns the operations that requests which want nothing special ask for, and the one that loads all relations along. */
  usualOperations(): PreparedOperation[] {
    const modes: readonly (PageMode | null)[] = this.route.isPaged ? ["exact", "cursor"] : [null];
    const whole = modes.map((mode) => this.usualOperation(View.whole, mode));
    if (!this.route.rest.dynamic) return whole;
    const load = this.engines.dynamicLoading.loadable(this.route.resource);
    return [...whole, this.usualOperation(View.of({ load }, new WrongParameters()), modes.at(-1) ?? null)];
  }

  private usualOperation(view: View, mode: PageMode | null): PreparedOperation {
    return this.operation(view, mode, new WrongParameters(), () => undefined);
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
      const { fields } = wanted;
      const keys = route.keysBesideRows;
      const beside = keys.filter((key) => fields?.includes(key) ?? true);
      const ofRows = { ...wanted, fields: fields?.filter((key) => !keys.includes(key)) ?? null };
      const selection = engines.dynamicLoading.select(route.resource, route.selection, ofRows, wrong, keys);
      assertNoneWrong();
      return route.document(selection, mode, beside);
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

  private async reply(
    request: FastifyRequest,
    reply: FastifyReply,
    value: unknown,
    { asked: { at, turn }, view, isLarge }: { asked: Request; view: View; isLarge: boolean },
  ): Promise<FastifyReply> {
    const { rest, isConnection } = this.route;
    if (rest.status === 204) return reply.code(204).send();
    const page = isConnection ? (value as Page) : null;
    if (page !== null) reply.headers(this.route.headersOf(page));
    const reuse = { isPublic: this.isPublic(request), maxAge: maxAgeOf(rest.maxAge, page, at) };
    // A read with `updated_at` answers null when nothing has changed since.
    if (value === null && this.variables.named.includes(UNLESS_CHANGED_SINCE))
      return sendUnchanged(reply, reuse);
    const instead = this.route.insteadKey === null ? null : page?.[this.route.insteadKey];
    const shown =
      page === null ? this.route.named(this.route.flattened(value)) : (instead ?? this.route.rowsOf(page));
    if (this.route.isRead) {
      const body = isLarge ? await largeReadBody(shown, turn) : readBody(JSON.stringify(shown));
      return sendRead(request, reply, body, view.mark, reuse);
    }
    const body = JSON.stringify(shown);
    if (rest.location !== null)
      reply.header("location", this.location(request, rest.location, value as Record<string, unknown>));
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

/** For how many seconds an answer may be kept: not beyond the moment at which it changes by itself. */
function maxAgeOf(most: number, page: Page | null, at: Date): number {
  const until = typeof page?.valid_until === "string" ? parseMoment(page.valid_until) : null;
  if (until === null) return most;
  return Math.max(0, Math.min(most, Math.floor((until.getTime() - at.getTime()) / 1_000)));
}
