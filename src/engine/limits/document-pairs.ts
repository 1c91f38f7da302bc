import {
  Kind,
  type FragmentDefinitionNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";

/** What stands in one place of the answer. */
interface Place {
  /** The selection sets of fields by the name that they have in the answer, one for each field. */
  readonly fields: Map<string, (SelectionSetNode | undefined)[]>;
  /** The fragments that are spread there. */
  readonly fragments: Set<string>;
}

/** Walks no further than this many selections: what is within the limit of fields has fewer. */
const MOST_STEPS = 20_000;
/** So many levels fit into no text that is within the limit of tokens, unless a fragment is within itself, which the validation refuses. */
const MOST_LEVELS = 1_400;

/**
 * Counts the pairs of fields with the same name in one place of the answer, and of fragments that are spread there: graphql-js compares each pair, so that its time grows with the square of what a document repeats.
 *
 * @returns the number of pairs, or the first number above `most`.
 */
export function countPairs(
  operations: readonly OperationDefinitionNode[],
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  most: number,
): number {
  const walk = new PairWalk(fragments, most);
  for (const { selectionSet } of operations) walk.enter([selectionSet]);
  // The validation compares what is in unused fragments, too.
  for (const [name, { selectionSet }] of fragments) if (!walk.spread.has(name)) walk.enter([selectionSet]);
  return walk.pairs;
}

class PairWalk {
  /** All fragments that were met. */
  readonly spread = new Set<string>();
  pairs = 0;
  private steps = 0;

  constructor(
    private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>,
    private readonly most: number,
  ) {}

  /** Counts a place that has these selection sets, and those below it. */
  enter(sets: readonly SelectionSetNode[], level = 0): void {
    if (level > MOST_LEVELS) return;
    const place: Place = { fields: new Map(), fragments: new Set() };
    for (const set of sets) this.collect(set, place);
    this.add(place.fragments.size);
    for (const below of place.fields.values()) {
      this.add(below.length);
      const inner = below.filter((set) => set !== undefined);
      if (inner.length > 0 && this.pairs <= this.most) this.enter(inner, level + 1);
    }
  }

  private collect({ selections }: SelectionSetNode, place: Place): void {
    for (const selection of selections) {
      this.steps += 1;
      if (this.steps > MOST_STEPS) this.pairs = this.most + 1;
      if (this.pairs > this.most) return;
      if (selection.kind === Kind.FIELD) {
        const name = (selection.alias ?? selection.name).value;
        const same = place.fields.get(name);
        if (same === undefined) place.fields.set(name, [selection.selectionSet]);
        else same.push(selection.selectionSet);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) this.collect(selection.selectionSet, place);
      else this.collectFragment(selection.name.value, place);
    }
  }

  private collectFragment(name: string, place: Place): void {
    if (place.fragments.has(name)) return;
    place.fragments.add(name);
    this.spread.add(name);
    const fragment = this.fragments.get(name);
    if (fragment !== undefined) this.collect(fragment.selectionSet, place);
  }

  private add(count: number): void {
    this.pairs = Math.min(this.most + 1, this.pairs + (count * (count - 1)) / 2);
  }
}
