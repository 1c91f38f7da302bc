import type { JsonSchema } from "../../../core/inputs/json-schema.js";

const LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";

/** Formats of inputs, written so that any JSON Schema tool understands them. */
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

/** Returns a format and the pattern beside it in standard keywords; formats that have none are left out. */
export function standardFormat(format: string, pattern: unknown): JsonSchema {
  const standard = STANDARD_FORMATS[format] ?? {};
  if (pattern === undefined || standard["pattern"] === undefined) {
    return { ...standard, ...(pattern !== undefined && { pattern }) };
  }
  return { ...standard, allOf: [{ pattern }] };
}

/** A moment as answers show it. */
export const ANSWERED_MOMENT: JsonSchema = {
  type: "string",
  pattern: "^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$",
};
