import type { DynamicLoading } from "./dynamic-loading.js";
import { LIST_VARIABLES } from "./list-arguments.js";
import { toSnakeCase } from "./naming.js";
import type { RestRoute } from "./rest-route.js";

/** REST fills these variables in other ways than from a parameter of the same name. */
const NOT_BY_NAME: ReadonlySet<string> = new Set([...LIST_VARIABLES, "input"]);

/** The parameters that fill no variable of the same name. */
export type OwnParameter =
  | "page"
  | "per_page"
  | "cursor"
  | "filter"
  | "sort"
  | "load"
  | "fields"
  | "format"
  | "columns"
  | "delimiter"
  | "bom"
  | "decimals"
  | "report";

/** A query parameter of a route: one of REST's own, or the one that fills a variable. */
export type QueryParameter =
  | { readonly name: OwnParameter; readonly variable: null }
  | { readonly name: string; readonly variable: string };

/** Returns the query parameters that a route takes, in the order of the reference, which shows exactly these. */
export function queryParameters(route: RestRoute, dynamicLoading: DynamicLoading): QueryParameter[] {
  const { variables, rest } = route;
  const own = (isTaken: boolean, ...names: OwnParameter[]): QueryParameter[] =>
    isTaken ? names.map((name) => ({ name, variable: null })) : [];
  return [
    ...queryVariables(route).map((variable) => ({ name: toSnakeCase(variable), variable })),
    ...own(route.isPaged && !route.rest.endless, "page"),
    ...own(route.isPaged, "per_page", "cursor"),
    ...own(route.isWhole, "page"),
    ...own(variables.has("filter"), "filter"),
    ...own(variables.has("orderBy"), "sort"),
    ...own(rest.dynamic && dynamicLoading.loadable(route.resource).length > 0, "load"),
    ...own(route.takesFields, "fields"),
    ...own(route.table !== null, "format", "columns", "delimiter", "bom", "decimals"),
    ...own(route.table?.rest.report === true, "report"),
  ];
}

/** Returns the names of the variables that are filled from query parameters of the same name. */
export function queryVariables(route: RestRoute): string[] {
  return [...route.variables.keys()].filter(
    (name) =>
      !NOT_BY_NAME.has(name) && !route.pathParameters.includes(name) && !route.bodyVariables.includes(name),
  );
}
