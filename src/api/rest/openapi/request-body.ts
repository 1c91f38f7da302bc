import {
  getNullableType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type GraphQLArgument,
  type GraphQLInputType,
} from "graphql";
import type { FinishedSchema } from "../../../engine/guard/finish-schema.js";
import type { JsonSchema } from "../../../core/inputs/json-schema.js";
import { fieldBeside } from "../bind-body.js";
import type { RestRoute } from "../rest-route.js";
import { Examples } from "./examples.js";
import type { InputComponents } from "./input-components.js";
import { restName } from "./wording.js";

/** Makes the request bodies of routes. */
export class RequestBodies {
  private readonly examples: Examples;

  constructor(
    { inputSchemas: { definitions } }: FinishedSchema,
    private readonly inputs: InputComponents,
  ) {
    this.examples = new Examples(
      (reference) => definitions[reference.replace("#/$defs/", "")] ?? {},
      isShown,
    );
  }

  /** Returns the body of a route, `undefined` when the route takes none. */
  of(route: RestRoute, argument: GraphQLArgument | undefined): JsonSchema | undefined {
    if (argument === undefined) return undefined;
    const { description, ...schema } = this.inputs.ofArgument(route.operation.name, argument);
    const required = isNonNullType(argument.type) && !this.mayBeEmpty(schema);
    return { description, required, content: this.content(route, argument, schema) };
  }

  /** A body with a file is multipart; one that needs none may be JSON, too. */
  private content(route: RestRoute, argument: GraphQLArgument, schema: JsonSchema): JsonSchema {
    const { uploads } = route;
    const component = this.componentOf(schema);
    const { required = [] } = component as { required?: string[] };
    const needsFile = required.some((name) => uploads.has(name));
    const body = { schema, example: this.example(route, argument) };
    // Insomnia fills in the example of a body's schema, and knows none of bodies.
    component["example"] ??= body.example;
    return {
      ...(!needsFile && { "application/json": body }),
      ...(uploads.size > 0 && { "multipart/form-data": body }),
    };
  }

  /** Returns the example that the route's document gives, else one that fits the schema. */
  private example({ operation, rest }: RestRoute, argument: GraphQLArgument): unknown {
    const properties = operation.schema["properties"] as Record<string, JsonSchema>;
    const example = rest.example["input"] ?? this.examples.of(properties[argument.name] as JsonSchema);
    return inRestNames(example, argument.type);
  }

  /** Returns whether a request may leave the body out: a missing body counts as an empty object. */
  private mayBeEmpty(schema: JsonSchema): boolean {
    const component = this.componentOf(schema);
    return component["type"] === "object" && component["required"] === undefined;
  }

  private componentOf(schema: JsonSchema): JsonSchema {
    const name = (schema["$ref"] as string | undefined)?.replace("#/components/schemas/", "");
    return (name === undefined ? schema : this.inputs.schemas[name]) ?? {};
  }
}

/**
 * Returns whether an example shows an optional field. It does not show fields where null means "not given", references to
 * rows that may not exist, or the decimal twins of amounts.
 */
function isShown(property: JsonSchema, name: string): boolean {
  const alternatives = (property["anyOf"] ?? []) as JsonSchema[];
  const items = (property["items"] ?? {}) as JsonSchema;
  const isNullable =
    [property["type"]].flat().includes("null") ||
    alternatives.some(({ type }) => type === "null") ||
    (property["enum"] as unknown[] | undefined)?.includes(null) === true;
  const isReference = property["existingId"] !== undefined || items["existingId"] !== undefined;
  const isTwin = property["twin"] !== undefined || /^human[A-Z]/u.test(name);
  return (
    !isNullable &&
    !isReference &&
    !isTwin &&
    property["forbidden"] === undefined &&
    property["file"] === undefined
  );
}

/** Gives the keys of an input the names that bodies have; free JSON stays as it is. */
function inRestNames(value: unknown, declared: GraphQLInputType): unknown {
  const type = getNullableType(declared);
  if (isListType(type) && Array.isArray(value)) {
    return value.map((item) => inRestNames(item, type.ofType));
  }
  if (!isInputObjectType(type) || typeof value !== "object" || value === null) return value;
  const fields = type.getFields();
  const beside = fieldBeside(type);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]): [string, unknown][] => {
      if (name === beside?.name) return Object.entries(item as object);
      const field = fields[name];
      return [[restName(name), field === undefined ? item : inRestNames(item, field.type)]];
    }),
  );
}
