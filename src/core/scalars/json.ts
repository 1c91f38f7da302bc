import { GraphQLError, GraphQLScalarType, type FloatValueNode, type ValueNode, visit } from "graphql";
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
    refuseBareWords(node);
    return GraphQLJSON.parseLiteral(visit(node, { FloatValue: withoutTooSmall }), variables);
  },
});

function withoutTooSmall(node: FloatValueNode): FloatValueNode | undefined {
  const isRead = Number(node.value) !== 0 || /^[^eE]*[1-9]/u.exec(node.value) === null;
  return isRead ? undefined : { ...node, value: BEYOND_NUMBERS };
}

function refuseBareWords(node: ValueNode): void {
  visit(node, {
    EnumValue: (word) => {
      throw new GraphQLError("JSON has no bare words; a text stands in quotes", { nodes: word });
    },
  });
}
