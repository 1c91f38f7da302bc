/** A millisecond of work costs this much: whoever uses up the usual rate limit has a core to itself. */
export const COST_PER_MS = 100;
/** Each request stands for so much work by itself, so that only what goes beyond costs more. */
const FREE_MS = 30;
/** An operation is known after so many runs. */
const RUNS_TO_KNOW = 30;
/** The weight of a run that was slower than was expected: mostly it has waited for others, and whoever asks is not to pay for that. */
const SLOWER = 0.002;
/** Operations are told apart by the binary digits of their points, which are fewer than this. */
const MOST_DIGITS = 64;

/** A root field of a document, and the points that it has by what it asks for. */
export interface RootPoints {
  readonly name: string;
  readonly points: number;
}

/** What the runs of a root field have taken. */
interface Learned {
  ms: number;
  runs: number;
}

/**
 * Learns from runs how long the event loop and the database work for an operation: for each root field by the number of digits of
 * its points and by the scale of the company. The quickest run of late counts: on a busy machine all runs are slow. What several fields of a document take together is shared out among them as
 * they were expected to take.
 */
export class LearnedCosts {
  private readonly byName = new Map<string, Map<number, Learned>>();

  /**
   * Returns the cost of the work that is expected, beyond what a request stands for anyway.
   *
   * @param scale of the company, see `CompanyScales`.
   * @returns 0 until enough runs are known of one of the fields at least.
   */
  expectedCost(roots: readonly RootPoints[], scale: number): number {
    let milliseconds = 0;
    let isKnown = false;
    for (const root of roots) {
      const learned = this.find(root, scale);
      if (learned !== undefined && learned.runs >= RUNS_TO_KNOW) {
        milliseconds += learned.ms;
        isKnown = true;
      } else milliseconds += root.points / COST_PER_MS;
    }
    return isKnown ? Math.max(0, Math.round((milliseconds - FREE_MS) * COST_PER_MS)) : 0;
  }

  /** Learns from a run that succeeded. */
  learn(roots: readonly RootPoints[], scale: number, milliseconds: number): void {
    const [only] = roots;
    if (only === undefined) return;
    if (roots.length === 1) return this.add(only, scale, milliseconds);
    let expected = 0;
    /** Fields that are alike are one: they come at once, and show what each of them takes on average. */
    const kinds = new Map<Learned, { count: number; ms: number }>();
    for (const root of roots) {
      const learned = this.find(root, scale) ?? this.begin(root, scale);
      const ms = learned.runs > 0 ? learned.ms : root.points / COST_PER_MS;
      expected += ms;
      const kind = kinds.get(learned);
      if (kind === undefined) kinds.set(learned, { count: 1, ms });
      else {
        kind.count += 1;
        kind.ms += ms;
      }
    }
    if (expected === 0) return;
    for (const [learned, { count, ms }] of kinds) note(learned, (milliseconds * ms) / expected / count);
  }

  private add(root: RootPoints, scale: number, milliseconds: number): void {
    note(this.find(root, scale) ?? this.begin(root, scale), milliseconds);
  }

  private find(root: RootPoints, scale: number): Learned | undefined {
    return this.byName.get(root.name)?.get(keyOf(root, scale));
  }

  private begin(root: RootPoints, scale: number): Learned {
    const learned: Learned = { ms: 0, runs: 0 };
    const known = this.byName.get(root.name);
    if (known === undefined) this.byName.set(root.name, new Map([[keyOf(root, scale), learned]]));
    else known.set(keyOf(root, scale), learned);
    return learned;
  }
}

function keyOf({ points }: RootPoints, scale: number): number {
  return scale * MOST_DIGITS + Math.ceil(Math.log2(points + 1));
}

function note(learned: Learned, milliseconds: number): void {
  learned.runs += 1;
  if (learned.runs === 1 || milliseconds < learned.ms) learned.ms = milliseconds;
  else learned.ms += (milliseconds - learned.ms) * SLOWER;
}
