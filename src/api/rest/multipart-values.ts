import {
  getNamedType,
  getNullableType,
  GraphQLString,
  isInputObjectType,
  isListType,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
} from "graphql";
import qs from "qs";
import { type FieldError, validationFailed } from "../../core/errors/domain-error.js";
import { Upload } from "../../core/files/upload.js";
import type { JsonSchema } from "../../core/inputs/json-schema.js";
import { Json } from "../../core/scalars/json.js";
import { VALUE_LIMITS } from "../../engine/limits/value-bounds.js";
import { sentTwice, wrongForm, type Parts } from "../http/multipart-body.js";
import { fieldBeside } from "./bind-body.js";
import { readValue } from "./bind-query.js";
import { toSnakeCase } from "./naming.js";
import { withExactNumbers } from "../../engine/validation/exact-numbers.js";

const DEPTH = 8;
/** The parser would drop a part of this name without a word. */
const INHERITED = "[__proto__]";

/**
 * Makes the body that the parts of a form stand for: `key[]` and `key[sub]` are lists and objects, as is a JSON text in
 * their place, and texts become the values that the input's types ask for.
 *
 * @throws DomainError BAD_REQUEST for a text beside a file of the same key, and for a file where none is accepted,
 *   such as within a list or an object;
 *   VALIDATION_FAILED for a key `__proto__` within one.
 */
export function bodyOfParts({ fields, files }: Parts, type: GraphQLInputObjectType): object {
  const query = fields.map((pair) => pair.map(encodeURIComponent).join("=")).join("&");
  const nested = qs.parse(query, {
    depth: DEPTH,
    parameterLimit: Infinity,
    // One more than is allowed, so that too long a list is reported.
    arrayLimit: VALUE_LIMITS.items + 1,
    plainObjects: true,
  });
  const inherited = fields.filter(([name]) => name.includes(INHERITED)).map(([name]) => inheritedKey(name));
  if (inherited.length > 0) throw validationFailed(inherited);
  const wanted = fieldsOf(type);
  const wrong = [...files.keys()].flatMap((name): FieldError[] => {
    const key = /[^[\]]+/u.exec(name)?.[0] ?? name;
    const known = wanted(key);
    if (known !== null && (key !== name || getNamedType(known.type).name !== Upload.name))
      return [{ field: name, rule: "type", message: "takes no file" }];
    return Object.hasOwn(nested, key) ? [sentTwice(key)] : [];
  });
  if (wrong.length > 0) throw wrongForm(wrong);
  return { ...(typed(nested, { type }) as object), ...Object.fromEntries(files) };
}

/** The refusal of a part whose name reaches a prototype: `servers[0][__proto__][x]` → `servers[0].__proto__`. */
function inheritedKey(name: string): FieldError {
  const field = name
    .slice(0, name.indexOf(INHERITED) + INHERITED.length)
    .replaceAll(/\[(?!\d+\])([^\]]*)\]/gu, ".$1");
  return { field, rule: "forbidden", message: "is not allowed as a key" };
}

/** A type, and the types of JSON that its field takes where they are named. */
interface Wanted {
  readonly type: GraphQLInputType;
  readonly json?: unknown;
}

function typed(value: unknown, wanted: Wanted): unknown {
  const type = getNullableType(wanted.type);
  if (typeof value === "string") {
    const isNested = isListType(type) || isInputObjectType(type) || type.name === "JSON";
    if (isNested && /^\s*[[{]/u.test(value)) return parsed(value);
    if (value === "" && !isText(type, wanted.json)) return null;
    return isNested ? value : readValue(value, type);
  }
  if (Array.isArray(value))
    return isListType(type) ? value.map((item) => typed(item, { type: type.ofType })) : value;
  if (!isInputObjectType(type)) return value;
  const fields = fieldsOf(type);
  const entries = Object.entries(value as object).map(([key, item]) => {
    const known = fields(key);
    return [key, known === null ? (item as unknown) : typed(item, known)] as const;
  });
  return Object.fromEntries(entries);
}

/** Returns what an input type wants of a key, `null` for a key that it does not know. */
function fieldsOf(type: GraphQLInputObjectType): (key: string) => Wanted | null {
  const fields = Object.values(type.getFields());
  const known = new Map<string, Wanted>(
    fields.map((field) => [toSnakeCase(field.name), { type: field.type, json: schemaOf(field)["type"] }]),
  );
  const beside = fieldBeside(type);
  if (beside === null) return (key) => known.get(key) ?? null;
  const field = type.getFields()[beside.name] as GraphQLInputField;
  const schemas = Object.values((schemaOf(field)["patternProperties"] ?? {}) as Record<string, JsonSchema>);
  const keyed = { type: field.type, json: schemas[0]?.["type"] };
  return (key) => known.get(key) ?? (beside.pattern.test(key) ? keyed : null);
}

function schemaOf({ extensions }: GraphQLInputField): JsonSchema {
  return (extensions["jsonSchema"] ?? {}) as JsonSchema;
}

/** Whether an empty text is a value of the type: any JSON may be a text, unless other types of it are named. */
function isText(type: GraphQLInputType, json: unknown): boolean {
  if (type === GraphQLString) return true;
  return getNamedType(type).name === Json.name && (json === undefined || [json].flat().includes("string"));
}

/** A text that is no JSON stays as it is, and is refused as a value of the wrong type. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(withExactNumbers(text)) as unknown;
  } catch {
    return text;
  }
}
