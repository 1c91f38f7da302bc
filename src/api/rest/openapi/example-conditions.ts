import type { JsonSchema } from "../../../core/inputs/json-schema.js";

type Value = Record<string, unknown>;
/** Makes a property that is missing; the schema adds to the one that is declared for it. */
type Add = (name: string, schema: JsonSchema) => unknown;

/**
 * Changes an example until it fulfils what its schema demands of properties together: conditions and alternatives.
 */
export function settle(schema: JsonSchema, value: Value, add: Add): void {
  const { if: condition, then: holding, else: failing, ...rest } = schema;
  if (condition !== undefined) {
    const branch = holds(condition, value) ? holding : failing;
    if (isSchema(branch)) demand(branch, value, add);
  }
  for (const [name, names] of Object.entries((rest["dependentRequired"] ?? {}) as Record<string, string[]>)) {
    if (name in value) demand({ required: names }, value, add);
  }
  for (const part of listOf(rest["allOf"])) settle(part, value, add);
  const alternatives = [...listOf(rest["oneOf"]), ...listOf(rest["anyOf"])];
  const [chosen, ...others] = alternatives;
  if (chosen !== undefined && !alternatives.some((alternative) => holds(alternative, value)))
    demand(chosen, value, add);
  if (chosen !== undefined && rest["oneOf"] !== undefined) {
    for (const other of others) if (holds(other, value)) leaveOut(other, chosen, value);
  }
  const forbidden = rest["not"];
  if (isSchema(forbidden) && holds(forbidden, value)) leaveOut(forbidden, {}, value);
}

function demand(schema: JsonSchema, value: Value, add: Add): void {
  const properties = (schema["properties"] ?? {}) as Record<string, JsonSchema | boolean>;
  for (const [name, property] of Object.entries(properties)) {
    if (!(name in value)) continue;
    if (property === false) delete value[name];
    else if (isSchema(property) && !holds(property, value[name])) value[name] = add(name, property);
  }
  for (const name of (schema["required"] ?? []) as string[]) {
    const property = properties[name];
    if (!(name in value)) value[name] = add(name, isSchema(property) ? property : {});
  }
  settle(schema, value, add);
}

/** Removes the last property that only this alternative requires. */
function leaveOut(alternative: JsonSchema, kept: JsonSchema, value: Value): void {
  const needed = new Set((kept["required"] ?? []) as string[]);
  const last = ((alternative["required"] ?? []) as string[]).filter((name) => !needed.has(name)).at(-1);
  if (last !== undefined) delete value[last];
}

/** Returns whether a value is valid, as far as the conditions between fields decide it. */
export function holds(schema: unknown, value: unknown): boolean {
  if (!isSchema(schema)) return schema !== false;
  return Object.entries(schema).every(([keyword, expected]) => CHECKS[keyword]?.(expected, value) ?? true);
}

const CHECKS: Readonly<Record<string, (expected: unknown, value: unknown) => boolean>> = {
  type: (expected, value) => [expected].flat().some((type) => isOfType(type as string, value)),
  const: (expected, value) => JSON.stringify(expected) === JSON.stringify(value),
  enum: (expected, value) => (expected as unknown[]).includes(value),
  required: (expected, value) => !isRecord(value) || (expected as string[]).every((name) => name in value),
  properties: (expected, value) =>
    !isRecord(value) ||
    Object.entries(expected as object).every(
      ([name, schema]) => !(name in value) || holds(schema, value[name]),
    ),
  minimum: (expected, value) =>
    typeof value !== "number" || typeof expected !== "number" || value >= expected,
  maximum: (expected, value) =>
    typeof value !== "number" || typeof expected !== "number" || value <= expected,
  allOf: (expected, value) => listOf(expected).every((schema) => holds(schema, value)),
  anyOf: (expected, value) => listOf(expected).some((schema) => holds(schema, value)),
  oneOf: (expected, value) => listOf(expected).filter((schema) => holds(schema, value)).length === 1,
  not: (expected, value) => !holds(expected, value),
};

function isOfType(type: string, value: unknown): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isRecord(value);
  return type === "integer" ? Number.isInteger(value) : typeof value === type;
}

function listOf(value: unknown): JsonSchema[] {
  return Array.isArray(value) ? (value as JsonSchema[]) : [];
}

function isSchema(value: unknown): value is JsonSchema {
  return isRecord(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
