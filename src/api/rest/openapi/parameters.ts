import {
  getNamedType,
  isInputObjectType,
  isListType,
  getNullableType,
  isNonNullType,
  type GraphQLArgument,
  type GraphQLEnumType,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
} from "graphql";
import { IDEMPOTENCY_KEY, MAX_KEY_LENGTH } from "../../../engine/idempotency/idempotent-request.js";
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from "../../../core/lists/list-page.js";
import type { JsonSchema } from "../../../core/inputs/json-schema.js";
import type { DynamicLoading } from "../dynamic-loading.js";
import { queryParameters, type OwnParameter } from "../query-parameters.js";
import type { RestRoute } from "../rest-route.js";
import { TABLE_KINDS } from "../table-formats.js";
import { DECIMAL_SIGNS, DELIMITER_NAMES } from "../table-style.js";
import type { InputComponents } from "./input-components.js";

/** Explorers fill in the example: without one they would make up a field. */
const ANY_FILTER: JsonSchema = { type: "object", additionalProperties: true, examples: [{}] };

/** Parameters that several operations share. */
const SHARED_PARAMETERS: Readonly<Record<string, JsonSchema>> = {
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
  FilterNot: {
    ...query("filter[not]", "A filter that must not fit: `filter[not][status]=finished`.", ANY_FILTER),
    style: "deepObject",
    explode: true,
  },
  FilterOr: {
    ...query(
      "filter[or]",
      "Filters of which one must fit: `filter[or][0][name]=A&filter[or][1][price_e2][lt]=100`.",
      ANY_FILTER,
    ),
    style: "deepObject",
    explode: true,
  },
  Format: query(
    "format",
    "`csv` and `xlsx` give the whole answer, however long, as a file for spreadsheets; so does `Accept` with their types.",
    { type: "string", enum: ["json", ...TABLE_KINDS], default: "json" },
  ),
  Columns: query(
    "columns",
    "With a table: its columns in their order, as `fields` names them; all when absent.",
    { type: "string" },
  ),
  Delimiter: query("delimiter", "With `format=csv`: what stands between cells.", {
    type: "string",
    enum: DELIMITER_NAMES,
    default: ",",
  }),
  Bom: query("bom", "1 begins a `csv` with a byte order mark, by which spreadsheets know UTF-8.", {
    type: "integer",
    enum: [0, 1],
    default: 0,
  }),
  Decimals: query("decimals", "With a table: the sign before decimals.", {
    type: "string",
    enum: DECIMAL_SIGNS,
    default: ".",
  }),
  Report: query("report", "1 gives the whole answer as a file for spreadsheets, as `format=csv` does.", {
    type: "integer",
    enum: [0, 1],
    default: 0,
  }),
  IfNoneMatch: header("If-None-Match", "ETags of answers at hand: 304 when one of them is still right.", {
    type: "string",
  }),
  IfMatch: header(
    "If-Match",
    "ETags of the resource as it was read: 412 when none of them is right any more, and nothing is done.",
    { type: "string", examples: ["*"] },
  ),
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
    "`handling=strict` refuses what would be ignored: query parameters that the operation does not have, and keys " +
      "that the body does not know.",
    {
      type: "string",
      examples: ["handling=strict"],
    },
  ),
};

const SHARED_NAMES = {
  page: "Page",
  per_page: "PerPage",
  cursor: "Cursor",
  format: "Format",
  columns: "Columns",
  delimiter: "Delimiter",
  bom: "Bom",
  decimals: "Decimals",
  report: "Report",
} as const;

/** Returns the arguments of the operation by the variable that is bound to each. */
export function boundArguments(
  route: RestRoute,
  declared: readonly GraphQLArgument[],
): ReadonlyMap<string, GraphQLArgument> {
  const bound = route.filled
    .filter(({ argument }) => !argument.includes("."))
    .map(
      ({ argument, variable }) =>
        [variable, declared.find(({ name }) => name === argument) as GraphQLArgument] as const,
    );
  return new Map(bound);
}

/** Returns the field of an argument that the variable fills, with the type that it is of. */
function boundField(
  route: RestRoute,
  variable: string,
  declared: readonly GraphQLArgument[],
): [type: GraphQLInputObjectType, field: GraphQLInputField] | null {
  const filled = route.filled.find((known) => known.variable === variable);
  const [argument, within = ""] = filled?.argument.split(".") ?? [];
  const type = getNamedType(declared.find(({ name }) => name === argument)?.type);
  const field = isInputObjectType(type) ? type.getFields()[within] : undefined;
  return field === undefined ? null : [type as GraphQLInputObjectType, field];
}

/** Makes the parameters of routes. */
export class Parameters {
  /** The parameters that several operations share. */
  readonly components: Record<string, JsonSchema> = { ...SHARED_PARAMETERS };

  constructor(
    private readonly inputs: InputComponents,
    private readonly dynamicLoading: DynamicLoading,
  ) {}

  of(route: RestRoute, declared: readonly GraphQLArgument[]): JsonSchema[] {
    const args = boundArguments(route, declared);
    const valueOf = (variable: string): JsonSchema => {
      const argument = args.get(variable);
      if (argument !== undefined) return this.inputs.ofArgument(route.operation.name, argument);
      const field = boundField(route, variable, declared);
      return field === null ? { type: "string" } : this.inputs.ofField(...field);
    };
    return [
      ...route.pathParameters.map((name) => pathParameter(name, valueOf(name), route.rest.example[name])),
      ...queryParameters(route, this.dynamicLoading).flatMap(({ name, variable }) =>
        variable === null
          ? this.own(name, route)
          : [
              queryParameter(name, valueOf(variable), {
                type: route.variables.get(variable) as GraphQLInputType,
                example: route.rest.example[variable],
              }),
            ],
      ),
      ...(route.isRead ? [shared("IfNoneMatch")] : []),
      ...(route.isStream || route.rest.endless ? [shared("LastEventId")] : []),
      ...(route.takesIfMatch ? [shared("IfMatch")] : []),
      shared("Prefer"),
      ...(route.takesIdempotencyKey ? [shared("IdempotencyKey")] : []),
    ];
  }

  private own(name: OwnParameter, route: RestRoute): JsonSchema[] {
    switch (name) {
      case "filter":
        return this.filter(route.variables.get("filter") as GraphQLInputType);
      case "sort":
        return [sort(route.variables.get("orderBy") as GraphQLInputType)];
      case "load":
        return [this.load(route)];
      case "fields":
        return [this.fields(route)];
      default:
        return [shared(SHARED_NAMES[name])];
    }
  }

  /**
   * Returns a parameter for each field. A condition is an object of one level, which is all that `deepObject` has an
   * agreed form for: one parameter with all fields would have two.
   */
  private filter(declared: GraphQLInputType): JsonSchema[] {
    const list = getNamedType(declared).name.replace(/Input$/u, "");
    const conditions = this.inputs.conditions(declared).map(({ name, operators, schema }) => {
      const key = `${list}.${name}`;
      const parameter = `filter[${name}]`;
      const description =
        `Rows whose \`${name}\` is this: \`${parameter}=value\`, or \`${parameter}[operator]=value\` with ` +
        `${operators.join(", ")}.`;
      this.components[key] = {
        ...query(parameter, description, schema),
        style: "deepObject",
        explode: true,
      };
      return shared(key);
    });
    return [...conditions, shared("FilterNot"), shared("FilterOr")];
  }

  private load({ resource }: RestRoute): JsonSchema {
    const names = this.dynamicLoading.loadable(resource);
    return commaSeparated(
      "load",
      `What to add, each under its name: ${names.join(", ")}. Dots go on from there.`,
      { type: "string", pattern: `^(?:${names.join("|")})(?:\\.[a-z][a-z0-9_]*){0,3}$` },
    );
  }

  private fields({ resource, selection, keysBesideRows }: RestRoute): JsonSchema {
    const keys = [...this.dynamicLoading.keys(resource, selection), ...keysBesideRows];
    return commaSeparated("fields", "The keys to answer; those that answers always have when absent.", {
      type: "string",
      enum: keys,
    });
  }
}

function sort(declared: GraphQLInputType): JsonSchema {
  const order = getNamedType(declared) as GraphQLInputObjectType;
  const field = getNamedType(order.getFields()["field"]?.type) as GraphQLEnumType;
  const names = field.getValues().map(({ name }) => name.toLowerCase());
  const description =
    "The order of the rows: names of fields, with `-` in front for descending. Nulls come last, with `-` first.";
  return commaSeparated("sort", description, {
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
