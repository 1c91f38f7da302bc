/** Returns a name as REST writes it (contract §2.1): `priceE2` → `price_e2`, `addressLine1` → `address_line_1`. */
export function snakeCaseOf(name: string): string {
  return name
    .replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[a-z])(?=\d)/gu, "_")
    .toLowerCase();
}

/** Returns a name in snake_case as fields have it: `address_line_1` → `addressLine1`. */
export function camelCaseOf(name: string): string {
  return name.replace(/_(?<letter>[a-z0-9])/gu, (_, letter: string) => letter.toUpperCase());
}

/** Returns a name as fields have it: `ServiceCharge` → `serviceCharge`. */
export function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}
