import {
  getNamedType,
  getNullableType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  print,
  type FieldNode,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type SelectionSetNode,
} from "graphql";
import type { MaskSource } from "../../../core/masks/mask-fields.js";
import { typeUnlessRefused } from "../../../engine/schema/refusable-field.js";
import type { JsonSchema } from "../../../core/inputs/json-schema.js";
import { KEYS_BESIDE } from "../../../core/inputs/input-fields.js";
import { isFlat } from "../rest-route.js";
import { ANSWERED_MOMENT } from "./formats.js";
import { restName, restText } from "./wording.js";

const SCALARS: Readonly<Record<string, JsonSchema>> = {
  Int: { type: "integer", format: "int32" },
  SafeInt: { type: "integer", format: "int64" },
  Float: { type: "number" },
  Boolean: { type: "boolean" },
  String: { type: "string" },
  ID: { type: "string" },
  DateTime: ANSWERED_MOMENT,
};

/**
 * Makes the schemas of answers. The shape that `schema/rest` gives a type becomes a component with the type's name.
 */
export class ResourceComponents {
  readonly schemas: Record<string, JsonSchema> = {};
  private readonly shapes = new Map<string, string>();

  /** @param choices has an example word for each field, by type and name, whose inputs allow certain words only. */
  constructor(
    resources: ReadonlyMap<string, SelectionSetNode>,
    private readonly choices: ReadonlyMap<string, string>,
  ) {
    for (const [type, selection] of resources) this.shapes.set(type, print(selection));
  }

  /** Returns the schema of a value of the type with these fields selected. */
  of(type: GraphQLOutputType, selection: SelectionSetNode | undefined): JsonSchema {
    const schema = this.ofNullable(getNullableType(type), selection);
    return isNonNullType(type) ? schema : orNull(schema);
  }

  /**
   * Returns the schema of a resource when `fields` and `load` are given: no key is certain to be there, since
   * `fields` chooses the keys, and what `load` names may be there.
   */
  view(type: GraphQLObjectType, base: SelectionSetNode, loaded: SelectionSetNode): JsonSchema {
    return this.variant(type, base, "View", () => ({
      description: `${restText(type.description)} With the keys that \`fields\` names, or those that it always has, and with what \`load\` names.`,
      type: "object",
      properties: this.properties(type, loaded),
    }));
  }

  /** Returns the schema of a resource with all of its keys when `load` is given. */
  loaded(type: GraphQLObjectType, base: SelectionSetNode, loaded: SelectionSetNode): JsonSchema {
    return this.variant(type, base, "Loaded", () => ({
      ...this.object(type, base),
      description: `${restText(type.description)} With what \`load\` names.`,
      properties: this.properties(type, loaded),
    }));
  }

  /** A variant of a type's shape is a component; that of another selection stands where it is used. */
  private variant(
    type: GraphQLObjectType,
    base: SelectionSetNode,
    ending: string,
    schema: () => JsonSchema,
  ): JsonSchema {
    return this.isShapeOf(type, base) ? this.register(`${type.name}${ending}`, schema) : schema();
  }

  private ofNullable(type: GraphQLOutputType, selection: SelectionSetNode | undefined): JsonSchema {
    if (isListType(type))
      return { type: "array", items: this.of(type.ofType as GraphQLOutputType, selection) };
    if (isObjectType(type) && selection !== undefined) {
      const schema = (): JsonSchema => this.object(type, selection);
      return this.isShapeOf(type, selection) ? this.register(type.name, schema) : schema();
    }
    if (isEnumType(type)) return { type: "string", enum: type.getValues().map(({ name }) => name) };
    return SCALARS[(type as GraphQLNamedType).name] ?? {};
  }

  private object(type: GraphQLObjectType, selection: SelectionSetNode): JsonSchema {
    const properties = this.properties(type, selection);
    const conditional = new Set(
      (selection.selections as readonly FieldNode[]).filter(isConditional).map(keyOf),
    );
    return {
      type: "object",
      description: restText(type.description),
      properties,
      ...keysBeside(type, selection),
      required: Object.keys(properties).filter((key) => !conditional.has(key)),
    };
  }

  /** Returns a component that is the schema of an object, which may be one itself, with further properties. */
  withProperties(name: string, schema: JsonSchema, further: Record<string, JsonSchema>): JsonSchema {
    const of = (schema["$ref"] as string | undefined)?.replace("#/components/schemas/", "");
    const object = of === undefined ? schema : (this.schemas[of] as JsonSchema);
    const properties = { ...(object["properties"] as JsonSchema), ...further };
    return this.register(name, () => ({ ...object, properties }));
  }

  /** Returns the schemas of the keys that are selected of a type. */
  properties(type: GraphQLObjectType, { selections }: SelectionSetNode): Record<string, JsonSchema> {
    const properties: Record<string, JsonSchema> = {};
    for (const selected of selections as readonly FieldNode[]) {
      const { name, selectionSet } = selected;
      const field = type.getFields()[name.value];
      if (field !== undefined && isFlat(selected)) {
        const inner = getNamedType(field.type) as GraphQLObjectType;
        if (selectionSet !== undefined) Object.assign(properties, this.properties(inner, selectionSet));
        continue;
      }
      const key = keyOf(selected);
      if (field === undefined || key in properties) continue;
      const mask = field.extensions["maskSource"] as MaskSource | undefined;
      const choice = this.choices.get(`${type.name}.${field.name}`);
      properties[key] = {
        ...this.of(typeUnlessRefused(field), selectionSet),
        description: restText(field.description),
        ...(field.deprecationReason != null && { deprecated: true }),
        ...(choice !== undefined && { examples: [choice] }),
        ...(mask !== undefined && {
          "x-mask": { of: restName(mask.mask), bits: mask.bits, shift: mask.shift },
        }),
      };
    }
    return properties;
  }

  /**
   * Returns whether the selection is the shape of the type. A type without a shape takes the first selection that is
   * answered.
   */
  private isShapeOf({ name }: GraphQLObjectType, selection: SelectionSetNode): boolean {
    const printed = print(selection);
    const shape = this.shapes.get(name);
    if (shape === undefined) this.shapes.set(name, printed);
    return shape === undefined || shape === printed;
  }

  private register(name: string, schema: () => JsonSchema): JsonSchema {
    if (!(name in this.schemas)) {
      this.schemas[name] = {};
      Object.assign(this.schemas[name], schema());
    }
    return { $ref: `#/components/schemas/${name}` };
  }
}

/** The keys of free JSON that stand in its place, by their pattern. */
function keysBeside(type: GraphQLObjectType, { selections }: SelectionSetNode): JsonSchema {
  const flat = (selections as readonly FieldNode[]).filter(
    (selected) => isFlat(selected) && selected.selectionSet === undefined,
  );
  const patterns = flat.flatMap(({ name }) => {
    const field = type.getFields()[name.value];
    const pattern = field?.extensions[KEYS_BESIDE];
    return typeof pattern === "string"
      ? [[pattern, { type: "array", description: restText(field?.description) }] as const]
      : [];
  });
  return patterns.length === 0 ? {} : { patternProperties: Object.fromEntries(patterns) };
}

function keyOf({ alias, name }: FieldNode): string {
  return (alias ?? name).value;
}

/** Returns whether a field is in the answer only when a variable says so. */
function isConditional({ directives = [] }: FieldNode): boolean {
  return directives.some(({ name }) => name.value === "include" || name.value === "skip");
}

function orNull(schema: JsonSchema): JsonSchema {
  if (schema["$ref"] !== undefined) return { anyOf: [schema, { type: "null" }] };
  const { type, enum: values } = schema as { type?: string; enum?: unknown[] };
  return {
    ...schema,
    ...(type !== undefined && { type: [type, "null"] }),
    ...(values !== undefined && { enum: [...values, null] }),
  };
}
