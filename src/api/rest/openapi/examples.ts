import { readMask } from "../../../core/masks/masks.js";
import type { JsonSchema } from "../../../core/inputs/json-schema.js";
import { settle } from "./example-conditions.js";
import { exampleNumber, exampleText } from "./example-values.js";
import { restName } from "./wording.js";

type Properties = Record<string, JsonSchema>;

/** Stands for a file in examples. */
export const FILE_EXAMPLE = "(the bytes of the file)";

/** Below this depth, an example shows required fields alone: inputs may nest without end. */
const MAX_DEPTH = 6;

/**
 * Makes examples of values that schemas describe. They are the same at every run, keep every bound, and suit the
 * names of their fields. A schema that has `examples` gives its example itself.
 */
export class Examples {
  private depth = 0;

  /**
   * @param resolve finds the schema that a `$ref` points to.
   * @param shows says which optional properties stand in examples.
   */
  constructor(
    private readonly resolve: (reference: string) => JsonSchema,
    private readonly shows: (property: JsonSchema, name: string) => boolean,
  ) {}

  of(schema: JsonSchema, name = "", siblings: Readonly<Record<string, unknown>> = {}): unknown {
    const whole = this.whole(schema);
    const {
      examples,
      const: fixed,
      enum: values,
    } = whole as { examples?: unknown[]; const?: unknown; enum?: unknown[] };
    if (examples?.[0] !== undefined) return structuredClone(examples[0]);
    if (fixed !== undefined) return fixed;
    if (whole["file"] === true) return FILE_EXAMPLE;
    if (name === "deleted_at" && [whole["type"]].flat().includes("null")) return null;
    if (values !== undefined) return values[0];
    switch (typeOf(whole)) {
      case "string":
        return exampleText(whole, restName(name));
      case "integer":
      case "number":
        return exampleNumber({ ...whole, type: typeOf(whole) }, restName(name), siblings);
      case "boolean":
        return /^(?:is_)?(?:enabled|available|valid|default)$/u.test(restName(name));
      case "array":
        return this.list(whole, name);
      case "null":
        return null;
      default:
        return this.nested(() => this.object(whole));
    }
  }

  private list(schema: JsonSchema, name: string): unknown[] {
    const { items = {}, minItems = 1 } = schema as { items?: JsonSchema; minItems?: number };
    return Array.from({ length: Math.max(1, minItems) }, () => this.of(items, name.replace(/s$/u, "")));
  }

  private nested<T>(make: () => T): T {
    this.depth += 1;
    const value = make();
    this.depth -= 1;
    return value;
  }

  private object(schema: JsonSchema): Record<string, unknown> {
    const properties = (schema["properties"] ?? {}) as Properties;
    const required = new Set((schema["required"] ?? []) as string[]);
    const value: Record<string, unknown> = {};
    for (const [name, property] of Object.entries(properties)) {
      const isShown = required.has(name) || (this.depth < MAX_DEPTH && this.shows(property, name));
      if (isShown) value[name] = this.of(property, name, value);
    }
    settle(schema, value, (name, more) =>
      this.of({ ...this.whole(properties[name] ?? {}), ...more }, name, value),
    );
    for (const [name, property] of Object.entries(properties)) {
      const { of: source, ...field } = (property["x-mask"] ?? {}) as {
        of?: string;
        bits: number;
        shift?: number;
      };
      const mask = source === undefined ? undefined : value[source];
      if (typeof mask === "number") value[name] = readMask(mask, field);
    }
    return value;
  }

  /** Returns the schema that a reference leads to, without its null. */
  private whole(schema: JsonSchema): JsonSchema {
    const { $ref: reference, anyOf, ...rest } = schema as { $ref?: string; anyOf?: JsonSchema[] };
    if (reference !== undefined) return this.whole({ ...this.resolve(reference), ...rest });
    const alternative = schema["type"] === undefined ? anyOf?.find(({ type }) => type !== "null") : undefined;
    return alternative === undefined ? schema : this.whole({ ...alternative, ...rest });
  }
}

function typeOf({ type, properties }: JsonSchema): string {
  const types = [type].flat().filter((name) => name !== "null");
  return (
    (types[0] as string | undefined) ?? (type === undefined || properties !== undefined ? "object" : "null")
  );
}
