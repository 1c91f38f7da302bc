import {
  getNullableType,
  isInputObjectType,
  isListType,
  print,
  visit,
  type DocumentNode,
  type FieldNode,
  type GraphQLInputType,
  type SelectionSetNode,
} from "graphql";
import { fieldBeside } from "../../src/api/rest/bind-body.js";
import type { RestRoute } from "../../src/api/rest/rest-route.js";
import { snakeCaseOf } from "../../src/core/names.js";
import { sendForm, sendGraphqlForm, type FilePart, type FormParts } from "../files/uploads.js";
import type { Client, Gateway } from "../support/gateway.js";

/** A call in the words of GraphQL; REST gets the same under its own names. */
export interface TwinCall {
  /** Values of the document's variables. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** Files by the names of the input's fields. */
  readonly files?: Readonly<Record<string, FilePart>>;
}

/** What a face answered, in the words of REST. */
export interface TwinAnswer {
  /** The status of the refusal; that of a success is REST's own. */
  readonly status: number;
  readonly data?: unknown;
  /** How many rows the list has, where REST shows it. */
  readonly total?: unknown;
  readonly refusal?: Readonly<Record<string, unknown>>;
}

/** The size of the pages that lists are asked for. */
const PAGE = 3;

/** Calls a REST route. */
export async function callRest(
  gateway: Gateway,
  client: Client,
  route: RestRoute,
  { variables, files = {} }: TwinCall,
): Promise<TwinAnswer> {
  const url = urlOf(route, variables);
  const { method } = route.rest;
  const inputType = route.variables.get("input");
  const body = inputType === undefined ? undefined : restInput(variables["input"], inputType);
  const answer =
    Object.keys(files).length === 0
      ? await client.rest(method, url, {
          ...(body !== undefined && { body: JSON.stringify(body) }),
          headers: STRICT,
        })
      : await sendForm(gateway, client, url, {
          ...formFields(body as object),
          ...Object.fromEntries(Object.entries(files).map(([name, file]) => [snakeCaseOf(name), file])),
        });
  if (answer.status >= 400) {
    const { type: _type, title: _title, request_id: _id, status, ...refusal } = answer.body;
    return { status, refusal: sorted(refusal) };
  }
  if (answer.status === 204) return { status: 200 };
  const total = answer.headers["x-total-count"];
  return { status: 200, data: answer.body, ...(modeOf(route) !== null && { total: Number(total) }) };
}

/** Runs the query or mutation that the route stands for, as a GraphQL client would write it. */
export async function callGraphql(
  gateway: Gateway,
  client: Client,
  route: RestRoute,
  { variables, files = {} }: TwinCall,
): Promise<TwinAnswer> {
  const query = twinQuery(route);
  const given = {
    ...variables,
    ...Object.fromEntries(
      route.bodyVariables.flatMap((name) => {
        const value = (variables["input"] as Record<string, unknown> | null | undefined)?.[name];
        return value == null ? [] : [[name, value]];
      }),
    ),
    ...(route.isPaged && { first: PAGE, offset: 0 }),
  };
  const result =
    Object.keys(files).length === 0
      ? await client.run(query, given)
      : (await sendGraphqlForm(gateway, client, operationsForm(query, given, files), PREFLIGHT)).body;
  const [error, ...others] = result.errors ?? [];
  if (others.length > 0) throw new Error(`more than one refusal: ${JSON.stringify(result.errors)}`);
  if (error !== undefined) return refusalOf(route, error);
  if (route.rest.status === 204) return { status: 200 };
  const root = route.document(route.selection, modeOf(route));
  const [field] = (root.definitions[0] as { selectionSet: SelectionSetNode }).selectionSet.selections;
  const written = field as FieldNode;
  const key = (written.alias ?? written.name).value;
  const value = inRestWords(
    result.data?.[explicitAlias(written) ?? written.name.value],
    written.selectionSet,
  );
  if (value === undefined) throw new Error(`no ${key} in ${JSON.stringify(result.data)}`);
  if (!route.isConnection) return { status: 200, data: route.named(route.flattened(value)) };
  const page = value as Record<string, unknown>;
  const data = (route.insteadKey === null ? null : page[route.insteadKey]) ?? route.rowsOf(page);
  return { status: 200, data, ...(modeOf(route) !== null && { total: page["total_count"] }) };
}

/** GraphQL refuses unknown fields, REST only when asked to. */
const STRICT = { prefer: "handling=strict" };
const PREFLIGHT = { "apollo-require-preflight": "true" };

function modeOf(route: RestRoute): "exact" | null {
  return route.isPaged && !route.rest.endless ? "exact" : null;
}

const queries = new WeakMap<RestRoute, string>();

/** Returns the text of the route's document. Each route is called dozens of times, and printing takes as long as an answer. */
function twinQuery(route: RestRoute): string {
  const query = queries.get(route) ?? print(twinDocument(route));
  queries.set(route, query);
  return query;
}

/** Returns the document of the route with the names of GraphQL, without what only REST knows. */
function twinDocument(route: RestRoute): DocumentNode {
  return visit(route.document(route.selection, modeOf(route)), {
    Field: (field) => {
      const { alias: _, ...plain } = field;
      const directives = (field.directives ?? []).filter(({ name }) => !REST_ONLY.has(name.value));
      return { ...(explicitAlias(field) === undefined ? plain : field), directives };
    },
  });
}

const REST_ONLY: ReadonlySet<string> = new Set(["flat", "instead", "beside", "decimal"]);

/** The alias that the document itself gives to a field; every other field gets its REST name as an alias. */
function explicitAlias({ alias, name }: FieldNode): string | undefined {
  return alias === undefined || alias.value === snakeCaseOf(name.value) ? undefined : alias.value;
}

/** Gives what GraphQL answered the names of REST. Values that no selection leads into stay as they are. */
function inRestWords(value: unknown, selection: SelectionSetNode | undefined): unknown {
  if (selection === undefined || value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((item) => inRestWords(item, selection));
  const answered = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    (selection.selections as readonly FieldNode[]).flatMap((field) => {
      const name = explicitAlias(field) ?? field.name.value;
      if (!(name in answered)) return [];
      return [[snakeCaseOf(name), inRestWords(answered[name], field.selectionSet)]];
    }),
  );
}

function refusalOf(
  route: RestRoute,
  { message, extensions }: { message: string; extensions: Record<string, unknown> },
): TwinAnswer {
  const { status, errors, cost: _, retryAfter: _after, ...others } = extensions;
  const wrong = errors as { field: string; rule: string; message: string }[] | undefined;
  return {
    status: status as number,
    refusal: sorted({
      detail: message,
      ...namesWithin(others),
      ...(wrong !== undefined && {
        errors: wrong.map((one) => ({
          field: restPath(route, one.field),
          rule: one.rule,
          message: one.message.replace(/\b[a-z][a-z0-9]*[A-Z]\w*/gu, snakeCaseOf),
        })),
      }),
    }),
  };
}

/** Returns the refusal with its wrong fields in the order of their names: which comes first is not promised. */
function sorted(refusal: Record<string, unknown>): Record<string, unknown> {
  const { errors } = refusal as { errors?: { field: string; rule: string }[] };
  if (errors === undefined) return refusal;
  return { ...refusal, errors: errors.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)) };
}

function keyOf({ field, rule }: { field: string; rule: string }): string {
  return `${field} ${rule}`;
}

function namesWithin(value: object): Record<string, unknown> {
  const named = (item: unknown): unknown =>
    Array.isArray(item)
      ? item.map(named)
      : typeof item === "object" && item !== null
        ? namesWithin(item)
        : item;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [snakeCaseOf(key), named(item)]));
}

/** Returns where REST has the value that GraphQL has at a path. */
function restPath(route: RestRoute, path: string): string {
  if (path === "input") return "body";
  const named = route.parameterWithin(path) ?? route.parameterOf(path) ?? path;
  if (named.startsWith("input[")) return restPath(route, named.slice("input".length));
  const beside = route.keysBeside;
  const within = beside !== null && named.startsWith(`${beside}.`) ? named.slice(beside.length + 1) : named;
  return within.replace(/\w+/gu, (word) => (word.includes("_") ? word : snakeCaseOf(word)));
}

function urlOf(route: RestRoute, variables: Readonly<Record<string, unknown>>): string {
  const path = route.rest.path.replace(/\{(\w+)\}/gu, (_, name: string) =>
    encodeURIComponent(String(variables[name])),
  );
  const asked = Object.entries(variables).filter(
    ([name]) => name !== "input" && !route.pathParameters.includes(name),
  );
  const query = new URLSearchParams([
    ...asked.map(([name, value]): [string, string] => [snakeCaseOf(name), String(value)]),
    ...(route.isPaged ? [["per_page", String(PAGE)] as [string, string]] : []),
  ]).toString();
  return query === "" ? path : `${path}?${query}`;
}

/** Gives the keys of an input the names that bodies have; free JSON stays as it is. */
function restInput(value: unknown, declared: GraphQLInputType): unknown {
  const type = getNullableType(declared);
  if (isListType(type) && Array.isArray(value)) return value.map((item) => restInput(item, type.ofType));
  if (!isInputObjectType(type) || typeof value !== "object" || value === null || Array.isArray(value))
    return value;
  const fields = type.getFields();
  const beside = fieldBeside(type)?.name;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]): [string, unknown][] => {
      if (name === beside && typeof item === "object" && item !== null) return Object.entries(item);
      const field = fields[name];
      return [[snakeCaseOf(name), field === undefined ? item : restInput(item, field.type)]];
    }),
  );
}

/** Gives the keys of a body the names that the input has: the other way round. */
export function graphqlInput(value: unknown, declared: GraphQLInputType): unknown {
  const type = getNullableType(declared);
  if (isListType(type) && Array.isArray(value)) return value.map((item) => graphqlInput(item, type.ofType));
  if (!isInputObjectType(type) || typeof value !== "object" || value === null) return value;
  const fields = new Map(Object.values(type.getFields()).map((field) => [snakeCaseOf(field.name), field]));
  const beside = fieldBeside(type);
  const input: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const field = fields.get(key);
    if (field !== undefined) input[field.name] = graphqlInput(item, field.type);
    else if (beside !== null)
      input[beside.name] = { ...(input[beside.name] as object), [key]: item as unknown };
    else throw new Error(`${type.name} has no ${key}`);
  }
  return input;
}

function formFields(body: object): FormParts {
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [
      key,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  );
}

/** The parts of the GraphQL multipart request specification. */
function operationsForm(
  query: string,
  variables: Record<string, unknown>,
  files: Readonly<Record<string, FilePart>>,
): FormParts {
  const names = Object.keys(files);
  const nulls = Object.fromEntries(names.map((name) => [name, null]));
  const input = { ...(variables["input"] as object), ...nulls };
  const map = Object.fromEntries(names.map((name, n) => [`f${n}`, [`variables.input.${name}`]]));
  return {
    operations: JSON.stringify({ query, variables: { ...variables, input } }),
    map: JSON.stringify(map),
    ...Object.fromEntries(names.map((name, n) => [`f${n}`, files[name] as FilePart])),
  };
}
