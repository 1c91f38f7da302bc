import autocannon from "autocannon";

const CONNECTIONS = 16;
const WARM_UP_SECONDS = 2;

/** A server's side of a workload. */
export interface Side {
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly headers: Record<string, string>;
  readonly body?: string;
  /** Requests at once; 16 unless told. */
  readonly connections?: number;
}

/** How often both sides are measured in turn, and for how long each time. */
export interface Rounds {
  readonly count: number;
  readonly seconds: number;
  /** Load before that, which is not counted: until the code that it runs through is compiled. */
  readonly warmUpSeconds?: number;
}

/** What two sides did in the same rounds: medians. */
export interface Comparison {
  readonly rps: number;
  readonly p99Ms: number;
  /** Requests a second of the first relative to the second, round by round. */
  readonly ratio: number;
}

/**
 * Loads two sides in turn. The machine's mood changes from second to second, so each round is compared with
 * the one right after it, and the median of these is told.
 */
export async function compare(
  ours: Side,
  theirs: Side,
  { count, seconds, warmUpSeconds = WARM_UP_SECONDS }: Rounds,
): Promise<Comparison> {
  await load(ours, warmUpSeconds);
  await load(theirs, warmUpSeconds);
  const rounds: { ours: autocannon.Result; theirs: autocannon.Result }[] = [];
  for (let round = 0; round < count; round += 1) {
    rounds.push({ ours: await load(ours, seconds), theirs: await load(theirs, seconds) });
  }
  return {
    rps: Math.round(median(rounds.map((round) => round.ours.requests.average))),
    p99Ms: median(rounds.map((round) => round.ours.latency.p99)),
    ratio: median(rounds.map((round) => round.ours.requests.average / round.theirs.requests.average)),
  };
}

async function load(side: Side, duration: number): Promise<autocannon.Result> {
  const result = await autocannon({ connections: CONNECTIONS, ...side, duration });
  const failures = result.non2xx + result.errors + result.timeouts;
  if (failures > 0)
    throw new Error(`${side.url}: ${failures} failures ${JSON.stringify(result.statusCodeStats)}`);
  return result;
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle)] ?? NaN)) / 2;
}
