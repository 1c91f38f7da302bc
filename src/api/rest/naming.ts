import { getNamedType, isInputObjectType, type GraphQLInputType } from "graphql";
import { LRUCache } from "lru-cache";
import type { FieldError } from "../../core/errors/domain-error.js";
import { snakeCaseOf } from "../../core/names.js";

/** Returns the REST name of a name of the schema, and remembers it. */
export function toSnakeCase(name: string): string {
  let snake = known.get(name);
  if (snake === undefined) known.set(name, (snake = snakeCaseOf(name)));
  return snake;
}

const known = new LRUCache<string, string>({ max: 5_000 });

/**
 * Translates a path of fields: `config.feeRules[0].name` → `config.fee_rules[0].name`. Names of headers stay as
 * they are.
 */
export function toSnakeCasePath(path: string): string {
  if (path.includes("-")) return path;
  return path.replace(/\w+/gu, (word) => (word.includes("_") ? word : snakeCaseOf(word)));
}

/**
 * Translates the path of a field of an input. What is in free JSON has the keys that were sent, and so has an unknown field.
 *
 * @param type of what the path begins in.
 */
export function toSnakeCaseField(
  { field, rule }: Omit<FieldError, "message">,
  type: GraphQLInputType,
): string {
  const { index = "", word = "", rest = "" } = PATH.exec(field)?.groups ?? {};
  if (index !== "") return index + toSnakeCaseField({ field: word + rest, rule }, type);
  const inner = getNamedType(type);
  if (!isInputObjectType(inner) || (rule === "unknown" && rest === "")) return field;
  const name = word.replace(".", "");
  const known = inner.getFields()[name];
  if (known === undefined) return rule === "unknown" ? field : toSnakeCasePath(field);
  return word.replace(name, toSnakeCase(name)) + toSnakeCaseField({ field: rest, rule }, known.type);
}

/** Places in lists or a name, and the path from there on. */
const PATH = /^(?<index>(?:\[\d+\])*)(?<word>\.?\w*)(?<rest>.*)$/su;

/** Translates the names of fields in a text: `must be later than startsAt` → `must be later than starts_at`. */
function toSnakeCaseWords(text: string): string {
  return text.replace(/\b[a-z][a-z0-9]*[A-Z]\w*/gu, (word) => snakeCaseOf(word));
}

/**
 * Translates the names of fields in the message of a wrong field. The words of a closed set are the same on both faces
 * (contract §2.9).
 */
export function toSnakeCaseMessage({ rule, message }: FieldError): string {
  return rule === "enum" ? message : toSnakeCaseWords(message);
}

/** Returns the value with REST names for all keys within it. */
export function inSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inSnakeCase);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [toSnakeCase(key), inSnakeCase(item)]),
  );
}
