import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
} from "graphql";
import type { FinishedSchema } from "../../../engine/guard/finish-schema.js";
import type { JsonSchema } from "../../../core/inputs/json-schema.js";
import { fieldBeside } from "../bind-body.js";
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

  /** Returns the schema of a field of an input type, as `ofArgument` does of an argument. */
  ofField(type: GraphQLInputObjectType, field: GraphQLInputField): JsonSchema {
    const { properties } = this.finished.inputSchemas.definitions[type.name] as {
      properties: Record<string, JsonSchema>;
    };
    return withoutNull(this.describe(properties[field.name] as JsonSchema, field));
  }

  /**
   * Returns the conditions of a list's filter by the names of their fields: each is a bare value that the field has to
   * equal, or a comparison. Filters within filters are not among them. No value in a query is null: `is_null` asks for rows without a value.
   */
  conditions(declared: GraphQLInputType): { name: string; operators: string[]; schema: JsonSchema }[] {
    const type = getNamedType(declared) as GraphQLInputObjectType;
    const fields = Object.values(type.getFields()).filter((field) => getNamedType(field.type) !== type);
    return fields.map((field) => {
      const comparison = getNamedType(field.type) as GraphQLInputObjectType;
      const properties = this.comparison(comparison)["properties"] as Record<string, JsonSchema>;
      const { description: _, ...value } = properties["eq"] as JsonSchema;
      return {
        name: restName(field.name),
        operators: Object.keys(properties),
        schema: { anyOf: [value, reference(comparison)] },
      };
    });
  }

  private comparison(type: GraphQLInputObjectType): JsonSchema {
    const known = this.schemas[type.name];
    if (known !== undefined) return known;
    const { properties, ...rest } = this.component(type) as { properties: Record<string, JsonSchema> };
    const component = {
      ...rest,
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, schema]) => [name, inQuery(withoutNull(schema))]),
      ),
      additionalProperties: false,
    };
    this.schemas[type.name] = component;
    return component;
  }

  private component(type: GraphQLInputObjectType): JsonSchema {
    const definition = this.finished.inputSchemas.definitions[type.name] as JsonSchema;
    const declared = definition["properties"] as Record<string, JsonSchema>;
    const beside = fieldBeside(type);
    const fields = Object.values(type.getFields());
    const properties = fields
      .filter(({ name }) => name !== beside?.name)
      .map((field) => [restName(field.name), this.describe(declared[field.name] as JsonSchema, field)]);
    return {
      ...plainSchema({ ...definition, properties: {} }),
      description: restText(type.description),
      properties: Object.fromEntries(properties) as object,
      ...(beside !== null && {
        patternProperties: this.valuesBeside(
          declared[beside.name] as JsonSchema,
          type.getFields()[beside.name] as GraphQLInputField,
        ),
      }),
    };
  }

  /** Returns the schemas of keys that stand in the place of a field, by their pattern. */
  private valuesBeside(schema: JsonSchema, field: GraphQLInputField): JsonSchema {
    const description = restText(field.description);
    const patterns = Object.entries(schema["patternProperties"] as Record<string, JsonSchema>);
    return Object.fromEntries(
      patterns.map(([pattern, value]) => [pattern, { ...plainSchema(value), description }]),
    );
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
      ...(declared.deprecationReason != null && { deprecated: true }),
    };
  }
}

/**
 * Maps each field, such as `Coupon.type`, to the first word that `PropertyInput`, `CreateCouponInput` or
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

function reference({ name }: { readonly name: string }): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/**
 * Returns the schema of an operand as it stands in a query. Several values are one text with commas between: a list
 * within an object has no form there that clients agree on.
 */
function inQuery(schema: JsonSchema): JsonSchema {
  const { type, items, description } = schema as { type?: unknown; items?: JsonSchema; description?: string };
  if (type !== "array") return schema;
  const one = [items?.["type"]].flat().includes("integer") ? "-?\\d+" : "[^,]+";
  return {
    description: `${description} Values have commas between.`,
    type: "string",
    pattern: `^${one}(?:,${one})*$`,
  };
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
