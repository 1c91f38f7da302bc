import {
  Kind,
  separateOperations,
  visit,
  type BooleanValueNode,
  type DirectiveNode,
  type DocumentNode,
  type OperationDefinitionNode,
  type SelectionNode,
  type VariableNode,
} from "graphql";
import type { Variables } from "../schema/root-operations.js";

/** The document of an operation for one set of values of its conditions, and what is kept for it. */
export interface Variant<Kept> {
  readonly document: DocumentNode;
  runs: number;
  kept: Kept | undefined;
}

/** So many sets of values have documents of their own; an operation that is asked for by more is interpreted for these. */
const MOST_VARIANTS = 8;

/**
 * The documents of an operation without `@skip` and `@include`, one for each set of values that these have: the compiler leaves fields out
 * by them otherwise than GraphQL does where fields or fragments stand in one place several times.
 */
export class ConditionalDocument<Kept> {
  private readonly own: DocumentNode;
  /** The variables of the conditions, with their defaults; `null` without any condition. */
  private readonly names: ReadonlyMap<string, boolean | undefined> | null;
  private readonly variants = new Map<string, Variant<Kept> | null>();
  /** That of a document without any condition, which each run asks for. */
  private readonly only: Variant<Kept> | null;

  constructor(document: DocumentNode, definition: OperationDefinitionNode) {
    this.own = ownDocument(document, definition);
    this.names = variablesOfConditions(this.own, definition);
    this.only = this.names === null ? variantOf<Kept>(this.own) : null;
  }

  /** @returns `null` where the operation has to be interpreted, which also finds out whether a value fits. */
  variantFor(variables: Variables): Variant<Kept> | null {
    if (this.names === null) return this.only;
    const values = new Map<string, boolean>();
    for (const [name, usual] of this.names) {
      const value = Object.hasOwn(variables, name) ? variables[name] : usual;
      if (typeof value !== "boolean") return null;
      values.set(name, value);
    }
    return this.variant([...values.values()].join(), values);
  }

  private variant(key: string, values: ReadonlyMap<string, boolean>): Variant<Kept> | null {
    const known = this.variants.get(key);
    if (known !== undefined) return known;
    if (this.variants.size >= MOST_VARIANTS) return null;
    const document = withoutConditions(this.own, values);
    const made = document === null ? null : variantOf<Kept>(document);
    this.variants.set(key, made);
    return made;
  }
}

function variantOf<Kept>(document: DocumentNode): Variant<Kept> {
  return { document, runs: 0, kept: undefined };
}

/** Returns the operation with the fragments that it uses. */
function ownDocument(document: DocumentNode, { name }: OperationDefinitionNode): DocumentNode {
  const operations = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  if (operations.length < 2 || name === undefined) return document;
  return separateOperations(document)[name.value] ?? document;
}

const CONDITIONS: ReadonlySet<string> = new Set(["skip", "include"]);

const isCondition = ({ name }: DirectiveNode): boolean => CONDITIONS.has(name.value);

function variablesOfConditions(
  document: DocumentNode,
  { variableDefinitions = [] }: OperationDefinitionNode,
): ReadonlyMap<string, boolean | undefined> | null {
  let hasSome = false;
  const named = new Set<string>();
  visit(document, {
    Directive(directive) {
      if (!isCondition(directive)) return;
      hasSome = true;
      const condition = conditionOf(directive);
      if (condition.kind === Kind.VARIABLE) named.add(condition.name.value);
    },
  });
  if (!hasSome) return null;
  const usual = ({ defaultValue }: (typeof variableDefinitions)[number]) =>
    defaultValue?.kind === Kind.BOOLEAN ? defaultValue.value : undefined;
  return new Map(
    variableDefinitions.flatMap((one) => {
      const name = one.variable.name.value;
      return named.has(name) ? [[name, usual(one)] as const] : [];
    }),
  );
}

/** The value by which a selection is left out: validation lets nothing else stand there. */
function conditionOf({ arguments: given = [] }: DirectiveNode): VariableNode | BooleanValueNode {
  return given[0]?.value as VariableNode | BooleanValueNode;
}

/** Returns the document without conditions and what they leave out; `null` when nothing is left somewhere. */
function withoutConditions(
  document: DocumentNode,
  values: ReadonlyMap<string, boolean>,
): DocumentNode | null {
  let isEmpty = false;
  const holds = (directive: DirectiveNode): boolean => {
    const condition = conditionOf(directive);
    const value = condition.kind === Kind.VARIABLE ? values.get(condition.name.value) : condition.value;
    return value === (directive.name.value === "include");
  };
  const left = <Node extends SelectionNode>(node: Node): Node | null => {
    const { directives = [] } = node;
    if (!directives.filter(isCondition).every(holds)) return null;
    return { ...node, directives: directives.filter((one) => !isCondition(one)) };
  };
  const shown = visit(document, {
    Field: left,
    FragmentSpread: left,
    InlineFragment: left,
    SelectionSet: { leave: ({ selections }) => void (isEmpty ||= selections.length === 0) },
  });
  return isEmpty ? null : shown;
}
