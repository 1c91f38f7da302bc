/** A JSON Schema with the keywords that inputs know besides (see the README of `core`). */
export type JsonSchema = Record<string, unknown>;
