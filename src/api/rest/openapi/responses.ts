import {
  getNamedType,
  getNullableType,
  isListType,
  isNonNullType,
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type SelectionSetNode,
} from "graphql";
import type { JsonSchema } from "../../../core/inputs/json-schema.js";
import type { DynamicLoading } from "../dynamic-loading.js";
import type { RestRoute } from "../rest-route.js";
import { TABLE_TYPES } from "../table-formats.js";
import { WrongParameters } from "../wrong-parameters.js";
import { Examples } from "./examples.js";
import { problemsOf } from "./problems.js";
import type { ResourceComponents } from "./resource-components.js";
import { operationId } from "./wording.js";

/** The headers that answers may have. */
export const HEADERS: Readonly<Record<string, JsonSchema>> = {
  "X-Request-Id": header("Identifier of the request, which the service's log has too.", { type: "string" }),
  ETag: header(
    "Stands for this very answer, for If-None-Match and If-Match; with a change for the row as it is now, for If-Match.",
    {
      type: "string",
      pattern: '^W/".+"$',
    },
  ),
  Location: header("Path of what was created.", { type: "string", format: "uri-reference" }),
  Link: header(
    "Other pages of the list (RFC 8288): first, prev, next and last, or next alone with a cursor.",
    {
      type: "string",
    },
  ),
  "Content-Disposition": header("With a table: the name of the file.", { type: "string" }),
  "X-Total-Count": header("How many rows the list has; not with a cursor.", { type: "integer", minimum: 0 }),
  "Search-Relaxed": header(
    "The words of `q` that the search left out, since no good has all of them: each percent-encoded as UTF-8 (RFC 3986), with commas between them. Absent when none was.",
    { type: "string" },
  ),
  "Idempotent-Replayed": header("The answer was given before, under the same Idempotency-Key.", {
    type: "string",
    const: "true",
  }),
  "Preference-Applied": header("With `Prefer: handling=strict`: nothing was ignored.", {
    type: "string",
    const: "handling=strict",
  }),
  "WWW-Authenticate": header("Which kind of token is asked for.", { type: "string", const: "Bearer" }),
  "Retry-After": header("Seconds after which trying again makes sense.", { type: "integer", minimum: 0 }),
};

/**
 * Tables are described in words: with further media types, clients that are made from the document would take every answer of
 * the list for a text, too.
 */
const TABLES = Object.entries(TABLE_TYPES)
  .map(([format, type]) => `With \`format=${format}\` or \`Accept: ${type}\` the whole answer as a table.`)
  .join(" ");

/** Server-sent events, each with its id, its kind and its data. */
const EVENTS: JsonSchema = {
  schema: { type: "string" },
  example: 'id: running-20000\nevent: progress\ndata: {"done":20000,"total":100000}\n\n',
};

/** Makes the answers of routes. */
export class Responses {
  private readonly examples: Examples;

  constructor(
    private readonly resources: ResourceComponents,
    private readonly dynamicLoading: DynamicLoading,
    private readonly answers: Readonly<Record<string, unknown>>,
  ) {
    const resolve = (reference: string): JsonSchema =>
      resources.schemas[reference.replace("#/components/schemas/", "")] ?? {};
    this.examples = new Examples(resolve, () => true);
  }

  of(route: RestRoute): Record<string, JsonSchema> {
    const { status } = route.rest;
    if (route.isStream) return { ...stream(), ...problemsOf(route) };
    return {
      [status]: status === 204 ? done(route) : this.success(route),
      ...(route.isRead && {
        304: { description: "Nothing changed since the answer at hand.", headers: headers("ETag") },
      }),
      ...problemsOf(route),
    };
  }

  private success(route: RestRoute): JsonSchema {
    const { rest } = route;
    const { schema, example } = this.answer(route);
    const names = [
      ...(route.isRead || route.answersRow || route.asksForVersion ? ["ETag"] : []),
      ...((route.isPaged && !rest.endless) || route.isWhole ? ["X-Total-Count"] : []),
      ...(route.isPaged || route.isWhole ? ["Link"] : []),
      ...(route.textHeader === null ? [] : [route.textHeader.name]),
      ...(rest.location === null ? [] : ["Location"]),
      ...(route.table === null ? [] : ["Content-Disposition"]),
      ...(route.takesIdempotencyKey ? ["Idempotent-Replayed"] : []),
    ];
    return {
      description: route.table === null ? describe(route) : `${describe(route)} ${TABLES}`,
      headers: headers(...names),
      content: { "application/json": { schema, example } },
    };
  }

  private answer(route: RestRoute): { schema: JsonSchema; example: unknown } {
    const { selection, resultType, rest, isConnection } = route;
    const hasKeys = selection.selections.length > 0;
    const named = getNamedType(resultType) as GraphQLObjectType;
    const rowType = isConnection ? nodeType(named) : resultType;
    const whole = this.resources.of(rowType, hasKeys ? selection : undefined);
    const own = rest.dynamic ? this.view(route, rowType) : whole;
    const rows = route.beside === null ? own : this.withKeysBeside(own, named, route.beside);
    const schema = route.instead === null ? rows : { anyOf: [rows, this.instead(named, route.instead)] };
    const example = this.answers[operationId(route)] ?? this.examples.of(whole, route.root);
    return { schema, example };
  }

  /** Returns the schema of rows with the keys that stand beside theirs. */
  private withKeysBeside(rows: JsonSchema, connection: GraphQLObjectType, beside: FieldNode): JsonSchema {
    const { name, selectionSet } = beside;
    const edge = getNamedType(connection.getFields()[name.value]?.type) as GraphQLObjectType;
    const keys = this.resources.properties(edge, selectionSet as SelectionSetNode);
    return {
      ...rows,
      items: this.resources.withProperties(`${edge.name}View`, rows["items"] as JsonSchema, keys),
    };
  }

  /** Returns the schema of what a list may answer in place of its rows. */
  private instead(connection: GraphQLObjectType, { name, selectionSet }: FieldNode): JsonSchema {
    const { [name.value]: field } = connection.getFields();
    const type = getNullableType((field as GraphQLField<unknown, unknown>).type);
    return this.resources.of(type, selectionSet);
  }

  private view(route: RestRoute, type: GraphQLOutputType): JsonSchema {
    const load = this.dynamicLoading.loadable(route.resource);
    const wanted = { load, fields: null };
    const wrong = new WrongParameters();
    const loaded = this.dynamicLoading.select(route.resource, route.selection, wanted, wrong);
    wrong.assertNone();
    const named = getNamedType(type) as GraphQLObjectType;
    const view = route.takesFields
      ? this.resources.view(named, route.selection, loaded)
      : this.resources.loaded(named, route.selection, loaded);
    if (isListType(getNullableType(type))) return { type: "array", items: view };
    return isNonNullType(type) ? view : { anyOf: [view, { type: "null" }] };
  }
}

/** Returns the type of a connection's rows: `[T!]!`. */
function nodeType(connection: GraphQLObjectType): GraphQLOutputType {
  return connection.getFields()["nodes"]?.type as GraphQLOutputType;
}

function describe(route: RestRoute): string {
  if (route.isPaged) return "A page of rows.";
  if (route.isWhole) return "The rows, at most 10,000.";
  if (route.isConnection || isListType(getNullableType(route.resultType))) return "The rows.";
  if (route.rest.status === 201) return "What was created.";
  return route.isRead ? "What was asked for." : "As it is now.";
}

function stream(): Record<string, JsonSchema> {
  return {
    200: {
      description: "Events, until the end of what they follow.",
      headers: headers(),
      content: { "text/event-stream": EVENTS },
    },
    204: { description: "Nothing is to come after the last event.", headers: headers() },
  };
}

function done({ takesIdempotencyKey }: RestRoute): JsonSchema {
  const names = takesIdempotencyKey ? ["Idempotent-Replayed"] : [];
  return { description: "Done; there is nothing to answer.", headers: headers(...names) };
}

function headers(...names: string[]): JsonSchema {
  const all = ["X-Request-Id", "Preference-Applied", ...names];
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function header(description: string, schema: JsonSchema): JsonSchema {
  return { description, schema };
}
