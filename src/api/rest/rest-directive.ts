import { makeExecutableSchema } from "@graphql-tools/schema";
import {
  extendSchema,
  getDirectiveValues,
  parse,
  visit,
  type GraphQLDirective,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";

/** The name of the directive on a field whose keys stand in its place. */
export const FLAT = "flat";

/** The name of the directive on a field of a list that is answered in place of the rows when it is not null. */
export const INSTEAD = "instead";

/** The name of the directive on the edges of a list whose keys stand beside those of their rows. */
export const BESIDE = "beside";

/** The name of the directive on a list of texts that is sent as a header of the answer. */
export const HEADER = "header";

/** The name of the directive on a field of a list that links to its pages by number carry on as a parameter. */
export const CARRIED = "carried";

/** The name of the directive on the name of a field, or a list of such names, which REST writes in its own way. */
export const NAMES = "names";

/** The name of the directive on an amount that a table writes with decimals. */
export const DECIMAL = "decimal";

/** Answers of open reads may be reused for so many seconds without asking again, unless their route says otherwise. */
export const PUBLIC_MAX_AGE_SECONDS = 15;

/** The HTTP methods that REST routes use. */
export type RestMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The properties of a route that its document in `schema/rest` declares. */
export interface RestDirective {
  readonly method: RestMethod;
  /** The path below `/api`, with parameters in braces: `/companies/{companyId}/goods`. */
  readonly path: string;
  /** The status of success: 200, or 204 for DELETE, unless the document names one. */
  readonly status: number;
  /** The path of the created row, which is sent as `Location`; `{id}` is the id in the answer. */
  readonly location: string | null;
  /**
   * For how many seconds the answer of an open read may be reused without asking again; fewer when the document selects
   * `validUntil` of a list and that moment is nearer.
   */
  readonly maxAge: number;
  /** Says whether the route understands `load` and, when it reads only, `fields`. A table does what its list does. */
  readonly dynamic: boolean;
  /**
   * With `TABLE`, the document exports the list, or the single row, of the JSON route with the same path, see
   * `table-export.ts`; with `COUNT`, it counts the rows of that list, which has no pages. With `EVENTS`, it is a route that streams the progress of a job,
   * see `job-events.ts`.
   */
  readonly output: "JSON" | "TABLE" | "COUNT" | "EVENTS";
  /** Says whether the parameter `report` asks for the CSV of this document, too. */
  readonly report: boolean;
  /** Says whether the list goes on for ever: it has pages by cursor alone, and each links to the next, an empty one too. */
  readonly endless: boolean;
  /** Says whether a read may be refused for the state of what it reads: 409. */
  readonly conflict: boolean;
  /**
   * Values of variables with which the route runs on the demo data, where 1 or a value that fits the type would
   * not. An input without an example takes that of the first route with the same type of input.
   */
  readonly example: Readonly<Record<string, unknown>>;
}

const typeDefs = `
"Binds an operation to a REST route below /api."
directive @rest(
  "HTTP method of the route."
  method: RestMethod!
  "Path with parameters in braces, which bind to variables of the same name."
  path: String!
  "Status of success; 200, or 204 for DELETE, when absent."
  status: Int
  "Path of what was created; {id} is taken from the answer."
  location: String
  "Seconds for which the answer of an open read may be reused."
  maxAge: Int = ${PUBLIC_MAX_AGE_SECONDS}
  "Whether load is understood and, by routes that read only, fields; of a table what its list says."
  dynamic: Boolean = false
  "What the route answers with."
  output: RestOutput = JSON
  "Whether the parameter report asks for the CSV, too."
  report: Boolean = false
  "Whether the list goes on for ever: pages by cursor alone, each with a link to the next."
  endless: Boolean = false
  "Whether a read may be refused for the state of what it reads: 409."
  conflict: Boolean = false
  "Values of variables for which the route runs on the demo data: ids other than 1, the input."
  example: RestExample
) on QUERY | MUTATION

"The keys of the object stand in the answer in place of the object itself."
directive @flat on FIELD

"The field of a list is answered in place of its rows when it is not null; rows within it have the keys that are wanted."
directive @instead on FIELD

"The keys of each edge of a list stand in the answer beside those of its row."
directive @beside on FIELD

"The texts beside the rows of a list are sent in a header, each percent-encoded, with commas between them; no header when there are none."
directive @header(
  "Name of the header, one of those that the reference describes."
  name: String!
) on FIELD

"Links to other pages of a list by number carry the value as the parameter of the same name; it is not answered."
directive @carried on FIELD

"The text is the name of a field, or a list of such names: they stand in snake_case."
directive @names on FIELD

"An amount in hundredths that a table writes in units of its currency, such as 12.34."
directive @decimal on FIELD

"HTTP method of a route."
enum RestMethod { GET POST PUT PATCH DELETE }

"What a route answers with."
enum RestOutput {
  "The fields that the document selects."
  JSON
  "How the route of the same path answers those who want a table."
  TABLE
  "How many rows the list of the same path has, which has no pages."
  COUNT
  "The answer follows a job."
  EVENTS
}

"An object of variables by their names."
scalar RestExample
`;

/** Returns the selection without what says where names stand, which the schema that is served does not know. */
export function withoutNames(selection: SelectionSetNode): SelectionSetNode {
  return visit(selection, { Directive: ({ name }) => (name.value === NAMES ? null : undefined) });
}

const definition = makeExecutableSchema({ typeDefs }).getDirective("rest") as GraphQLDirective;

/**
 * The schema as the documents of `schema/rest` see it, and as it is emitted: with the directives that make routes. The schema
 * that is served has none of them, since they would say nothing in a client's document.
 */
export function withRestDirectives(schema: GraphQLSchema): GraphQLSchema {
  const extended = extendSchema(schema, parse(typeDefs));
  // An extension keeps all of a schema but what is said of it.
  extended.description = schema.description;
  return extended;
}

export function readRestDirective(operation: OperationDefinitionNode): RestDirective {
  const values = getDirectiveValues(definition, operation) as Partial<RestDirective> | undefined;
  if (values?.method === undefined || values.path === undefined) {
    throw new Error(`${operation.name?.value ?? "an operation"} has no @rest`);
  }
  return {
    method: values.method,
    path: values.path,
    status: values.status ?? (values.method === "DELETE" ? 204 : 200),
    location: values.location ?? null,
    maxAge: values.maxAge ?? PUBLIC_MAX_AGE_SECONDS,
    dynamic: values.dynamic ?? false,
    output: values.output ?? "JSON",
    report: values.report ?? false,
    endless: values.endless ?? false,
    conflict: values.conflict ?? false,
    example: values.example ?? {},
  };
}
