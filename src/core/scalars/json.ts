import { GraphQLError, GraphQLScalarType, print, type ValueNode, visit } from "graphql";
import { GraphQLJSON } from "graphql-scalars";

/** Free JSON, which holds no bare words: the library would read one as nothing at all. */
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
      throw new GraphQLError(`JSON has no bare words such as ${print(word)}; a text stands in quotes`, {
        nodes: word,
      });
    },
  });
}
