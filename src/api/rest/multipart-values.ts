import {
  getNullableType,
  GraphQLList,
  isInputObjectType,
  isListType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
} from "graphql";
import qs from "qs";
import { VALUE_LIMITS } from "../../engine/limits/value-bounds.js";
import type { Parts } from "../http/multipart-body.js";
import { Json } from "../../core/scalars/json.js";
import { fieldBeside } from "./bind-body.js";
import { readValue } from "./bind-query.js";
import { toSnakeCase } from "./naming.js";

const DEPTH = 8;
/** The types for which an empty text is a value. */
const TEXTS: ReadonlySet<string> = new Set(["String", "JSON", "Upload"]);
/** What stands under a key that is matched by a pattern, such as `acme_settings`. */
const LIST_BESIDE = new GraphQLList(Json);

/**
 * Makes the body that the parts of a form stand for: `key[]` and `key[sub]` are lists and objects, as is a JSON text in
 * their place, and texts become the values that the input's types ask for.
 */
export function bodyOfParts({ fields, files }: Parts, type: GraphQLInputObjectType): object {
  const query = fields.map((pair) => pair.map(encodeURIComponent).join("=")).join("&");
  const nested = qs.parse(query, {
    depth: DEPTH,
    parameterLimit: Infinity,
    // One more than is allowed, so that too long a list is told.
    arrayLimit: VALUE_LIMITS.items + 1,
    plainObjects: true,
  });
  return { ...(typed(nested, type) as object), ...Object.fromEntries(files) };
}

function typed(value: unknown, declared: GraphQLInputType): unknown {
  const type = getNullableType(declared);
  if (typeof value === "string") {
    const isNested = isListType(type) || isInputObjectType(type) || type.name === "JSON";
    if (isNested && /^\s*[[{]/u.test(value)) return parsed(value);
    if (value === "" && (isListType(type) || !TEXTS.has(type.name))) return null;
    return isNested ? value : readValue(value, type);
  }
  if (Array.isArray(value)) return isListType(type) ? value.map((item) => typed(item, type.ofType)) : value;
  if (!isInputObjectType(type)) return value;
  const types = new Map(
    Object.values(type.getFields()).map((field) => [toSnakeCase(field.name), field.type]),
  );
  const beside = fieldBeside(type);
  const entries = Object.entries(value as object).map(([key, item]) => {
    const known = beside?.pattern.test(key) === true ? LIST_BESIDE : types.get(key);
    return [key, known === undefined ? (item as unknown) : typed(item, known)] as const;
  });
  return Object.fromEntries(entries);
}

/** A text that is no JSON stays as it is, and is refused as a value of the wrong type. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
