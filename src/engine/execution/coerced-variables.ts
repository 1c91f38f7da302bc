import { Kind, type DocumentNode, type OperationDefinitionNode } from "graphql";
import { Json } from "../../core/scalars/json.js";

const TAKEN_AS_IT_IS = {
  kind: Kind.NAMED_TYPE,
  name: { kind: Kind.NAME, value: Json.name },
} as const;

/**
 * Returns the document for the compiler with all variables of a type that is taken as it is, since graphql-js coerces
 * them. The compiler would write code for each field of an input type, at each place of it: it makes much of a document's
 * memory, and of a recursive type, such as a filter with `or`, there is no end.
 */
export function withCoercedVariables(
  document: DocumentNode,
  definition: OperationDefinitionNode,
): DocumentNode {
  const variableDefinitions = definition.variableDefinitions?.map(({ kind, variable }) => ({
    kind,
    variable,
    type: TAKEN_AS_IT_IS,
  }));
  const compilable = { ...definition, ...(variableDefinitions && { variableDefinitions }) };
  return {
    ...document,
    definitions: document.definitions.map((one) => (one === definition ? compilable : one)),
  };
}
