import { Kind, type DocumentNode, type FragmentDefinitionNode, type OperationDefinitionNode } from "graphql";
import { DomainError, type FieldError } from "../../core/errors/domain-error.js";
import { ShapeCounter } from "./document-shape.js";

/** A GraphQL document may have at most this (contract §8.1). */
export const DOCUMENT_LIMITS = { depth: 12, aliases: 50, directives: 50, tokens: 4_000 } as const;

/** The operations and fragments of a document. */
export interface Definitions {
  readonly operations: readonly OperationDefinitionNode[];
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
}

/** The counts of a document. */
export interface CountedDocument {
  /** An entry for each limit that the document exceeds. */
  readonly excesses: readonly FieldError[];
  /**
   * The number of fields of all operations with their fragments expanded; compiling takes time and memory for each.
   */
  readonly fields: number;
}

export function definitionsOf({ definitions }: DocumentNode): Definitions {
  const fragments = new Map<string, FragmentDefinitionNode>();
  const operations: OperationDefinitionNode[] = [];
  for (const definition of definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
    if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition);
  }
  return { operations, fragments };
}

/** Counts a document without looking at the schema. */
export function countDocument({ operations, fragments }: Definitions): CountedDocument {
  const counter = new ShapeCounter(fragments);
  const shapes = operations.map((operation) => counter.count(operation));
  const excesses = (["depth", "aliases", "directives"] as const).flatMap((rule) => {
    const most = Math.max(0, ...shapes.map((shape) => shape[rule]));
    return most > DOCUMENT_LIMITS[rule] ? [excess(rule, most)] : [];
  });
  return { excesses, fields: shapes.reduce((sum, { fields }) => sum + fields, 0) };
}

/** Returns the wrong field for a limit that a document exceeds. */
export function excess(rule: keyof typeof DOCUMENT_LIMITS, found?: number): FieldError {
  const most = `at most ${DOCUMENT_LIMITS[rule]} ${rule === "depth" ? "levels" : rule} are allowed`;
  return { field: "query", rule, message: found === undefined ? most : `has ${found}, ${most}` };
}

/**
 * Checks the counts against the limits.
 *
 * @throws DomainError BAD_REQUEST that names every limit that is exceeded.
 */
export function assertWithinBounds({ excesses }: Pick<CountedDocument, "excesses">): void {
  if (excesses.length === 0) return;
  throw new DomainError("BAD_REQUEST", "The document exceeds a limit; see errors.", { errors: excesses });
}
