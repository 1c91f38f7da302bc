import type { JsonSchema } from "../../../core/inputs/json-schema.js";

const LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";

/** Formats of inputs in terms that any JSON Schema tool knows. */
const STANDARD_FORMATS: Readonly<Record<string, JsonSchema>> = {
  clock: { pattern: "^(?:[01]\\d|2[0-3]):[0-5]\\d$" },
  offset: { pattern: "^[+-](?:[01]\\d|2[0-3]):[0-5]\\d$" },
  datetime: {
    pattern:
      "^\\d{4}-\\d{2}-\\d{2}(?:[Tt ]\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,9})?)?(?:[Zz]|[+-]\\d{2}:?\\d{2})?)?$",
  },
  domain: { pattern: `^${LABEL}(?:\\.${LABEL})*$` },
  url: { format: "uri", pattern: "^https?://" },
  email: { format: "email" },
  regex: { format: "regex" },
};

/** A format, and the pattern that stands beside it, in standard terms; formats without any are left out. */
export function standardFormat(format: string, pattern: unknown): JsonSchema {
  const standard = STANDARD_FORMATS[format] ?? {};
  if (pattern === undefined || standard["pattern"] === undefined) {
    return { ...standard, ...(pattern !== undefined && { pattern }) };
  }
  return { ...standard, allOf: [{ pattern }] };
}

/** A moment as answers have it. */
export const ANSWERED_MOMENT: JsonSchema = {
  type: "string",
  pattern: "^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$",
};
