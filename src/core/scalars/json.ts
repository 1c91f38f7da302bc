import {
  GraphQLError,
  GraphQLScalarType,
  Kind,
  type EnumValueNode,
  type FloatValueNode,
  type IntValueNode,
  visit,
} from "graphql";
import { GraphQLJSON } from "graphql-scalars";
import { scaledInteger } from "../money.js";

/** A number that is read as infinite: it takes the place of one that is not 0 and would be read as 0, so that it is refused, too. */
export const BEYOND_NUMBERS = "-1e400";
/** The same for an integer above 0 that would be read as another one. */
const BEYOND_INTEGERS = "1e400";
/** No number has more digits, unless many of them say nothing. */
const MOST_DIGITS = 400;

/**
 * Returns the text of an integer, or that of a number beyond all bounds where double precision would make another one of it:
 * 9007199254740993 would be read as 9007199254740992. What is kept is kept exactly, or written again as it was: 1e23.
 */
export function keptInteger(text: string): string {
  const read = Number(text);
  if (Number.isSafeInteger(read) || (text.length <= MOST_DIGITS && isKept(scaledInteger(text, 0), read)))
    return text;
  return text.startsWith("-") ? BEYOND_NUMBERS : BEYOND_INTEGERS;
}

function isKept(value: bigint, read: number): boolean {
  return Number.isFinite(read) && (value === BigInt(read) || value === scaledInteger(String(read), 0));
}

/**
 * Free JSON, which holds no bare words: the library would read one as nothing at all. The refusal does not repeat the word,
 * which may be a secret that lacks its quotes.
 */
export const Json = new GraphQLScalarType({
  ...GraphQLJSON.toConfig(),
  parseLiteral: (node, variables): unknown => {
    const read = visit(node, {
      EnumValue: refuseBareWord,
      FloatValue: withoutTooSmall,
      IntValue: withoutChanged,
    });
    return GraphQLJSON.parseLiteral(read, variables);
  },
});

function withoutTooSmall(node: FloatValueNode): FloatValueNode | undefined {
  const isLost = Number(node.value) === 0 && /^[^eE]*[1-9]/u.test(node.value);
  return isLost ? { ...node, value: BEYOND_NUMBERS } : undefined;
}

function withoutChanged(node: IntValueNode): FloatValueNode | undefined {
  const value = keptInteger(node.value);
  return value === node.value ? undefined : { kind: Kind.FLOAT, value };
}

function refuseBareWord(word: EnumValueNode): never {
  throw new GraphQLError("JSON has no bare words; a text stands in quotes", { nodes: word });
}
