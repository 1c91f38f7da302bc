import { GraphQLError, GraphQLScalarType, Kind } from "graphql";

/** What is said of a value of ours that answers cannot show. The compiled code hands on the message alone of what is thrown. */
export const LEAVES_53_BITS = "leaves 53 bits, which is all that answers can show";

const NO_SAFE_INT = "SafeInt must be an integer of at most 53 bits";

/** Integers of up to 53 bits: amounts in hundredths and identifiers beyond 32 bits. */
export const SafeInt = new GraphQLScalarType<number, number>({
  name: "SafeInt",
  description:
    "An integer from -(2^53 - 1) to 2^53 - 1. Amounts (names ending in E2) are hundredths of the currency unit: " +
    "1234 is 12.34.",
  serialize: (value) => safeInteger(typeof value === "bigint" ? Number(value) : value, LEAVES_53_BITS),
  parseValue: (value) => safeInteger(value, NO_SAFE_INT),
  parseLiteral: (node) => safeInteger(node.kind === Kind.INT ? Number(node.value) : undefined, NO_SAFE_INT),
});

function safeInteger(value: unknown, otherwise: string): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value)) throw new GraphQLError(otherwise);
  return value;
}
