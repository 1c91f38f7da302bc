import {
  GraphQLError,
  Kind,
  valueFromASTUntyped,
  type DocumentNode,
  type FieldNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";
import { withoutStacks } from "../../core/errors/without-stacks.js";
import { UploadedFile } from "../../core/files/upload.js";
import type { Arguments, Operation } from "./operation.js";

export type Variables = Readonly<Record<string, unknown>>;

/** A root field of a document, read before the document runs. */
export interface RootOperation {
  readonly field: FieldNode;
  /** The operation is `undefined` for introspection. */
  readonly operation: Operation | undefined;
  /** The arguments are as the caller sent them, before any type was applied. */
  readonly args: Arguments;
}

/** Lists the root fields of the operation, fragments expanded, with the raw arguments of each. */
export function rootOperations(
  document: DocumentNode,
  definition: OperationDefinitionNode,
  variables: Variables,
  operations: ReadonlyMap<string, Operation>,
): RootOperation[] {
  const given = { ...defaultsOf(definition), ...variables };
  return rootFields(definition.selectionSet, document).map((field) => ({
    field,
    operation: operations.get(field.name.value),
    args: rawArguments(field, given),
  }));
}

/** Returns the error with the path of its field, as an execution would report it. */
export function located(error: unknown, field?: FieldNode): GraphQLError {
  const originalError = error instanceof Error ? error : new Error(String(error));
  const path = field && [field.alias?.value ?? field.name.value];
  return withoutStacks(() => new GraphQLError(originalError.message, { originalError, path }));
}

function defaultsOf({ variableDefinitions = [] }: OperationDefinitionNode): Variables {
  const entries = variableDefinitions.flatMap(({ variable, defaultValue }) =>
    defaultValue === undefined ? [] : [[variable.name.value, valueFromASTUntyped(defaultValue)] as const],
  );
  return Object.fromEntries(entries);
}

function rawArguments(field: FieldNode, variables: Variables): Arguments {
  const values = (field.arguments ?? []).map(
    ({ name, value }) =>
      [name.value, copyOf(valueFromASTUntyped(value, variables as Record<string, unknown>))] as const,
  );
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** Copies lists and objects, since checks change texts in place; a file stays the file that it is. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (typeof value !== "object" || value === null || value instanceof UploadedFile) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copyOf(item)]));
}

/** Returns the root fields of an operation, fragments expanded. */
export function rootFields(selectionSet: SelectionSetNode, document: DocumentNode): FieldNode[] {
  return selectionSet.selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection];
    if (selection.kind === Kind.INLINE_FRAGMENT) return rootFields(selection.selectionSet, document);
    const fragment = document.definitions.find(
      (definition) =>
        definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === selection.name.value,
    );
    return fragment?.kind === Kind.FRAGMENT_DEFINITION ? rootFields(fragment.selectionSet, document) : [];
  });
}
