/** The spec's name of a GraphQL name: `priceE2` → `price_e2`, `addressLine1` → `address_line_1`. */
export function toSnakeCase(name: string): string {
  return name
    .replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[a-z])(?=\d)/gu, "_")
    .toLowerCase();
}

/** A path of field names and places: `config.feeRules[0].name` → `config.fee_rules[0].name`. Headers keep theirs. */
export function toSnakeCasePath(path: string): string {
  if (path.includes("-")) return path;
  return path.replace(/\w+/gu, (word) => (word.includes("_") ? word : toSnakeCase(word)));
}
