import {
  getNullableType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type GraphQLArgument,
  type GraphQLInputType,
} from "graphql";
import type { FinishedSchema } from "../../core/graphql/finish-schema.js";
import type { JsonSchema } from "../../core/validation/json-schema.js";
import type { RestRoute } from "../rest-route.js";
import { Examples } from "./examples.js";
import type { InputComponents } from "./input-components.js";
import { restName } from "./wording.js";

/** What routes take as bodies. */
export class RequestBodies {
  private readonly examples: Examples;

  constructor(
    private readonly finished: FinishedSchema,
    private readonly inputs: InputComponents,
  ) {
    const { definitions } = finished.inputSchemas;
    this.examples = new Examples(
      (reference) => definitions[reference.replace("#/$defs/", "")] ?? {},
      isShown,
    );
  }

  /** The body of a route, `undefined` when it takes none. */
  of({ operation }: RestRoute, argument: GraphQLArgument | undefined): JsonSchema | undefined {
    if (argument === undefined) return undefined;
    const { description, ...schema } = this.inputs.ofArgument(operation.name, argument);
    const example = this.example(operation.name, argument);
    return {
      description,
      required: isNonNullType(argument.type) && !this.mayBeEmpty(schema),
      content: { "application/json": { schema, example } },
    };
  }

  private example(operationName: string, argument: GraphQLArgument): unknown {
    const properties = this.finished.operations.get(operationName)?.schema["properties"] as Record<
      string,
      JsonSchema
    >;
    return inRestNames(this.examples.of(properties[argument.name] as JsonSchema), argument.type);
  }

  /** Without a body there is an empty object. */
  private mayBeEmpty(schema: JsonSchema): boolean {
    const name = (schema["$ref"] as string | undefined)?.replace("#/components/schemas/", "");
    const component = name === undefined ? schema : this.inputs.schemas[name];
    return component?.["type"] === "object" && component["required"] === undefined;
  }
}

/**
 * What an example shows of the optional fields: not those where null means "not given", ids of rows that need
 * not exist, and the decimal twins of amounts.
 */
function isShown(property: JsonSchema, name: string): boolean {
  const alternatives = (property["anyOf"] ?? []) as JsonSchema[];
  const items = (property["items"] ?? {}) as JsonSchema;
  const isNullable =
    [property["type"]].flat().includes("null") ||
    alternatives.some(({ type }) => type === "null") ||
    (property["enum"] as unknown[] | undefined)?.includes(null) === true;
  const isReference = property["existingId"] !== undefined || items["existingId"] !== undefined;
  return !isNullable && !isReference && !/^human[A-Z]/u.test(name);
}

/** An input with the names that bodies have; free JSON stays as it is. */
function inRestNames(value: unknown, declared: GraphQLInputType): unknown {
  const type = getNullableType(declared);
  if (isListType(type) && Array.isArray(value)) {
    return value.map((item) => inRestNames(item, type.ofType));
  }
  if (!isInputObjectType(type) || typeof value !== "object" || value === null) return value;
  const fields = type.getFields();
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      const field = fields[name];
      return [restName(name), field === undefined ? item : inRestNames(item, field.type)];
    }),
  );
}
