import { GraphQLError, GraphQLScalarType, type EnumValueNode, type FloatValueNode, visit } from "graphql";
import { GraphQLJSON } from "graphql-scalars";

/** A number that is read as infinite: it takes the place of one that is not 0 and would be read as 0, so that it is refused, too. */
export const BEYOND_NUMBERS = "-1e400";

/**
 * Free JSON, which holds no bare words: the library would read one as nothing at all. The refusal does not repeat the word,
 * which may be a secret that lacks its quotes.
 */
export const Json = new GraphQLScalarType({
  ...GraphQLJSON.toConfig(),
  parseLiteral: (node, variables): unknown => {
    const read = visit(node, { EnumValue: refuseBareWord, FloatValue: withoutTooSmall });
    return GraphQLJSON.parseLiteral(read, variables);
  },
});

function withoutTooSmall(node: FloatValueNode): FloatValueNode | undefined {
  const isLost = Number(node.value) === 0 && /^[^eE]*[1-9]/u.test(node.value);
  return isLost ? { ...node, value: BEYOND_NUMBERS } : undefined;
}

function refuseBareWord(word: EnumValueNode): never {
  throw new GraphQLError("JSON has no bare words; a text stands in quotes", { nodes: word });
}
