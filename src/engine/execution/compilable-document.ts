import {
  getNamedType,
  getVariableValues,
  isInputObjectType,
  Kind,
  separateOperations,
  typeFromAST,
  TypeInfo,
  valueFromAST,
  visit,
  visitWithTypeInfo,
  type ArgumentNode,
  type DocumentNode,
  type GraphQLError,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type ValueNode,
  type VariableDefinitionNode,
} from "graphql";
import { Json } from "../../core/scalars/json.js";
import type { Variables } from "./run-operation.js";

/** A document for the compiler, and what has to happen to its variables before it runs. */
export interface CompilableDocument {
  readonly document: DocumentNode;
  /**
   * Returns the variables for the compiled code, or why one of them does not fit; `null` when an argument cannot be made
   * of them, which the interpreter tells.
   */
  readonly coerce: (
    variables: Variables,
  ) => { variables: Variables } | { errors: readonly GraphQLError[] } | null;
}

/** An argument that the compiled code takes from a variable of its own. */
interface MadeArgument {
  readonly variable: string;
  readonly value: ValueNode;
  readonly type: GraphQLInputType;
}

/**
 * Takes away from the compiler what graphql-js does right, and makes both variables that the compiled code takes as they
 * are:
 *
 * - variables of recursive input types, such as filters with `or`: the compiler writes code for each field of a type and
 *   so would never end;
 * - arguments that are written out with variables inside, such as `input: { name: $name }`: the compiler takes a variable
 *   that is not given for null, and leaves out the defaults of fields.
 */
export function compilableDocument(
  schema: GraphQLSchema,
  document: DocumentNode,
  definition: OperationDefinitionNode,
): CompilableDocument {
  const declared = definition.variableDefinitions ?? [];
  const recursive = declared.filter((one) => isRecursive(typeOf(schema, one)));
  const { document: own, made, within } = withMadeArguments(schema, document, definition);
  if (recursive.length === 0 && made.length === 0)
    return { document: own, coerce: (variables) => ({ variables }) };
  const coerced = declared.filter((one) => recursive.includes(one) || within.has(nameOf(one)));
  const asTheyAre = [...recursive.map(nameOf), ...made.map(({ variable }) => variable)];
  const others = declared.filter((one) => !recursive.includes(one));
  return {
    document: visit(own, {
      OperationDefinition: (node) => ({ ...node, variableDefinitions: [...others, ...asTheyAre.map(taken)] }),
    }),
    coerce: (variables) => {
      const { coerced: values, errors } = getVariableValues(schema, coerced, variables);
      if (errors !== undefined) return { errors };
      const all: Record<string, unknown> = { ...variables };
      for (const one of recursive) {
        if (Object.hasOwn(values, nameOf(one))) all[nameOf(one)] = values[nameOf(one)];
      }
      for (const { variable, value, type } of made) {
        const argument = valueFromAST(value, type, values);
        if (argument === undefined) return null;
        all[variable] = argument;
      }
      return { variables: all };
    },
  };
}

/** Returns the operation and its fragments with variables in the place of arguments that have variables inside. */
function withMadeArguments(
  schema: GraphQLSchema,
  document: DocumentNode,
  definition: OperationDefinitionNode,
) {
  const own = separateOperations(document)[definition.name?.value ?? ""] ?? document;
  const types = new TypeInfo(schema);
  const made: MadeArgument[] = [];
  const within = new Set<string>();
  const declared = (definition.variableDefinitions ?? []).map(nameOf);
  let prefix = "argument";
  while (declared.some((name) => name.startsWith(prefix))) prefix += "_";
  const enter = (node: ArgumentNode): ArgumentNode | undefined => {
    const names = variablesWithin(node.value);
    const type = types.getArgument()?.type;
    if (names.size === 0 || type === undefined) return undefined;
    for (const name of names) within.add(name);
    const variable = `${prefix}${made.length}`;
    made.push({ variable, value: node.value, type });
    return { ...node, value: variableNode(variable) };
  };
  return { document: visit(own, visitWithTypeInfo(types, { Argument: { enter } })), made, within };
}

/** Returns the names of the variables inside a list or an object; a value that is a variable itself has none inside. */
function variablesWithin(value: ValueNode): Set<string> {
  const names = new Set<string>();
  if (value.kind === Kind.OBJECT || value.kind === Kind.LIST)
    visit(value, { Variable: ({ name }) => void names.add(name.value) });
  return names;
}

function variableNode(name: string) {
  return { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: name } } as const;
}

/** The definition of a variable whose value the compiled code takes as it is. */
function taken(name: string): VariableDefinitionNode {
  const type = { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: Json.name } } as const;
  return { kind: Kind.VARIABLE_DEFINITION, variable: variableNode(name), type };
}

function nameOf({ variable }: VariableDefinitionNode): string {
  return variable.name.value;
}

function typeOf(schema: GraphQLSchema, { type }: VariableDefinitionNode): GraphQLNamedType {
  return getNamedType(typeFromAST(schema, type as never) as unknown as GraphQLNamedType);
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
