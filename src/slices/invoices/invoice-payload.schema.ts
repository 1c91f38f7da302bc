const SCALAR = { type: ["string", "number", "null"], maxLength: 255 };

/** The keys of a payload's `result`, in the fiscal printer's own spelling. */
const RESULT_KEYS = [
  "strongId",
  "codeName",
  "serieStrongId",
  "serie",
  "number",
  "fiscalRegistry",
  "name",
  "currency",
  "exemptAmount",
  "taxBase",
  "taxBaseReduced",
  "taxAmount",
  "total",
  "igtfBaseAmount",
  "igtfAmount",
  "grandTotal",
  "controlNumber",
  "batchStrongId",
  "status",
];

const MESSAGES = { type: "array", maxItems: 100 };

/** JSON Schema of what a fiscal printer answered. */
export const INVOICE_PAYLOAD_SCHEMA = {
  type: "object",
  properties: {
    result: {
      type: ["object", "null"],
      properties: Object.fromEntries(RESULT_KEYS.map((key) => [key, SCALAR])),
      additionalProperties: false,
    },
    information: MESSAGES,
    success: MESSAGES,
    hasErrors: { type: "boolean" },
  },
  additionalProperties: false,
};
