import {
  Kind,
  type DirectiveNode,
  type FragmentDefinitionNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";

/** The counts of an operation with its fragments expanded. */
export interface Shape {
  /** The number of levels of fields. Introspection is not counted: the validation bounds it. */
  readonly depth: number;
  readonly aliases: number;
  readonly directives: number;
  readonly fields: number;
}

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

const NOTHING: Shape = { depth: 0, aliases: 0, directives: 0, fields: 0 };

/**
 * Counts the operations of one document. Each fragment is counted once, however often it is spread, so the work is
 * linear in the length of the text. A fragment within itself counts as nothing there; the validation refuses it
 * later.
 */
export class ShapeCounter {
  private readonly known = new Map<string, Shape>();

  constructor(private readonly fragments: Fragments) {}

  count(operation: OperationDefinitionNode): Shape {
    const { directives, ...shape } = this.ofSelections(operation.selectionSet);
    const onVariables = (operation.variableDefinitions ?? []).map(({ directives: own }) => own?.length ?? 0);
    const own = lengthOf(operation.directives) + onVariables.reduce((sum, count) => sum + count, 0);
    return { ...shape, directives: directives + own };
  }

  private ofSelections({ selections }: SelectionSetNode): Shape {
    let depth = 0;
    let aliases = 0;
    let directives = 0;
    let fields = 0;
    for (const selection of selections) {
      directives += lengthOf(selection.directives);
      let inner = NOTHING;
      if (selection.kind === Kind.FIELD) {
        fields += 1;
        if (selection.alias !== undefined) aliases += 1;
        if (selection.selectionSet !== undefined) inner = this.ofSelections(selection.selectionSet);
        if (!selection.name.value.startsWith("__")) depth = Math.max(depth, inner.depth + 1);
      } else {
        inner =
          selection.kind === Kind.FRAGMENT_SPREAD
            ? this.ofFragment(selection.name.value)
            : this.ofSelections(selection.selectionSet);
        depth = Math.max(depth, inner.depth);
      }
      aliases += inner.aliases;
      directives += inner.directives;
      fields += inner.fields;
    }
    return { depth, aliases, directives, fields };
  }

  private ofFragment(name: string): Shape {
    const known = this.known.get(name);
    if (known !== undefined) return known;
    const fragment = this.fragments.get(name);
    if (fragment === undefined) return NOTHING;
    this.known.set(name, NOTHING);
    const inner = this.ofSelections(fragment.selectionSet);
    const shape = { ...inner, directives: inner.directives + lengthOf(fragment.directives) };
    this.known.set(name, shape);
    return shape;
  }
}

function lengthOf(directives: readonly DirectiveNode[] | undefined): number {
  return directives?.length ?? 0;
}
