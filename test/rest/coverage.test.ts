import { readFileSync } from "node:fs";
import { sharedOpenApi } from "../support/openapi.js";

interface Endpoint {
  readonly area: string;
  readonly method: string;
  readonly path: string;
  readonly auth: boolean;
  readonly pagination: boolean;
  readonly filters: boolean;
  readonly dynamicLoading: boolean;
}

/** The 162 REST operations that the service is to have, with their markers. */
const endpoints = JSON.parse(readFileSync(new URL("endpoints.json", import.meta.url), "utf8")) as Endpoint[];
const routes = sharedOpenApi().source.routes.map((route) => ({
  method: route.rest.method,
  path: route.rest.path,
  auth: !route.isOpen,
  pagination: route.isPaged,
  filters: route.variables.has("filter"),
  dynamicLoading: route.rest.dynamic,
}));

/** Writes a path so that two paths are equal when only the names of their parameters differ. */
const keyOf = ({ method, path }: { method: string; path: string }): string =>
  `${method} ${path.replace(/\{\w+\}/gu, "{}")}`;
const routeByKey = new Map(routes.map((route) => [keyOf(route), route]));
const endpointKeys = new Set(endpoints.map(keyOf));

/** Further paths: signing in (contract §3.2), following jobs (contract §17), jobs of imports, the journal (contract §18.1), usage (contract §8.4), facets of a search (contract §20.2), and what is kept of a client (contract §16.4). */
const BEYOND = [
  /^\/auth\//u,
  /^\/me$/u,
  /^\/companies\/\{companyId\}\/jobs\/\{jobId\}\/events$/u,
  /^\/companies\/\{companyId\}\/import-jobs\/\{importJobId\}$/u,
  /^\/companies\/\{companyId\}\/changes$/u,
  /^\/companies\/\{companyId\}\/audit-entries(?:\/\{entryId\}\/undo)?$/u,
  /^\/companies\/\{companyId\}\/usage$/u,
  /^\/companies\/\{companyId\}\/goods(?:\/search\/facets)?$/u,
  /^\/companies\/\{companyId\}\/coupon-(?:stats|uses)$/u,
  /^\/companies\/\{companyId\}\/coupons\/(?:consume|hold|return)$/u,
  /^\/companies\/\{companyId\}\/(?:trial-balance|balance-statements?)$/u,
  /^\/companies\/\{companyId\}\/clients\/\{clientId\}\/data$/u,
  /^\/companies\/\{companyId\}\/clients\/\{clientId\}\/balance-(?:movements|statement)$/u,
];

/** Lists that take `load` and `fields` although their markers do not ask for it: what is listed does not tell whom it is about. */
const LOADING_BESIDES = new Set(["/companies/{companyId}/cities/{cityId}/balance-movements/debt"]);

it("knows 162 operations", () => {
  expect(endpoints).toHaveLength(162);
  expect(endpointKeys.size).toBe(162);
});

it.each(endpoints.map((endpoint) => [endpoint.method, endpoint.path, endpoint] as const))(
  "%s %s has its markers and its names",
  (_method, _path, { area: _, ...endpoint }) => {
    const { dynamicLoading, ...marked } = endpoint;
    const route = routeByKey.get(keyOf(endpoint));

    expect(route).toMatchObject(marked);
    // Requests that change something may have more loaded along than they have to.
    const isFurther = route !== undefined && LOADING_BESIDES.has(route.path);
    if ((endpoint.method === "GET" && !isFurther) || dynamicLoading)
      expect(route?.dynamicLoading).toBe(dynamicLoading);
  },
);

it("has no route beyond these but those that are agreed", () => {
  const strangers = routes.filter(
    (route) => !endpointKeys.has(keyOf(route)) && !BEYOND.some((path) => path.test(route.path)),
  );

  expect(strangers.map(keyOf)).toEqual([]);
});

it("binds no operation twice", () => {
  expect(routeByKey.size).toBe(routes.length);
});

it("serves all 162", () => {
  expect(endpoints.map(keyOf).filter((key) => !routeByKey.has(key))).toEqual([]);
});
