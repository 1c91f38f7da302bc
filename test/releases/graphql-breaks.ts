import { CriticalityLevel, diff } from "@graphql-inspector/core";
import { buildSchema } from "graphql";
import type { Break } from "./breaks.js";

/**
 * Finds the breaks between two schemas in SDL. A new value of an enum or a new optional argument is none: clients pass over
 * what they do not know.
 */
export async function graphqlBreaks(released: string, current: string): Promise<Break[]> {
  const changes = await diff(buildSchema(released), buildSchema(current));
  return changes
    .filter(({ criticality }) => criticality.level === CriticalityLevel.Breaking)
    .map(({ path, message }) => ({ at: `GraphQL ${path ?? "schema"}`, what: message }));
}
