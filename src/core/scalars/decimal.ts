import { GraphQLError, GraphQLScalarType, Kind } from "graphql";

/** Pattern of the texts that stand for a decimal number. */
export const DECIMAL_PATTERN = "^-?\\d{1,15}(?:\\.\\d{1,15})?$";
const DECIMAL = new RegExp(DECIMAL_PATTERN, "u");

/** A decimal number of an input, sent as a number or as a text. */
export const Decimal = new GraphQLScalarType<number, string>({
  name: "Decimal",
  description: "A decimal number of an input: a number such as `0.05` or a text of one.",
  serialize: String,
  parseValue: readDecimal,
  parseLiteral: (node) => {
    if (node.kind === Kind.STRING) return readDecimal(node.value);
    return readDecimal(node.kind === Kind.INT || node.kind === Kind.FLOAT ? Number(node.value) : undefined);
  },
});

function readDecimal(value: unknown): number {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (typeof value === "string" && DECIMAL.test(value)) return Number(value);
  throw new GraphQLError("Decimal must be a number or a text of one");
}
