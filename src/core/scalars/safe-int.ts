import { GraphQLError, GraphQLScalarType, Kind } from "graphql";

/** Integers of up to 53 bits: amounts in hundredths and identifiers beyond 32 bits. */
export const SafeInt = new GraphQLScalarType<number, number>({
  name: "SafeInt",
  description:
    "An integer from -(2^53 - 1) to 2^53 - 1. Amounts (names ending in E2) are hundredths of the currency unit: " +
    "1234 is 12.34.",
  serialize: (value) => safeInteger(typeof value === "bigint" ? Number(value) : value),
  parseValue: safeInteger,
  parseLiteral: (node) => safeInteger(node.kind === Kind.INT ? Number(node.value) : undefined),
});

function safeInteger(value: unknown): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value)) {
    throw new GraphQLError("SafeInt must be an integer of at most 53 bits");
  }
  return value;
}
