/** A JSON Schema; besides the standard keywords it may hold those that the validator adds, such as `laterThan`. */
export type JsonSchema = Record<string, unknown>;
