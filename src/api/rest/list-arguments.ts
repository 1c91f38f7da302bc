import {
  getNamedType,
  Kind,
  parseType,
  type ArgumentNode,
  type FieldNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type VariableDefinitionNode,
} from "graphql";
import { isConnection } from "../../engine/schema/connection.js";

/** The variables that REST fills from the parameters of lists (`page`, `sort`, …), in the order of the reference. */
export const LIST_VARIABLES: readonly string[] = ["filter", "orderBy", "first", "after", "offset"];

/** The arguments that lists in pages may have. */
const LIST_ARGUMENTS = [...LIST_VARIABLES, "withDeleted"];

/**
 * Adds each list argument that the field of a paged list has, as a variable of the same name. A document that names
 * one of them itself keeps exactly those that it names.
 */
export function withListArguments(
  operation: OperationDefinitionNode,
  schema: GraphQLSchema,
): OperationDefinitionNode {
  const { variableDefinitions = [], selectionSet } = operation;
  const [root, ...others] = selectionSet.selections as readonly FieldNode[];
  const field = operation.operation === "query" ? queryField(schema, root) : undefined;
  const isPaged = field !== undefined && isConnection(getNamedType(field.type).name);
  const isExplicit = variableDefinitions.some(({ variable: { name } }) =>
    LIST_ARGUMENTS.includes(name.value),
  );
  if (root === undefined || !isPaged || isExplicit) return operation;
  const args = field.args
    .filter(({ name }) => LIST_ARGUMENTS.includes(name))
    .toSorted((one, other) => LIST_ARGUMENTS.indexOf(one.name) - LIST_ARGUMENTS.indexOf(other.name));
  const variables = args.map(({ name, type }): VariableDefinitionNode => ({
    kind: Kind.VARIABLE_DEFINITION,
    variable: variable(name),
    type: parseType(String(type)),
  }));
  const bound = args.map(({ name }): ArgumentNode => ({
    kind: Kind.ARGUMENT,
    name: { kind: Kind.NAME, value: name },
    value: variable(name),
  }));
  return {
    ...operation,
    variableDefinitions: [...variableDefinitions, ...variables],
    selectionSet: {
      ...selectionSet,
      selections: [{ ...root, arguments: [...(root.arguments ?? []), ...bound] }, ...others],
    },
  };
}

function queryField(schema: GraphQLSchema, root: FieldNode | undefined) {
  return schema.getQueryType()?.getFields()[root?.name.value ?? ""];
}

function variable(name: string) {
  return { kind: Kind.VARIABLE as const, name: { kind: Kind.NAME as const, value: name } };
}
