import {
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLObjectType,
} from "graphql";
import type { FinishedSchema } from "../../src/engine/guard/finish-schema.js";
import type { Operation } from "../../src/engine/schema/operation.js";
import type { JsonSchema } from "../../src/core/inputs/json-schema.js";

export type Arguments = Record<string, unknown>;

/** Returns a document that runs the operation with all of the named arguments. */
export function documentOf(
  finished: FinishedSchema,
  operation: Operation,
  args: Arguments,
  selection?: string,
): string {
  const field = fieldOf(finished, operation);
  const used = field.args.filter(({ name }) => name in args);
  const declared = used.map(({ name, type }) => `$${name}: ${String(type)}`).join(", ");
  const passed = used.map(({ name }) => `${name}: $${name}`).join(", ");
  const shape = isObjectType(getNamedType(field.type)) ? (selection ?? "{ __typename }") : "";
  const call = passed === "" ? operation.name : `${operation.name}(${passed})`;
  return `${operation.kind}${declared === "" ? "" : `(${declared})`} { ${call} ${shape} }`;
}

export function fieldOf(
  { schema }: FinishedSchema,
  { kind, name }: Operation,
): GraphQLField<unknown, unknown> {
  const type = (kind === "query" ? schema.getQueryType() : schema.getMutationType()) as GraphQLObjectType;
  return type.getFields()[name] as GraphQLField<unknown, unknown>;
}

/** A selection of all that an answer can show without further arguments, some levels deep. */
export function selectionOf(type: GraphQLObjectType, depth: number): string {
  const parts = Object.values(type.getFields()).flatMap(({ name, type: declared, args }) => {
    if (args.some(({ type: argument }) => String(argument).endsWith("!"))) return [];
    const target = getNamedType(declared);
    if (isLeafType(target)) return [name];
    return depth > 0 && isObjectType(target) ? [`${name} ${selectionOf(target, depth - 1)}`] : [];
  });
  return `{ __typename ${parts.join(" ")} }`;
}

/**
 * Returns values of the right shape for every required argument; they are not always valid.
 *
 * @param options.filled gives input objects their required fields, too, instead of none.
 */
export function requiredArguments(
  field: GraphQLField<unknown, unknown>,
  options: { filled?: boolean } = {},
): Arguments {
  return requiredOf(field.args, options.filled ?? false);
}

function requiredOf(
  fields: readonly (GraphQLArgument | GraphQLInputField)[],
  filled: boolean,
): Record<string, unknown> {
  const required = fields.filter(({ type }) => isNonNullType(type));
  return Object.fromEntries(required.map(({ name, type }) => [name, emptyValue(name, type, filled)]));
}

/** Texts that name a row as it is. */
const TEXTS: Readonly<Record<string, string>> = { formType: "payment" };

/** Periods are a month. */
const MOMENTS = { from: "2026-01-01T00:00:00Z", until: "2026-02-01T00:00:00Z" };

function emptyValue(name: string, declared: GraphQLInputType, filled: boolean): unknown {
  const type = getNullableType(declared);
  if (isListType(type)) return [];
  if (isInputObjectType(type)) return filled ? requiredOf(Object.values(type.getFields()), filled) : {};
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (type.name === "DateTime") return name === "until" ? MOMENTS.until : MOMENTS.from;
  return type.name === "Boolean" ? true : type.name === "String" ? (TEXTS[name] ?? "x") : 1;
}

/** A place where an input may name a row: the argument with that id alone, and the path of the field. */
export interface BodyId {
  readonly model: string;
  readonly field: string;
  argument(id: number): unknown;
}

/** Returns every place of the operation's input that must hold the id of an existing row. */
export function bodyIds({ inputSchemas }: FinishedSchema, { schema }: Operation): BodyId[] {
  const input = (schema["properties"] as Record<string, JsonSchema>)["input"];
  return input === undefined ? [] : placesIn(input, inputSchemas.definitions, new Set());
}

function placesIn(
  schema: JsonSchema,
  definitions: Record<string, JsonSchema>,
  seen: ReadonlySet<string>,
): BodyId[] {
  const model = schema["existingId"];
  if (typeof model === "string") return [{ model, field: "", argument: (id) => id }];
  const reference = schema["$ref"];
  if (typeof reference === "string") {
    const name = reference.replace("#/$defs/", "");
    return seen.has(name)
      ? []
      : placesIn(definitions[name] as JsonSchema, definitions, new Set([...seen, name]));
  }
  const alternatives = (schema["anyOf"] ?? []) as JsonSchema[];
  const items = schema["items"] as JsonSchema | undefined;
  const properties = (schema["properties"] ?? {}) as Record<string, JsonSchema>;
  return [
    ...alternatives.flatMap((alternative) => placesIn(alternative, definitions, seen)),
    ...(items === undefined ? [] : placesIn(items, definitions, seen)).map((place) => ({
      model: place.model,
      field: `[0]${place.field === "" || place.field.startsWith("[") ? "" : "."}${place.field}`,
      argument: (id: number) => [place.argument(id)],
    })),
    ...Object.entries(properties).flatMap(([name, property]) =>
      placesIn(property, definitions, seen).map((place) => ({
        model: place.model,
        field: `${name}${place.field === "" || place.field.startsWith("[") ? "" : "."}${place.field}`,
        argument: (id: number) => ({ [name]: place.argument(id) }),
      })),
    ),
  ];
}
