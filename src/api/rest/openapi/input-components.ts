import {
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
} from "graphql";
import type { FinishedSchema } from "../../../engine/schema/finish-schema.js";
import type { JsonSchema } from "../../../core/inputs/json-schema.js";
import { plainSchema, withoutNull } from "./plain-schema.js";
import { restName, restText } from "./wording.js";

/**
 * Makes the schemas of bodies and parameters. The input types that they refer to become components, named as in
 * GraphQL.
 */
export class InputComponents {
  readonly schemas: Record<string, JsonSchema> = {};

  constructor(private readonly finished: FinishedSchema) {}

  /** Returns the schema of an operation's argument without its null: a REST caller leaves the key out instead. */
  ofArgument(operationName: string, argument: GraphQLArgument): JsonSchema {
    const properties = this.finished.operations.get(operationName)?.schema["properties"] as Record<
      string,
      JsonSchema
    >;
    return withoutNull(this.describe(properties[argument.name] as JsonSchema, argument));
  }

  /**
   * Returns the schema of a list's filter: each field takes a comparison, or a bare value that it has to equal. No
   * value in a query is null: `is_null` asks for rows without a value.
   */
  filter(declared: GraphQLInputType): JsonSchema {
    const type = getNamedType(declared) as GraphQLInputObjectType;
    if (!(type.name in this.schemas)) {
      const properties = Object.values(type.getFields()).map((field) => [
        restName(field.name),
        getNamedType(field.type) === type ? partOfFilter(field) : this.condition(field),
      ]);
      this.schemas[type.name] = {
        type: "object",
        description: restText(type.description),
        properties: Object.fromEntries(properties) as object,
        additionalProperties: false,
      };
    }
    return reference(type);
  }

  private condition(field: GraphQLInputField): JsonSchema {
    const comparison = getNamedType(field.type) as GraphQLInputObjectType;
    const component = this.comparison(comparison);
    const equal = (component["properties"] as Record<string, JsonSchema>)["eq"] as JsonSchema;
    const { description: _, ...value } = equal;
    return { description: restText(field.description), anyOf: [value, reference(comparison)] };
  }

  private comparison(type: GraphQLInputObjectType): JsonSchema {
    const known = this.schemas[type.name];
    if (known !== undefined) return known;
    const { properties, ...rest } = this.component(type) as { properties: Record<string, JsonSchema> };
    const component = {
      ...rest,
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, schema]) => [name, withoutNull(schema)]),
      ),
      additionalProperties: false,
    };
    this.schemas[type.name] = component;
    return component;
  }

  private component(type: GraphQLInputObjectType): JsonSchema {
    const definition = this.finished.inputSchemas.definitions[type.name] as JsonSchema;
    const declared = definition["properties"] as Record<string, JsonSchema>;
    const properties = Object.values(type.getFields()).map((field) => [
      restName(field.name),
      this.describe(declared[field.name] as JsonSchema, field),
    ]);
    return {
      ...plainSchema({ ...definition, properties: {} }),
      description: restText(type.description),
      properties: Object.fromEntries(properties) as object,
    };
  }

  /**
   * Returns the schema of a field or an argument with its description; a type that it refers to becomes a
   * component.
   */
  private describe(schema: JsonSchema, declared: GraphQLArgument | GraphQLInputField): JsonSchema {
    const named = getNamedType(declared.type);
    if (isInputObjectType(named) && !(named.name in this.schemas)) {
      this.schemas[named.name] = {};
      Object.assign(this.schemas[named.name] as JsonSchema, this.component(named));
    }
    const names = isEnumType(named) ? new Set(named.getValues().map(({ name }) => name)) : null;
    return {
      ...onlyNames(plainSchema(schema), names),
      description: [restText(declared.description), decimalsOf(schema)].join("").trim(),
      ...(declared.defaultValue !== undefined && { default: declared.defaultValue }),
    };
  }
}

/**
 * Maps each field, such as `Coupon.type`, to the first word that `CouponInput`, `CreateCouponInput` or
 * `UpdateCouponInput` allow for it.
 */
export function inputChoices({ inputSchemas }: FinishedSchema): ReadonlyMap<string, string> {
  const choices = new Map<string, string>();
  for (const [input, { properties }] of Object.entries(inputSchemas.definitions)) {
    const type = /^(?:Create|Update)?(?<type>\w+)Input$/u.exec(input)?.groups?.["type"];
    for (const [name, { enum: words }] of Object.entries(
      (properties ?? {}) as Record<string, { enum?: unknown[] }>,
    )) {
      if (typeof words?.[0] === "string") choices.set(`${type}.${name}`, words[0]);
    }
  }
  return choices;
}

/** Describes `or` and `not`, which take filters of the same type. */
function partOfFilter({ type, description }: GraphQLInputField): JsonSchema {
  const part = reference(getNamedType(type));
  return isListType(getNullableType(type))
    ? { description: restText(description), type: "array", items: part }
    : { description: restText(description), allOf: [part] };
}

function reference({ name }: { readonly name: string }): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

function decimalsOf({ decimals }: JsonSchema): string {
  return typeof decimals === "number" ? ` At most ${decimals} decimals.` : "";
}

/**
 * Keeps the names of an enum's values, which bodies use, and removes the values that stand for them inside the
 * service.
 */
function onlyNames(schema: JsonSchema, names: ReadonlySet<string> | null): JsonSchema {
  if (names === null) return schema;
  const { enum: values, items, ...rest } = schema as { enum?: unknown[]; items?: JsonSchema };
  return {
    ...rest,
    ...(values !== undefined && {
      enum: values.filter((value) => value === null || names.has(value as string)),
    }),
    ...(items !== undefined && { items: onlyNames(items, names) }),
  };
}
