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
  operations: 50,
  /** Where something stands is found by walking over the lines before it. */
  lines: 4_000,
  /** Of a document that does not fit the schema: whoever tells what is wrong compares each pair. */
  pairs: 1_000,
} as const;

type Limit = keyof typeof DOCUMENT_LIMITS;

/** What a limit counts, where its name does not say it. */
const COUNTED: Partial<Record<Limit, string>> = {
  depth: "levels",
  pairs: "pairs of fields with the same name in one place",
};

/** So many lines are walked over at most to find where the faults of a document stand: some 30 ms. */
const MOST_WALKED = 300_000;
/** At most so many fields are named as in conflict with each other. */
const MOST_IN_CONFLICT = 400;
const MOST_OF_NAME = 200;
const [LINE_FEED, CARRIAGE_RETURN] = [10, 13];

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
  const counts = { ...mostOf(shapes), fields, operations: operations.length };
  const excesses = (["depth", "aliases", "directives", "fields", "operations"] as const).flatMap((rule) =>
    counts[rule] > DOCUMENT_LIMITS[rule] ? [excess(rule, counts[rule])] : [],
  );
  return {
    excesses: [...excesses, ...longNames(operations), ...forbiddenNames(operations, fragments)],
    fields,
  };
}

/** Counts the lines of a text as graphql-js does. */
export function countLines(text: string): number {
  let lines = 1;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === LINE_FEED || (character === CARRIAGE_RETURN && text.charCodeAt(at + 1) !== LINE_FEED))
      lines += 1;
  }
  return lines;
}

/**
 * Returns the excess of a document that does not fit the schema: only what is wrong first is told of it where telling all takes long.
 *
 * @param faults is not empty.
 * @param lines are those of its text.
 */
export function excessesOfInvalid(
  { operations, fragments }: Definitions,
  faults: readonly GraphQLError[],
  lines: number,
): FieldError[] {
  const { pairs: most } = DOCUMENT_LIMITS;
  const pairs = countPairs(operations, fragments, most);
  const places = faults.reduce(
    (sum, { nodes = [] }) => sum + nodes.length,
    Math.min(pairs, MOST_IN_CONFLICT),
  );
  const rule = pairs > most ? "pairs" : lines * places > MOST_WALKED ? "lines" : null;
  const [first] = faults;
  if (rule === null || first === undefined) return [];
  const why =
    rule === "pairs" ? excess(rule).message : `has ${lines} lines, too many to tell all that is wrong`;
  const message = `${why} in a document that does not fit the schema: ${withoutValues(first)}`;
  return [{ field: "query", rule, message }];
}

function mostOf(shapes: readonly Shape[]): Pick<Shape, "depth" | "aliases" | "directives"> {
  const most = (rule: keyof Shape) => Math.max(0, ...shapes.map((shape) => shape[rule]));
  return { depth: most("depth"), aliases: most("aliases"), directives: most("directives") };
}

/** Each error that is about an operation quotes its name. */
function longNames(operations: Definitions["operations"]): FieldError[] {
  const isLong = operations.some(({ name }) => (name?.value.length ?? 0) > MOST_OF_NAME);
  const message = `an operation's name has at most ${MOST_OF_NAME} characters`;
  return isLong ? [{ field: "query", rule: "name", message }] : [];
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
