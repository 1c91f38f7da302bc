import { GraphQLError, GraphQLScalarType, type ValueNode, visit } from "graphql";
import { GraphQLJSON } from "graphql-scalars";

/**
 * Free JSON, which holds no bare words: the library would read one as nothing at all. The refusal does not repeat the word,
 * which may be a secret that lacks its quotes.
 */
export const Json = new GraphQLScalarType({
  ...GraphQLJSON.toConfig(),
  parseLiteral: (node, variables): unknown => {
    refuseBareWords(node);
    return GraphQLJSON.parseLiteral(node, variables);
  },
});

function refuseBareWords(node: ValueNode): void {
  visit(node, {
    EnumValue: (word) => {
      throw new GraphQLError("JSON has no bare words; a text stands in quotes", { nodes: word });
    },
  });
}
