import {
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isScalarType,
  type GraphQLArgument,
  type GraphQLEnumType,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLScalarType,
} from "graphql";

import type { JsonSchema } from "../../core/inputs/json-schema.js";
import { MAX_INT } from "../../core/integers.js";
import { forbidden } from "../../core/inputs/forbidden-key.js";
import { DECIMAL_PATTERN } from "../../core/scalars/decimal.js";
import { twinsOf } from "../../core/inputs/twins.js";

const MAX_LIST_ITEMS = 1_000;

const SCALAR_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Int: { type: "integer", minimum: -MAX_INT - 1, maximum: MAX_INT },
  SafeInt: { type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
  Float: { type: "number" },
  Decimal: {
    type: ["number", "string"],
    pattern: DECIMAL_PATTERN,
    patternWords: "a decimal number",
    decimalText: true,
  },
  Boolean: { type: "boolean" },
  String: { type: "string", text: "line" },
  DateTime: { type: "string", text: "line", format: "datetime", laterThan: [] },
  JSON: { json: true },
  Upload: { file: true },
};

/** An object where a list of them may be: it is checked in its place, so that its error names it as it was sent. */
const IS_OBJECT: JsonSchema = { type: "object" };

/**
 * Makes JSON Schemas of GraphQL input types with the bounds that the input classes declare. They are the only
 * source for the validation of both faces and for the REST reference; their names are those of GraphQL.
 */
export class InputSchemas {
  /** Definitions by the name of the GraphQL type; they are referred to as `#/$defs/<name>`. */
  readonly definitions: Record<string, JsonSchema> = {};

  ofArguments(args: readonly GraphQLArgument[]): JsonSchema {
    return this.ofFields(args);
  }

  ofType(type: GraphQLInputType, own: JsonSchema = {}): JsonSchema {
    const nullable = own["nullable"] === true;
    const { nullable: _, items, ...bounds } = own;
    const schema = this.ofNullable(getNullableType(type), bounds, items as JsonSchema | undefined);
    if (nullable) return orNull(schema);
    return isNonNullType(type) && takesNull(schema) ? { ...schema, notNull: true } : schema;
  }

  private ofNullable(type: GraphQLInputType, bounds: JsonSchema, items: JsonSchema = {}): JsonSchema {
    if (isListType(type)) {
      const { takesOne, ...own } = bounds;
      const item = this.ofType(type.ofType, items);
      const list = { type: "array", cut: true, maxItems: MAX_LIST_ITEMS, items: item, ...own };
      return takesOne === true ? { takesOne, if: IS_OBJECT, then: item, else: list } : list;
    }
    if (isInputObjectType(type)) return { ...this.reference(type), ...bounds };
    if (isEnumType(type)) return { ...enumSchema(type), ...bounds };
    if (isScalarType(type)) return { ...scalarSchema(type), ...bounds };
    throw new TypeError(`no JSON Schema for ${String(type)}`);
  }

  private reference(type: GraphQLInputObjectType): JsonSchema {
    if (!(type.name in this.definitions)) {
      this.definitions[type.name] = {};
      Object.assign(
        this.definitions[type.name] as JsonSchema,
        this.ofFields(Object.values(type.getFields())),
        type.extensions["closed"] === true && { additionalProperties: forbidden("forbidden") },
        type.extensions["jsonSchema"],
      );
    }
    return { $ref: `#/$defs/${type.name}` };
  }

  private ofFields(fields: readonly (GraphQLInputField | GraphQLArgument)[]): JsonSchema {
    const properties: Record<string, JsonSchema> = {};
    for (const field of fields) {
      const own = (field.extensions["jsonSchema"] ?? { nullable: true }) as JsonSchema;
      const optional = !isNonNullType(field.type);
      properties[field.name] = this.ofType(field.type, optional ? own : { ...own, nullable: false });
    }
    const required = fields.filter((field) => isNonNullType(field.type)).map((field) => field.name);
    return {
      type: "object",
      ...twinsOf(properties),
      properties,
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    };
  }
}

function scalarSchema(type: GraphQLScalarType): JsonSchema {
  const schema = SCALAR_SCHEMAS[type.name];
  if (schema === undefined) throw new TypeError(`scalar ${type.name} has no JSON Schema`);
  return schema;
}

/**
 * Allows the names of an enum and the values that they stand for, since GraphQL has already coerced some arguments.
 * Callers see the names alone, which is what they may send.
 */
function enumSchema(type: GraphQLEnumType): JsonSchema {
  const names = type.getValues().map(({ name }) => name);
  const values = new Set([...names, ...type.getValues().map(({ value }) => value as unknown)]);
  return { type: "string", enum: [...values], ...(values.size > names.length && { names }) };
}

/** Returns whether values of every type meet a schema, null among them: it is one of JSON or of a file. */
function takesNull({ type, $ref: reference, json, file }: JsonSchema): boolean {
  return type === undefined && reference === undefined && (json !== undefined || file !== undefined);
}

function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema;
  if (schema["$ref"] !== undefined) return { anyOf: [{ type: "null" }, schema] };
  return {
    ...schema,
    ...(type !== undefined && { type: [type, "null"].flat() }),
    ...(Array.isArray(values) && { enum: [...(values as unknown[]), null] }),
  };
}
