import { readFileSync } from "node:fs";
import fc from "fast-check";
import {
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLInputType,
  type GraphQLObjectType,
} from "graphql";
import type { InjectOptions } from "fastify";
import { RestRoute } from "../../src/api/rest/rest-route.js";
import type { FinishedSchema } from "../../src/engine/guard/finish-schema.js";
import type { Operation } from "../../src/engine/schema/operation.js";
import { toRestBody } from "./bounds.js";
import { documentOf, fieldOf } from "./operations.js";
import { sharedRestDocuments } from "./schema.js";

/** A request that nobody thought of; `caller` is the index of a token. */
export interface FuzzRequest {
  readonly name: string;
  readonly caller: number;
  readonly inject: InjectOptions;
}

const MAX_DEPTH = 4;
const TEXTS = [
  "",
  " ",
  "x",
  "2026-02-30T25:00:00+99:00",
  "2026-11-22T00:00:00Z",
  "-00001-01-01",
  "\u0000",
  "\ud800",
  "%00",
  "' OR 1=1 --",
  "__proto__",
  "constructor",
  "ÅÅ\u202e",
  "a".repeat(5_000),
];
const NUMBERS = [0, -1, 1, 2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 1e308, 0.1, -0];

const anyText = fc.oneof(
  fc.constantFrom(...TEXTS),
  fc.string({ maxLength: 40 }),
  fc.string({ unit: "binary", maxLength: 20 }),
);
const anyNumber = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 12 }) },
  fc.constantFrom(...NUMBERS),
  fc.integer(),
);
/** A value of any type in the place of another. */
const hostile = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom<unknown>(null, true, [], {}, [[]], JSON.parse('{"__proto__":{"a":1}}')),
  },
  { weight: 6, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 6, arbitrary: anyText },
  { weight: 6, arbitrary: anyNumber },
  fc.array(fc.constant(1), { minLength: 1_001, maxLength: 1_001 }),
);

function values(declared: GraphQLInputType, depth = 0): fc.Arbitrary<unknown> {
  const fitting = fittingValues(getNullableType(declared), depth);
  const present = fc.oneof({ weight: 12, arbitrary: fitting }, { weight: 1, arbitrary: hostile });
  return isNonNullType(declared) ? present : fc.option(present, { freq: 8 });
}

function fittingValues(type: GraphQLInputType, depth: number): fc.Arbitrary<unknown> {
  if (isListType(type)) return fc.array(values(type.ofType, depth + 1), { maxLength: 4 });
  if (isEnumType(type)) return fc.constantFrom(...type.getValues().map(({ name }) => name));
  if (isInputObjectType(type)) {
    if (depth >= MAX_DEPTH) return fc.constant({});
    const fields = Object.values(type.getFields());
    const required = fields.filter((field) => isNonNullType(field.type)).map(({ name }) => name);
    const model = Object.fromEntries(fields.map((field) => [field.name, values(field.type, depth + 1)]));
    return fc.record(model, { requiredKeys: required });
  }
  const { name } = getNamedType(type);
  if (name === "Boolean") return fc.boolean();
  if (name === "Int" || name === "SafeInt" || name === "Float") return anyNumber;
  return name.startsWith("JSON") ? fc.jsonValue({ maxDepth: 4 }) : anyText;
}

function mostly<T>(value: T, others: fc.Arbitrary<unknown>): fc.Arbitrary<any> {
  return fc.oneof({ weight: 14, arbitrary: fc.constant(value) }, others);
}

/** Inputs like an example that is known to work, most of them with some of its fields changed. */
function like(example: unknown, type: GraphQLInputType): fc.Arbitrary<unknown> {
  const any = values(type);
  const input = getNullableType(type);
  if (!isInputObjectType(input) || typeof example !== "object" || example === null) return any;
  const changes = fc.record(
    Object.fromEntries(Object.values(input.getFields()).map((field) => [field.name, values(field.type, 1)])),
    { requiredKeys: [] },
  );
  const few = fc
    .tuple(changes, fc.infiniteStream(fc.nat({ max: 9 })))
    .map(([all, chances]) =>
      Object.fromEntries(Object.entries(all).filter(() => chances.next().value === 0)),
    );
  return fc.oneof(
    any,
    { weight: 3, arbitrary: fc.constant(example) },
    { weight: 4, arbitrary: few.map((changed) => ({ ...example, ...changed })) },
    hostile,
  );
}

/** Selections of the operation's type: nothing, all of its plain fields, and its relations as well. */
function selectionsOf(type: GraphQLObjectType, depth = 3): string {
  const fields = Object.values(type.getFields()).flatMap((field) => {
    if (field.args.some((argument) => isNonNullType(argument.type))) return [];
    const named = getNamedType(field.type);
    if (isLeafType(named)) return [field.name];
    if (!isObjectType(named) || depth === 0) return [];
    return [`${field.name} ${selectionsOf(named, depth - 1)}`];
  });
  return `{ __typename ${fields.join(" ")} }`;
}

const ACCEPTED = [
  "*/*",
  "application/json",
  "application/json",
  "application/graphql-response+json",
  "text/csv",
];

function headers(): fc.Arbitrary<Record<string, string>> {
  const unusual = fc.record(
    {
      prefer: fc.constantFrom("handling=strict", "handling=lenient", "x"),
      "idempotency-key": fc.oneof({ weight: 8, arbitrary: fc.uuid() }, fc.constantFrom("a", "k".repeat(300))),
      accept: fc.constantFrom(...ACCEPTED),
      "if-none-match": fc.constantFrom("*", '"a"', "x"),
    },
    { requiredKeys: [] },
  );
  return fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, unusual);
}

function graphqlRequests(
  finished: FinishedSchema,
  operation: Operation,
  { example, companyId }: { example: unknown; companyId: number },
): fc.Arbitrary<InjectOptions> {
  const field = fieldOf(finished, operation);
  const named = getNamedType(field.type);
  const shapes = isObjectType(named)
    ? [0, 1, 2].map((depth) => selectionsOf(named, depth)).concat("{ __typename }")
    : [""];
  const required = field.args.filter(({ type }) => isNonNullType(type)).map(({ name }) => name);
  const valuesOf = ({ name, type }: (typeof field.args)[number]) => {
    if (name === "companyId") return mostly(companyId, values(type));
    return name === "input" ? like(example, type) : values(type);
  };
  const given = fc.record(Object.fromEntries(field.args.map((one) => [one.name, valuesOf(one)])), {
    requiredKeys: required,
  });
  return fc.record({ args: given, shape: fc.constantFrom(...shapes), headers: headers() }).map((request) => ({
    method: "POST",
    url: "/graphql",
    headers: { ...request.headers, "content-type": "application/json" },
    payload: JSON.stringify({
      query: documentOf(finished, operation, request.args, request.shape),
      variables: request.args,
    }),
  }));
}

const QUERY_KEYS = [
  "page",
  "per_page",
  "cursor",
  "sort",
  "load",
  "fields",
  "with_deleted",
  "format",
] as const;
const QUERY_WORDS = ["1", "200", "-id", "id,name", "properties", "branch_group.branches", "true", "csv", "*"];

interface Reference {
  readonly paths: Readonly<
    Record<
      string,
      Record<string, { requestBody?: { content: Record<string, { example?: unknown }> } } | undefined>
    >
  >;
}

const reference = JSON.parse(
  readFileSync(new URL("../../schema/openapi.json", import.meta.url), "utf8"),
) as Reference;

/** Returns the body that the reference shows for the route, under the names of GraphQL. */
function exampleOf({ rest }: RestRoute): unknown {
  const body = reference.paths[rest.path]?.[rest.method.toLowerCase()]?.requestBody;
  return toGraphqlNames(body?.content["application/json"]?.example);
}

function toGraphqlNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toGraphqlNames);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key.replace(/_([a-z0-9])/gu, (_, letter: string) => letter.toUpperCase()),
      toGraphqlNames(item),
    ]),
  );
}

function restRequests(route: RestRoute, companyId: number): fc.Arbitrary<InjectOptions> {
  const word = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...QUERY_WORDS) }, anyText);
  const plausible = fc.record(
    {
      page: fc.constantFrom("1", "2", "0", "x"),
      per_page: fc.constantFrom("1", "200", "201"),
      sort: fc.constantFrom("-id", "id,name", "created_at", "-price_e2", "x"),
      load: fc.constantFrom("properties", "branch_group", "branch_group.branches", "client", "x"),
      fields: fc.constantFrom("id", "id,name", "x"),
      "filter[id][in]": fc.constantFrom("1,2", "x", ""),
    },
    { requiredKeys: [] },
  );
  const odd = fc.dictionary(
    fc.oneof(
      fc.constantFrom<string>(...QUERY_KEYS),
      fc.constantFrom("filter[id]", "filter[name][contains]", "filter[created_at][gt]", "filter[__proto__]"),
      anyText,
    ),
    word,
    { maxKeys: 3 },
  );
  const query = fc.oneof(fc.constant({}), plausible, odd);
  const input = route.variables.get("input");
  const names = [...route.rest.path.matchAll(/\{(\w+)\}/gu)].map(([, name]) => name as string);
  const place = fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 1, max: 12 }).map(String) }, anyText);
  return fc
    .record({
      places: fc.tuple(
        ...names.map((name) => (name === "companyId" ? mostly(String(companyId), place) : place)),
      ),
      query,
      headers: headers(),
      body: input === undefined ? fc.constant(undefined) : like(exampleOf(route), input),
    })
    .map(({ places, query: asked, headers: sent, body }) => {
      let at = 0;
      const path = route.rest.path.replace(/\{\w+\}/gu, () => escaped(places[at++] as string));
      const search = Object.entries(asked)
        .map(([key, value]) => `${escaped(key)}=${escaped(value)}`)
        .join("&");
      const payload = body === undefined ? {} : { payload: JSON.stringify(toRestBody(body)) };
      return {
        method: route.rest.method as "GET",
        url: `/api${path}${search === "" ? "" : `?${search}`}`,
        headers: { ...sent, ...("payload" in payload && { "content-type": "application/json" }) },
        ...payload,
      };
    });
}

/** Escapes a text for a URL; a half of a surrogate pair has no UTF-8. */
function escaped(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** Requests to every operation on both faces, by any of the callers. */
export function fuzzRequests(
  finished: FinishedSchema,
  { callers, companyId }: { callers: number; companyId: number },
): fc.Arbitrary<FuzzRequest> {
  const routes = sharedRestDocuments().routes.map(
    (document) => new RestRoute(document, finished.schema, finished.operations),
  );
  const examples = new Map(routes.map((route) => [route.operation.name, exampleOf(route)]));
  const kinds = [
    ...[...finished.operations.values()].map((operation) => ({
      name: operation.name,
      requests: graphqlRequests(finished, operation, {
        example: examples.get(operation.name),
        companyId,
      }),
    })),
    ...routes.map((route) => ({
      name: `${route.rest.method} ${route.rest.path}`,
      requests: restRequests(route, companyId),
    })),
  ];
  return fc
    .constantFrom(...kinds)
    .chain(({ name, requests }) =>
      fc.record({ name: fc.constant(name), caller: fc.nat({ max: callers - 1 }), inject: requests }),
    );
}

const LEAKS = /node_modules|\.[jt]s:\d+|prisma|postgres|\bECONN|"stack"|SELECT |INSERT |relation "/iu;

/** Returns what is wrong with an answer, `null` for a proper one. */
export function faultOf(status: number, body: string, request: FuzzRequest): string | null {
  if (status >= 500 || body.includes("INTERNAL_SERVER_ERROR"))
    return `answers ${status}: ${body.slice(0, 500)}`;
  const sent = JSON.stringify(request.inject);
  const leak = LEAKS.exec(body)?.[0];
  return leak === undefined || sent.includes(leak) ? null : `tells ${leak}: ${body.slice(0, 500)}`;
}
