import type { JsonSchema } from "../../../core/inputs/json-schema.js";
import { problemResponses } from "./problems.js";

type Schemas = Readonly<Record<string, JsonSchema>>;

/** Returns the schemas that operations and parameters refer to, directly or through others: making examples may have added more. */
export function usedSchemas(operations: object, schemas: Schemas): Record<string, JsonSchema> {
  const used = new Set<string>();
  const follow = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const name = /^#\/components\/schemas\/(?<name>.+)$/u.exec(String((node as JsonSchema)["$ref"]))
      ?.groups?.["name"];
    if (name !== undefined && !used.has(name)) {
      used.add(name);
      follow(schemas[name]);
    }
    for (const part of Object.values(node)) follow(part);
  };
  follow([operations, problemResponses()]);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)));
}
