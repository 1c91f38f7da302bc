import { LRUCache } from "lru-cache";

/**
 * Returns the REST name of a GraphQL name (contract §2.1): `priceE2` → `price_e2`, `addressLine1` →
 * `address_line_1`.
 */
export function toSnakeCase(name: string): string {
  let snake = known.get(name);
  if (snake === undefined) known.set(name, (snake = convert(name)));
  return snake;
}

const known = new LRUCache<string, string>({ max: 5_000 });

function convert(name: string): string {
  return name
    .replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[a-z])(?=\d)/gu, "_")
    .toLowerCase();
}

/**
 * Translates a path of fields: `config.feeRules[0].name` → `config.fee_rules[0].name`. Names of headers stay as
 * they are.
 */
export function toSnakeCasePath(path: string): string {
  if (path.includes("-")) return path;
  return path.replace(/\w+/gu, (word) => (word.includes("_") ? word : toSnakeCase(word)));
}

/** Translates the names of fields in a text: `must be later than startsAt` → `must be later than starts_at`. */
export function toSnakeCaseWords(text: string): string {
  return text.replace(/\b[a-z][a-z0-9]*[A-Z]\w*/gu, toSnakeCase);
}

/** Returns the value with REST names for all keys within it. */
export function inSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inSnakeCase);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [toSnakeCase(key), inSnakeCase(item)]),
  );
}
