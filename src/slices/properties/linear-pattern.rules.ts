/** A step of the automaton: an atom to read, a condition to hold, or ways to go on. */
type State =
  | { readonly kind: "atom"; readonly atom: Atom; readonly next: number }
  | { readonly kind: "assert"; readonly holds: Assertion; readonly next: number }
  | { readonly kind: "split"; readonly next: number[] }
  | { readonly kind: "match" };

/** Says whether one UTF-16 unit is what an atom of the pattern stands for. */
type Atom = (unit: string) => boolean;
type Assertion = (text: string, at: number) => boolean;

/** Builds the states of a part of the pattern that go on to `next`, and returns the first of them. */
type Part = (next: number) => number;

/** A pattern that unfolds into more states than this is not matched. */
const MOST_STATES = 1_000;

/** What the automaton cannot do: looking around, and repeating what a group has found. */
class UnsupportedError extends Error {}

/**
 * Matches a text in a time that grows with pattern × text alone, by following all ways through the pattern at once: a
 * pattern that makes a backtracking engine run for ever costs no more than any other.
 *
 * @param pattern a JavaScript regular expression without flags, which compiles.
 * @returns whether the pattern is found in the text, as `RegExp.test` says; `null` for a pattern that looks around,
 *   refers back, or unfolds into too many states.
 */
export function findsPattern(pattern: string, text: string): boolean | null {
  try {
    return run(compile(pattern), text);
  } catch (error) {
    if (error instanceof UnsupportedError) return null;
    throw error;
  }
}

/**
 * How many states a pattern unfolds into, which is what matching it costs for each character at most.
 *
 * @returns `null` for a pattern that does not compile, or that `findsPattern` does not match.
 */
export function patternStates(pattern: string): number | null {
  try {
    new RegExp(pattern);
    return compile(pattern).states.length;
  } catch {
    return null;
  }
}

interface Automaton {
  readonly states: readonly State[];
  readonly start: number;
}

function run({ states, start }: Automaton, text: string): boolean {
  let current = new Set<number>();
  for (let at = 0; at <= text.length; at += 1) {
    // A match may begin at any place.
    if (enter(states, start, text, at, current)) return true;
    const following = new Set<number>();
    for (const id of current) {
      const state = states[id];
      if (state?.kind !== "atom" || at === text.length || !state.atom(text.charAt(at))) continue;
      if (enter(states, state.next, text, at + 1, following)) return true;
    }
    current = following;
  }
  return false;
}

/** Adds a state with all that can be reached from it without reading. @returns whether the match is among them. */
function enter(
  states: readonly State[],
  first: number,
  text: string,
  at: number,
  into: Set<number>,
): boolean {
  const open = [first];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (into.has(id)) continue;
    into.add(id);
    const state = states[id] as State;
    if (state.kind === "match") return true;
    if (state.kind === "split") open.push(...state.next);
    if (state.kind === "assert" && state.holds(text, at)) open.push(state.next);
  }
  return false;
}

function compile(pattern: string): Automaton {
  const states: State[] = [{ kind: "match" }];
  const start = new PatternParser(pattern, states).parse()(0);
  return { states, start };
}

const QUANTIFIER = /^(?:[*+?]|\{(?<min>\d+)(?<comma>,(?<max>\d*))?\})\??/u;
const CLASS = /^\[(?:\\[\s\S]|[^\]\\])*\]/u;
const ESCAPE = /^\\(?:c[A-Za-z]|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|0(?!\d)|[^0-9ck])/u;

/** Reads a pattern that `RegExp` accepts, so that what stands there needs no second judging. */
class PatternParser {
  private at = 0;

  constructor(
    private readonly pattern: string,
    private readonly states: State[],
  ) {}

  parse(): Part {
    const ways = [this.sequence()];
    while (this.take("|")) ways.push(this.sequence());
    return ways.length === 1 ? (ways[0] as Part) : (next) => this.split(ways.map((way) => way(next)));
  }

  private sequence(): Part {
    const parts: Part[] = [];
    while (this.at < this.pattern.length && !"|)".includes(this.pattern.charAt(this.at)))
      parts.push(this.repeated(this.single()));
    return (next) => parts.reduceRight((target, part) => part(target), next);
  }

  private single(): Part {
    if (this.take("(")) return this.group();
    if (this.take("^")) return this.assertion((_, at) => at === 0);
    if (this.take("$")) return this.assertion((text, at) => at === text.length);
    if (this.take("\\b")) return this.assertion(isWordEdge);
    if (this.take("\\B")) return this.assertion((text, at) => !isWordEdge(text, at));
    const rest = this.pattern.slice(this.at);
    const escape = ESCAPE.exec(rest)?.[0];
    if (escape === undefined && rest.startsWith("\\")) throw new UnsupportedError();
    const source = CLASS.exec(rest)?.[0] ?? escape ?? rest.charAt(0);
    this.at += source.length;
    return this.atom(source);
  }

  private group(): Part {
    const kind = /^\?(?:[:=!]|<[=!]|<[^>]*>|[a-z-]+:)/u.exec(this.pattern.slice(this.at))?.[0] ?? "";
    if (kind !== "" && kind !== "?:" && !/^\?<[^=!]/u.test(kind)) throw new UnsupportedError();
    this.at += kind.length;
    const inner = this.parse();
    this.at += 1;
    return inner;
  }

  /** The part as often as the quantifier behind it says; lazy or not finds the same. */
  private repeated(part: Part): Part {
    const found = QUANTIFIER.exec(this.pattern.slice(this.at));
    if (found === null) return part;
    this.at += found[0].length;
    const { least, most } = bounds(found);
    return (next) => {
      let target = most === null ? this.loop(part, next) : next;
      for (let optional = least; most !== null && optional < most; optional += 1)
        target = this.split([part(target), next]);
      for (let needed = 0; needed < least; needed += 1) target = part(target);
      return target;
    };
  }

  private loop(part: Part, next: number): number {
    const ways = [next];
    const id = this.add({ kind: "split", next: ways });
    ways.push(part(id));
    return id;
  }

  private atom(source: string): Part {
    const single = new RegExp(`^${source === "/" || source === "-" ? `\\${source}` : source}$`);
    const known = new Map<string, boolean>();
    const isIt: Atom = (unit) => {
      let answer = known.get(unit);
      if (answer === undefined) known.set(unit, (answer = single.test(unit)));
      return answer;
    };
    return (next) => this.add({ kind: "atom", atom: isIt, next });
  }

  private assertion(holds: Assertion): Part {
    return (next) => this.add({ kind: "assert", holds, next });
  }

  private split(next: number[]): number {
    return this.add({ kind: "split", next });
  }

  private add(state: State): number {
    if (this.states.length >= MOST_STATES) throw new UnsupportedError();
    return this.states.push(state) - 1;
  }

  private take(text: string): boolean {
    if (!this.pattern.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }
}

function bounds(found: RegExpExecArray): { least: number; most: number | null } {
  const { min, comma, max } = found.groups ?? {};
  if (min !== undefined) {
    const least = Number(min);
    if (comma === undefined) return { least, most: least };
    return { least, most: max === undefined || max === "" ? null : Number(max) };
  }
  const sign = found[0].charAt(0);
  return { least: sign === "+" ? 1 : 0, most: sign === "?" ? 1 : null };
}

function isWordEdge(text: string, at: number): boolean {
  return isWord(text.charAt(at - 1)) !== isWord(text.charAt(at));
}

function isWord(unit: string): boolean {
  return /^\w$/u.test(unit);
}
