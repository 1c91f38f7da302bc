import type { FastifyRequest } from "fastify";
import {
  getNamedType,
  getNullableType,
  GraphQLBoolean,
  GraphQLInputObjectType,
  type GraphQLInputType,
  isListType,
  isNullableType,
} from "graphql";
import { suggestionList } from "graphql/jsutils/suggestionList.js";
import type { FieldError } from "../../core/errors/domain-error.js";
import { MAX_UNPAGED_ROWS } from "../../core/lists/list-page.js";
import type { Request } from "../../engine/request/request.js";
import { argumentOf, isOfList } from "../../engine/schema/operation.js";
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
import { toSnakeCase } from "./naming.js";
import { isStrict } from "./preferences.js";
import { queryVariables } from "./query-parameters.js";
import type { RestRoute } from "./rest-route.js";
import { namesAllowed, type WrongParameters } from "./wrong-parameters.js";
import { WrittenNames } from "./written-names.js";

/** The input type of operations that take no input. */
const NO_BODY = new GraphQLInputObjectType({ name: "NoBody", fields: {} });

/** The variables of a request, and the wrong fields that were found before the variables were given their types. */
export interface BoundRequest {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly inputErrors: readonly FieldError[];
}

/**
 * The way from a request of one route to the variables of its operation: path, query, page and body. What is wrong is noted
 * and reported later, together with all else.
 */
export class RouteVariables {
  /** The variables that parameters of the same name fill. */
  readonly named: readonly string[];
  /** The parameters of the path, and what type each id has, which is a number; `null` for a text. */
  private readonly inPath: readonly { readonly name: string; readonly id: "Int" | "SafeInt" | null }[];

  constructor(
    private readonly route: RestRoute,
    /** The names of the query parameters that the caller may send. */
    private readonly parameters: readonly string[],
  ) {
    this.named = queryVariables(route);
    this.inPath = route.pathParameters.map((name) => {
      const type = getNamedType(route.variables.get(name))?.name;
      return { name, id: type === "Int" || type === "SafeInt" ? type : null };
    });
  }

  /** Returns the variables that the path names; access is decided by them alone. */
  ofPath(request: FastifyRequest): Record<string, unknown> {
    const params = request.params as Record<string, string>;
    const variables: Record<string, unknown> = {};
    for (const { name, id } of this.inPath) {
      const text = params[name] as string;
      variables[name] = id === null ? text : readId(text, id === "SafeInt");
    }
    return variables;
  }

  /** Returns the page that the query asks for; `null` for a route without pages. */
  paging(query: Query, wrong: WrongParameters): Paging | null {
    if (this.route.isPaged && !this.isUnpaged(query))
      return readPaging(query, wrong, this.route.rest.endless);
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
    const variables = this.ofPath(request);
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
    if (orderType !== undefined) {
      const order = readSort(query, orderType, wrong);
      if (order !== undefined) variables["orderBy"] = order;
    } else if (this.route.isPaged && !strict) refuseSort(query, wrong);
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
    const { value, unknown, wrong } = bindBody(request.body, type, this.route.bodyArgument);
    const errors = [...(strict ? unknown : []), ...wrong];
    if (type === NO_BODY) return errors;
    variables["input"] = value;
    for (const name of this.route.bodyVariables) {
      const given = (value as Readonly<Record<string, unknown>> | null)?.[name];
      if (given != null) variables[name] = given;
    }
    return errors;
  }

  /** Returns the wrong parameters that are not noted yet: values that could be read, and flags that are none. */
  wrongValues(query: Query, { variables, inputErrors }: BoundRequest, { at }: Request): FieldError[] {
    const { operation } = this.route;
    const args = structuredClone(this.route.argumentsOf(variables));
    const { errors } = operation.check(args, { at, timeZoneOffset: "+00:00" });
    const isOfQuery = (error: FieldError): boolean => {
      const argument = argumentOf(error.field);
      const variable = this.route.parameterOf(argument) ?? argument;
      return isOfList(error, operation) || this.named.includes(variable);
    };
    return asWritten([...inputErrors, ...errors].filter(isOfQuery), query, this.route);
  }
}
