import { toSnakeCase } from "../naming.js";

/** Returns the REST name of a GraphQL name; a name that is REST's already stays as it is. */
export function restName(name: string): string {
  return name.includes("_") ? name : toSnakeCase(name);
}

/** Returns the identifier of the operation that a document makes: `ListCoupons` → `listCoupons`. */
export function operationId({ name }: { readonly name: string }): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** Translates a description of the schema for REST: names in backticks become REST names. */
export function restText(description: string | null | undefined): string {
  return (description ?? "").replace(
    /`(?<name>[a-z]+(?:[A-Z0-9][A-Za-z0-9]*)+)`/gu,
    (_, name: string) => `\`${restName(name)}\``,
  );
}

/** Returns the first sentence without its full stop. */
export function headline(text: string): string {
  return (text.split(/(?<=[.!?])\s/u)[0] ?? "").replace(/\.$/u, "");
}

/**
 * Writes a name as a title: `company-events` → `Company events`, `UNSUPPORTED_MEDIA_TYPE` → `Unsupported media
 * type`.
 */
export function title(name: string): string {
  const words = name.toLowerCase().replace(/[-_]/gu, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
