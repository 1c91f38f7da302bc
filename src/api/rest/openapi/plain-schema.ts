import type { JsonSchema } from "../../../core/inputs/json-schema.js";
import { standardFormat } from "./formats.js";
import { restName } from "./wording.js";

/** Keywords that only this service knows, and those whose meaning the document states elsewhere. */
const OWN_KEYWORDS: ReadonlySet<string> = new Set([
  "cut",
  "text",
  "json",
  "decimals",
  "decimalText",
  "existingId",
  "fetchedPicture",
  "known",
  "laterThan",
  "minimumUnless",
  "patternWords",
  "takesBack",
  "takesOne",
  "twin",
  "twins",
  "forbidden",
  "uniqueBy",
  "unset",
  "merges",
  "sets",
  "nullable",
  "examples",
  "picture",
  "sheet",
]);
const NOT_NULL: JsonSchema = { not: { type: "null" } };
const NAMED_SCHEMAS: ReadonlySet<string> = new Set(["properties", "dependentSchemas"]);
const SCHEMA_LISTS: ReadonlySet<string> = new Set(["anyOf", "oneOf", "prefixItems"]);
const SCHEMAS: ReadonlySet<string> = new Set(["items", "additionalProperties", "propertyNames", "contains"]);
const CONDITIONS: ReadonlySet<string> = new Set(["not", "if", "then", "else"]);
/** Under these keywords, leaving out a comparison with other data would refuse more values instead of fewer. */
const STRICTER_WHEN_WEAKENED: ReadonlySet<string> = new Set(["if", "not", "oneOf"]);

/**
 * Returns the schema that validates an input, as any JSON Schema tool can read it: with REST names, without our own
 * keywords, without comparisons with other data (`$data`). It accepts every input that the service accepts, and
 * unknown keys too, since REST ignores them.
 */
export function plainSchema(schema: JsonSchema): JsonSchema {
  return translate(schema, true);
}

/** Returns the schema of a list that one of its items may stand for. */
function orOne(item: unknown, list: unknown): JsonSchema {
  return { anyOf: [item, list] };
}

/**
 * Completes a schema that only adds conditions to an object described elsewhere: it lists the properties that it
 * requires, and allows all others. Some tools take any schema for the whole description of an object.
 */
function asCondition(plain: JsonSchema): JsonSchema {
  const {
    required,
    properties,
    $ref: reference,
  } = plain as {
    required?: string[];
    properties?: object;
    $ref?: string;
  };
  if (reference !== undefined || (required === undefined && properties === undefined)) return plain;
  const mentioned = Object.fromEntries((required ?? []).map((name) => [name, {}]));
  return { additionalProperties: true, ...plain, properties: { ...mentioned, ...properties } };
}

/**
 * Translates a schema and all schemas in it.
 *
 * @param ofInput is false inside free JSON, whose property names are the caller's own.
 * @param inCondition is true inside a condition.
 */
function translate(schema: JsonSchema, ofInput: boolean, inCondition = false): JsonSchema {
  const renames = ofInput && schema["json"] === undefined;
  const nameOf = (name: string): string => (renames ? restName(name) : name);
  const namesOf = (names: unknown): string[] => (names as string[]).map(nameOf);
  const partOf = (item: unknown, conditional: boolean): unknown => {
    if (typeof item !== "object" || item === null) return item;
    const part = translate(item as JsonSchema, renames, conditional);
    return conditional ? asCondition(part) : part;
  };
  const schemaOf = (item: unknown): unknown => partOf(item, inCondition);
  if (schema["takesOne"] === true) return orOne(schemaOf(schema["then"]), schemaOf(schema["else"]));
  const plain: JsonSchema = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (
      isLeftOut(keyword, value, schema) ||
      (keyword === "additionalProperties" && value === false && renames)
    )
      continue;
    if (keyword === "additionalProperties" && isForbiddenKey(value)) plain[keyword] = false;
    else if (keyword === "$ref")
      plain[keyword] = (value as string).replace("#/$defs/", "#/components/schemas/");
    else if (keyword === "file") Object.assign(plain, { type: "string", format: "binary" });
    else if (keyword === "notNull") Object.assign(plain, schema["file"] === undefined && NOT_NULL);
    else if (keyword === "format") Object.assign(plain, standardFormat(value as string, schema["pattern"]));
    else if (keyword === "required") plain[keyword] = namesOf(value);
    else if (keyword === "dependentRequired") plain[keyword] = mapEntries(value as object, nameOf, namesOf);
    else if (NAMED_SCHEMAS.has(keyword)) plain[keyword] = mapEntries(value as object, nameOf, schemaOf);
    else if (keyword === "allOf") Object.assign(plain, allOf((value as unknown[]).map(schemaOf)));
    else if (SCHEMA_LISTS.has(keyword)) plain[keyword] = (value as unknown[]).map(schemaOf);
    else if (CONDITIONS.has(keyword)) plain[keyword] = partOf(value, true);
    else if (SCHEMAS.has(keyword)) plain[keyword] = schemaOf(value);
    else if (!(keyword in plain)) plain[keyword] = value;
  }
  const { type, enum: values } = plain as { type?: unknown; enum?: unknown[] };
  if (typeof type === "string" && type !== "null" && values?.includes(null)) plain["type"] = [type, "null"];
  return plain;
}

/** Returns whether the value of `additionalProperties` forbids all other keys under a rule of its own. */
function isForbiddenKey(value: unknown): boolean {
  return typeof value === "object" && value !== null && "forbidden" in value;
}

function isLeftOut(keyword: string, value: unknown, schema: JsonSchema): boolean {
  if (OWN_KEYWORDS.has(keyword) || isDataReference(value)) return true;
  if (STRICTER_WHEN_WEAKENED.has(keyword)) return comparesData(value);
  return (keyword === "then" || keyword === "else") && comparesData(schema["if"]);
}

/** Returns `allOf` without the parts that allow everything, after comparisons with other data have been left out. */
function allOf(parts: readonly unknown[]): JsonSchema {
  const saying = parts.filter((part) => typeof part !== "object" || Object.keys(part ?? {}).length > 0);
  return saying.length === 0 ? {} : { allOf: saying };
}

function mapEntries(
  values: object,
  key: (name: string) => string,
  item: (value: unknown) => unknown,
): object {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [key(name), item(value)]));
}

function isDataReference(value: unknown): boolean {
  return typeof value === "object" && value !== null && "$data" in value;
}

function comparesData(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return isDataReference(value) || Object.values(value).some(comparesData);
}

/** Returns the schema without its null, which a query parameter cannot be. */
export function withoutNull(schema: JsonSchema): JsonSchema {
  const {
    type,
    enum: values,
    anyOf,
    ...rest
  } = schema as { type?: unknown; enum?: unknown[]; anyOf?: JsonSchema[] };
  const alternatives = anyOf?.filter((alternative) => alternative["type"] !== "null");
  if (alternatives?.length === 1) return { ...alternatives[0], ...rest };
  const types = Array.isArray(type) ? (type as string[]).filter((name) => name !== "null") : [type];
  return {
    ...rest,
    ...(type !== undefined && { type: types.length === 1 ? types[0] : types }),
    ...(values !== undefined && { enum: values.filter((value) => value !== null) }),
    ...(alternatives !== undefined && { anyOf: alternatives }),
  };
}
