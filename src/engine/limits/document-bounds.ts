import {
  Kind,
  visit,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  type NameNode,
  type OperationDefinitionNode,
  type VariableNode,
} from "graphql";
import { DomainError, type FieldError } from "../../core/errors/domain-error.js";
import { withoutValues } from "../errors/without-values.js";
import { countPairs } from "./document-pairs.js";
import { ShapeCounter, type Shape } from "./document-shape.js";

/** A GraphQL document may have at most this (contract §8.1). */
export const DOCUMENT_LIMITS = {
  depth: 12,
  aliases: 50,
  directives: 50,
  tokens: 4_000,
  fields: 5_000,
  /** Of a document that does not fit the schema: whoever tells what is wrong compares each pair. */
  pairs: 1_000,
} as const;

type Limit = keyof typeof DOCUMENT_LIMITS;

/** What a limit counts, where its name does not say it. */
const COUNTED: Partial<Record<Limit, string>> = {
  depth: "levels",
  pairs: "pairs of fields with the same name in one place",
};

/** Code that is made from a document would take this alias or variable for the prototype of an object. */
const FORBIDDEN_NAME = "__proto__";

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
  const fields = shapes.reduce((sum, shape) => sum + shape.fields, 0);
  const counts = { ...mostOf(shapes), fields };
  const excesses = (["depth", "aliases", "directives", "fields"] as const).flatMap((rule) =>
    counts[rule] > DOCUMENT_LIMITS[rule] ? [excess(rule, counts[rule])] : [],
  );
  return { excesses: [...excesses, ...forbiddenNames(operations, fragments)], fields };
}

/** Returns the excess of a document that does not fit the schema, which also tells what is wrong first. */
export function excessesOfInvalid({ operations, fragments }: Definitions, fault: GraphQLError): FieldError[] {
  const { pairs: most } = DOCUMENT_LIMITS;
  if (countPairs(operations, fragments, most) <= most) return [];
  const { message, ...others } = excess("pairs");
  return [
    { ...others, message: `${message} in a document that does not fit the schema: ${withoutValues(fault)}` },
  ];
}

function mostOf(shapes: readonly Shape[]): Pick<Shape, "depth" | "aliases" | "directives"> {
  const most = (rule: keyof Shape) => Math.max(0, ...shapes.map((shape) => shape[rule]));
  return { depth: most("depth"), aliases: most("aliases"), directives: most("directives") };
}

function forbiddenNames(
  operations: Definitions["operations"],
  fragments: Definitions["fragments"],
): FieldError[] {
  let found = false;
  const note = ({ alias, variable }: { alias?: NameNode; variable?: VariableNode }): void => {
    found ||= alias?.value === FORBIDDEN_NAME || variable?.name.value === FORBIDDEN_NAME;
  };
  for (const definition of [...operations, ...fragments.values()])
    visit(definition, { Field: note, VariableDefinition: note });
  return found ? [{ field: "query", rule: "name", message: `${FORBIDDEN_NAME} is no name here` }] : [];
}

/** Returns the wrong field for a limit that a document exceeds. */
export function excess(rule: Limit, found?: number): FieldError {
  const most = `at most ${DOCUMENT_LIMITS[rule]} ${COUNTED[rule] ?? rule} are allowed`;
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
