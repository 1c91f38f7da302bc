import {
  getNamedType,
  isListType,
  getNullableType,
  isNonNullType,
  type GraphQLArgument,
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
} from "graphql";
import { IDEMPOTENCY_KEY, MAX_KEY_LENGTH } from "../../../engine/idempotency/idempotent-request.js";
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from "../../../core/lists/list-page.js";
import type { JsonSchema } from "../../../core/inputs/json-schema.js";
import type { DynamicLoading } from "../dynamic-loading.js";
import type { RestRoute } from "../rest-route.js";
import type { InputComponents } from "./input-components.js";
import { restName } from "./wording.js";

/** REST fills these variables in other ways than from a parameter of the same name. */
const NOT_BY_NAME: ReadonlySet<string> = new Set(["filter", "orderBy", "first", "after", "offset", "input"]);

/** Parameters that several operations share. */
export const SHARED_PARAMETERS: Readonly<Record<string, JsonSchema>> = {
  Page: query("page", "Number of the page; then the answer has a total and links to other pages.", {
    type: "integer",
    minimum: 1,
    maximum: 1_000_000,
    default: 1,
  }),
  PerPage: query("per_page", "How many rows a page has.", {
    type: "integer",
    minimum: 1,
    maximum: MAX_PAGE_SIZE,
    default: DEFAULT_PAGE_SIZE,
  }),
  Cursor: query(
    "cursor",
    "Pages by cursor instead of number: empty for the first page, then as the link `next` has it. Costs the " +
      "same at any depth, and neither skips nor repeats rows while others are added; there is no total.",
    { type: "string", maxLength: 4_000 },
  ),
  Format: query(
    "format",
    "`csv` answers the whole list, however long, as a file for spreadsheets; so does `Accept: text/csv`.",
    { type: "string", enum: ["json", "csv"], default: "json" },
  ),
  IfNoneMatch: header("If-None-Match", "ETags of answers at hand: 304 when one of them is still right.", {
    type: "string",
  }),
  LastEventId: header("Last-Event-ID", "Id of the last event that arrived: the stream goes on behind it.", {
    type: "string",
    examples: ["running-20000"],
  }),
  IdempotencyKey: header(
    IDEMPOTENCY_KEY,
    "Any text that is new for each thing to be done. The same key with the same request answers what the first " +
      "one did, for 24 hours, and does nothing again: 409 while the first one runs, 422 with another request.",
    {
      type: "string",
      minLength: 1,
      maxLength: MAX_KEY_LENGTH,
      pattern: "^[\\x20-\\x7e]+$",
      examples: ["0b9e7c52-6a3e-4a0e-9d0c-3d0f7c1f2b61"],
    },
  ),
  Prefer: header(
    "Prefer",
    "`handling=strict` refuses keys that the body does not know instead of ignoring them.",
    {
      type: "string",
      examples: ["handling=strict"],
    },
  ),
};

/** Example values that tools can fill in. They are flat, since a deepObject has no agreed form for nested objects. */
const EVERY_ROW = { summary: "All rows", value: {} };
const ONE_ROW = { summary: "The row with an id", value: { id: 1 } };

/** Returns the names of the variables that are filled from query parameters of the same name. */
export function queryVariables(route: RestRoute): string[] {
  return [...route.variables.keys()].filter(
    (name) =>
      !NOT_BY_NAME.has(name) && !route.pathParameters.includes(name) && !route.bodyVariables.includes(name),
  );
}

/** Returns the arguments of the operation by the variable that is bound to each. */
export function boundArguments(
  route: RestRoute,
  declared: readonly GraphQLArgument[],
): ReadonlyMap<string, GraphQLArgument> {
  const names = Object.fromEntries([...route.variables.keys()].map((name) => [name, name]));
  const bound = Object.entries(route.argumentsOf(names)).map(
    ([argument, variable]) =>
      [variable as string, declared.find(({ name }) => name === argument) as GraphQLArgument] as const,
  );
  return new Map(bound);
}

/** Makes the parameters of routes. */
export class Parameters {
  constructor(
    private readonly inputs: InputComponents,
    private readonly dynamicLoading: DynamicLoading,
  ) {}

  of(route: RestRoute, args: ReadonlyMap<string, GraphQLArgument>): JsonSchema[] {
    const valueOf = (variable: string): JsonSchema => {
      const argument = args.get(variable);
      return argument === undefined
        ? { type: "string" }
        : this.inputs.ofArgument(route.operation.name, argument);
    };
    return [
      ...route.pathParameters.map((name) => pathParameter(name, valueOf(name), route.rest.example[name])),
      ...queryVariables(route).map((name) =>
        queryParameter(restName(name), valueOf(name), {
          type: route.variables.get(name) as GraphQLInputType,
          example: route.rest.example[name],
        }),
      ),
      ...this.listParameters(route),
      ...(route.rest.dynamic ? this.shapeParameters(route) : []),
      ...(route.csv === null ? [] : [shared("Format")]),
      ...(route.isRead ? [shared("IfNoneMatch")] : []),
      ...(route.isStream ? [shared("LastEventId")] : []),
      ...(route.variables.has("input") ? [shared("Prefer")] : []),
      ...(route.takesIdempotencyKey ? [shared("IdempotencyKey")] : []),
    ];
  }

  private listParameters(route: RestRoute): JsonSchema[] {
    const filter = route.variables.get("filter");
    const order = route.variables.get("orderBy");
    return [
      ...(route.isPaged ? [shared("Page"), shared("PerPage"), shared("Cursor")] : []),
      ...(filter === undefined ? [] : [this.filter(filter)]),
      ...(order === undefined ? [] : [sort(order)]),
    ];
  }

  private filter(type: GraphQLInputType): JsonSchema {
    const hasId = "id" in (getNamedType(type) as GraphQLInputObjectType).getFields();
    return {
      ...query(
        "filter",
        "Which rows: `filter[field]=value`, or `filter[field][operator]=value` with one of the operators eq, ne, in, " +
          "nin, lt, lte, gt, gte, contains, starts_with and is_null. Values of in and nin have commas between. " +
          "All conditions must hold.",
        this.inputs.filter(type),
      ),
      examples: hasId ? { every: EVERY_ROW, one: ONE_ROW } : { every: EVERY_ROW },
      style: "deepObject",
      explode: true,
    };
  }

  private shapeParameters(route: RestRoute): JsonSchema[] {
    const keys = route.selection.selections.map((selection) =>
      selection.kind === "Field" ? (selection.alias?.value ?? selection.name.value) : "",
    );
    const relations = this.dynamicLoading.relationNames(route.resource);
    const load = commaSeparated(
      "load",
      `Relations to embed under their names: ${relations.join(", ")}. Dots go on from there.`,
      { type: "string", pattern: `^(?:${relations.join("|")})(?:\\.[a-z][a-z0-9_]*){0,3}$` },
    );
    const fields = commaSeparated("fields", "The keys to answer, all of them when absent.", {
      type: "string",
      enum: keys,
    });
    return relations.length === 0 ? [fields] : [load, fields];
  }
}

function sort(declared: GraphQLInputType): JsonSchema {
  const order = getNamedType(declared) as GraphQLInputObjectType;
  const field = getNamedType(order.getFields()["field"]?.type) as GraphQLEnumType;
  const names = field.getValues().map(({ value }) => restName(value as string));
  return commaSeparated("sort", "The order of the rows: names of fields, with `-` in front for descending.", {
    type: "string",
    enum: names.flatMap((name) => [name, `-${name}`]),
  });
}

/** @param example is a value of the demo data; ids are 1 when it is missing. */
function pathParameter(name: string, { description, ...schema }: JsonSchema, example: unknown): JsonSchema {
  const isId = schema["type"] === "integer";
  return {
    name,
    in: "path",
    required: true,
    description,
    schema: { ...schema, ...(isId && { minimum: 1 }) },
    ...((isId || example !== undefined) && { example: example ?? 1 }),
  };
}

function queryParameter(
  name: string,
  { description, ...schema }: JsonSchema,
  { type, example }: { type: GraphQLInputType; example: unknown },
): JsonSchema {
  return {
    ...query(name, description as string, schema),
    ...(isNonNullType(type) && { required: true }),
    ...(example !== undefined && { example }),
    ...(isListType(getNullableType(type)) && { style: "form", explode: false }),
  };
}

function commaSeparated(name: string, description: string, items: JsonSchema): JsonSchema {
  return { ...query(name, description, { type: "array", items }), style: "form", explode: false };
}

function query(name: string, description: string, schema: JsonSchema): JsonSchema {
  return { name, in: "query", description, schema };
}

function header(name: string, description: string, schema: JsonSchema): JsonSchema {
  return { name, in: "header", description, schema };
}

function shared(name: string): JsonSchema {
  return { $ref: `#/components/parameters/${name}` };
}
