import {
  getNamedType,
  getVariableValues,
  isInputObjectType,
  Kind,
  typeFromAST,
  type DocumentNode,
  type GraphQLError,
  type GraphQLInputObjectType,
  type GraphQLNamedType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type VariableDefinitionNode,
} from "graphql";
import { Json } from "../../core/scalars/json.js";
import type { Variables } from "./run-operation.js";

/** A document for the compiler, and what has to happen to its variables before it runs. */
export interface CompilableDocument {
  readonly document: DocumentNode;
  /** Returns the variables with those of recursive types coerced, or why one of them does not fit. */
  readonly coerce: (variables: Variables) => { variables: Variables } | { errors: readonly GraphQLError[] };
}

/**
 * Takes variables of recursive input types, such as filters with `or`, away from the compiler, which writes code for
 * each field of a type and so would never end: graphql-js coerces them, and the compiled code takes them as they are.
 */
export function withoutRecursiveVariables(
  schema: GraphQLSchema,
  document: DocumentNode,
  definition: OperationDefinitionNode,
): CompilableDocument {
  const declared = definition.variableDefinitions ?? [];
  const recursive = declared.filter(({ type }) =>
    isRecursive(getNamedType(typeFromAST(schema, type as never) as unknown as GraphQLNamedType)),
  );
  if (recursive.length === 0) return { document, coerce: (variables) => ({ variables }) };
  const names = recursive.map(({ variable }) => variable.name.value);
  const compilable = {
    ...definition,
    variableDefinitions: declared.map((one) => (recursive.includes(one) ? taken(one) : one)),
  };
  return {
    document: {
      ...document,
      definitions: document.definitions.map((one) => (one === definition ? compilable : one)),
    },
    coerce: (variables) => {
      if (
        recursive.every(({ variable, defaultValue }) =>
          isAbsent(variables[variable.name.value], defaultValue),
        )
      )
        return { variables };
      const { coerced, errors } = getVariableValues(schema, recursive, variables);
      if (errors !== undefined) return { errors };
      const others = Object.entries(variables).filter(([name]) => !names.includes(name));
      return { variables: { ...Object.fromEntries(others), ...coerced } };
    },
  };
}

function isAbsent(value: unknown, defaultValue: unknown): boolean {
  return value === undefined && defaultValue === undefined;
}

/** The definition of a variable whose value the compiled code takes as it is. */
function taken({ defaultValue: _, ...definition }: VariableDefinitionNode): VariableDefinitionNode {
  return { ...definition, type: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: Json.name } } };
}

const known = new WeakMap<GraphQLInputObjectType, boolean>();

/** Whether a value of the type may hold another one of it, at any depth. */
function isRecursive(type: GraphQLNamedType): boolean {
  if (!isInputObjectType(type)) return false;
  let answer = known.get(type);
  if (answer === undefined) known.set(type, (answer = reaches(type, type, new Set())));
  return answer;
}

function reaches(
  from: GraphQLInputObjectType,
  wanted: GraphQLInputObjectType,
  seen: Set<GraphQLInputObjectType>,
): boolean {
  seen.add(from);
  return Object.values(from.getFields()).some((field) => {
    const type = getNamedType(field.type);
    return isInputObjectType(type) && (type === wanted || (!seen.has(type) && reaches(type, wanted, seen)));
  });
}
