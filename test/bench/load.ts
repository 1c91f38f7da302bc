import autocannon from "autocannon";

const CONNECTIONS = 16;
const WARM_UP_SECONDS = 2;

/** One of the two servers that a workload compares. */
export interface Side {
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly headers: Record<string, string>;
  readonly body?: string;
  /** Requests at once, 16 by default. */
  readonly connections?: number;
}

/** A side whose requests differ from one another. */
export interface SideOfMany extends Side {
  readonly requests: autocannon.Request[];
  next(): { readonly path: string; readonly body: string; readonly headers?: Record<string, string> };
}

/** The number and the length of the rounds in which both sides are measured in turn. */
export interface Rounds {
  readonly count: number;
  readonly seconds: number;
  /** Seconds of load before the first round; they are not counted, since the code is still being compiled. */
  readonly warmUpSeconds?: number;
}

/** The medians of both sides over the same rounds. */
export interface Comparison {
  readonly rps: number;
  readonly p99Ms: number;
  /** Requests a second of the first side relative to the second, round by round. */
  readonly ratio: number;
}

/**
 * Loads two sides in turn. The machine's speed changes from second to second, so each round is compared with the
 * one right after it, and the median of these ratios counts.
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

/** The headers of a request with a JSON body. */
export function headersOf(token: string | null): Record<string, string> {
  return { "content-type": "application/json", ...(token !== null && { authorization: `Bearer ${token}` }) };
}
