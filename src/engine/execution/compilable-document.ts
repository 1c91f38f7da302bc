import {
  getNamedType,
  getVariableValues,
  isInputObjectType,
  Kind,
  typeFromAST,
  TypeInfo,
  valueFromAST,
  visit,
  visitWithTypeInfo,
  type ArgumentNode,
  type DocumentNode,
  type GraphQLError,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type ValueNode,
  type VariableDefinitionNode,
} from "graphql";
import { withoutStacks } from "../../core/errors/without-stacks.js";
import { Json } from "../../core/scalars/json.js";
import type { Variables } from "../schema/root-operations.js";

/** A document for the compiler, and what has to happen to its variables before it runs. */
export interface CompilableDocument {
  readonly document: DocumentNode;
  /** The number of its variables. */
  readonly variables: number;
  /**
   * Returns the variables for the compiled code, or why one of them does not fit; `null` when an argument cannot be made
   * of them, which the interpreter finds.
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
 * Takes away from the compiler what graphql-js does right, and makes it variables that the compiled code takes as they
 * are:
 *
 * - arguments that are written out with more than a number, a boolean or null. The compiler copies values into its code,
 *   and runs a text that is made for that; it also takes a variable inside that is not given for null, and leaves out the
 *   defaults of fields;
 * - variables of input types, for each field of which the compiler writes code: 100 KB for a coupon, and without end for
 *   filters, whose `or` holds filters;
 * - variables with such a default, which the compiler copies as well;
 * - variables of types without null that have a default, for which the compiler refuses to take it.
 */
export function compilableDocument(
  schema: GraphQLSchema,
  document: DocumentNode,
  definition: OperationDefinitionNode,
): CompilableDocument {
  const declared = definition.variableDefinitions ?? [];
  const complex = declared.filter(
    (one) => !isCopied(one.defaultValue) || isInput(schema, one) || isNeverMissing(one),
  );
  const { document: own, made, within } = withMadeArguments(schema, document, definition);
  if (complex.length === 0 && made.length === 0)
    return { document: own, variables: declared.length, coerce: (variables) => ({ variables }) };
  const coerced = declared.filter((one) => complex.includes(one) || within.has(nameOf(one)));
  const names = complex.map(nameOf);
  const isOptional =
    made.length === 0 &&
    complex.every(({ type, defaultValue }) => type.kind !== Kind.NON_NULL_TYPE && defaultValue === undefined);
  const asTheyAre = [...names, ...made.map(({ variable }) => variable)];
  const others = declared.filter((one) => !complex.includes(one));
  const variableDefinitions = [...others, ...asTheyAre.map(definitionOf)];
  return {
    document: visit(own, { OperationDefinition: (node) => ({ ...node, variableDefinitions }) }),
    variables: variableDefinitions.length,
    coerce: (variables) => {
      if (isOptional && !names.some((name) => Object.hasOwn(variables, name))) return { variables };
      const { coerced: values, errors } = withoutStacks(() => getVariableValues(schema, coerced, variables));
      if (errors !== undefined) return { errors };
      const all: Record<string, unknown> = { ...variables };
      for (const name of names) {
        if (Object.hasOwn(values, name)) all[name] = values[name];
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

function isNeverMissing({ type, defaultValue }: VariableDefinitionNode): boolean {
  return type.kind === Kind.NON_NULL_TYPE && defaultValue !== undefined;
}

/** The kinds of values that the compiler may copy: no caller decides what characters they have. */
const COPIED: ReadonlySet<Kind> = new Set([Kind.VARIABLE, Kind.INT, Kind.FLOAT, Kind.BOOLEAN, Kind.NULL]);

function isCopied(value: ValueNode | undefined): boolean {
  return value === undefined || COPIED.has(value.kind);
}

/** Returns a document with variables in the place of arguments that the compiler may not copy. */
function withMadeArguments(
  schema: GraphQLSchema,
  document: DocumentNode,
  definition: OperationDefinitionNode,
) {
  const types = new TypeInfo(schema);
  const made: MadeArgument[] = [];
  const within = new Set<string>();
  const declared = (definition.variableDefinitions ?? []).map(nameOf);
  let prefix = "argument";
  while (declared.some((name) => name.startsWith(prefix))) prefix += "_";
  const enter = (node: ArgumentNode): ArgumentNode | undefined => {
    const type = types.getArgument()?.type;
    if (isCopied(node.value) || type === undefined) return undefined;
    visit(node.value, { Variable: ({ name }) => void within.add(name.value) });
    const variable = `${prefix}${made.length}`;
    made.push({ variable, value: node.value, type });
    return { ...node, value: variableNode(variable) };
  };
  return { document: visit(document, visitWithTypeInfo(types, { Argument: { enter } })), made, within };
}

function variableNode(name: string) {
  return { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: name } } as const;
}

/** The definition of a variable whose value the compiled code takes as it is. */
function definitionOf(name: string): VariableDefinitionNode {
  const type = { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: Json.name } } as const;
  return { kind: Kind.VARIABLE_DEFINITION, variable: variableNode(name), type };
}

function nameOf({ variable }: VariableDefinitionNode): string {
  return variable.name.value;
}

/** Returns whether a value of the variable is an object, or a list of them. */
function isInput(schema: GraphQLSchema, { type }: VariableDefinitionNode): boolean {
  return isInputObjectType(getNamedType(typeFromAST(schema, type as never) as unknown as GraphQLNamedType));
}
