import { CriticalityLevel, diff } from "@graphql-inspector/core";
import { buildSchema } from "graphql";
import type { Break } from "./breaks.js";

/** An input type, and the earlier name that documents may still use. */
const RENAMED = /Documents may call it `(?<was>\w+)`[^"]*"""\s*input (?<name>\w+)/gu;

/**
 * Finds the breaks between two schemas in SDL. A new value of an enum or a new optional argument is none: clients pass over
 * what they do not know. Nor is an input type under another name, as long as documents may use the one that it had.
 */
export async function graphqlBreaks(released: string, current: string): Promise<Break[]> {
  const changes = await diff(buildSchema(withNamesOf(current, released)), buildSchema(current));
  return changes
    .filter(({ criticality }) => criticality.level === CriticalityLevel.Breaking)
    .map(({ path, message }) => ({ at: `GraphQL ${path ?? "schema"}`, what: message }));
}

/** Returns the released schema with the names that its input types have now. */
function withNamesOf(current: string, released: string): string {
  const names = [...current.matchAll(RENAMED)].map(({ groups }) => groups as { was: string; name: string });
  return names.reduce(
    (text, { was, name }) => text.replace(new RegExp(`\\b${was}\\b`, "gu"), name),
    released,
  );
}
