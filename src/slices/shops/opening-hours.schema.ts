const CLOCK = { type: "string", text: "line", format: "clock" };

const SPAN = {
  type: "object",
  properties: { from: CLOCK, to: CLOCK },
  required: ["from", "to"],
  additionalProperties: false,
};

/** JSON Schema of opening hours, with a few spans for each weekday. */
export const OPENING_HOURS_SCHEMA = {
  type: "object",
  patternProperties: { "^[0-6]$": { type: "array", maxItems: 12, items: SPAN } },
  additionalProperties: false,
};
