import { toSnakeCase } from "../naming.js";

/** A GraphQL name as REST has it; names that are REST's already stay as they are. */
export function restName(name: string): string {
  return name.includes("_") ? name : toSnakeCase(name);
}

/** A description of the schema in REST's words: names in backticks become those of REST. */
export function restText(description: string | null | undefined): string {
  return (description ?? "").replace(
    /`(?<name>[a-z]+(?:[A-Z0-9][A-Za-z0-9]*)+)`/gu,
    (_, name: string) => `\`${restName(name)}\``,
  );
}

/** The first sentence, without its full stop. */
export function headline(text: string): string {
  return (text.split(/(?<=[.!?])\s/u)[0] ?? "").replace(/\.$/u, "");
}

/** `company-events` → `Company events`, `UNSUPPORTED_MEDIA_TYPE` → `Unsupported media type`. */
export function title(name: string): string {
  const words = name.toLowerCase().replace(/[-_]/gu, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
