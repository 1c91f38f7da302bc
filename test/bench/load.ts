import autocannon from "autocannon";
import type { Server } from "./processes.js";

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
  /** What answers, when its processor time is to be printed. */
  readonly server?: Pick<Server, "cpuMs">;
  /** What is asked by turns, where requests differ from one another. */
  readonly requests?: autocannon.Request[];
}

/** A side whose requests differ from one another. */
export interface SideOfMany extends Side {
  readonly requests: autocannon.Request[];
  next(): { readonly path: string; readonly body: string; readonly headers?: Record<string, string> };
}

/** A side that asks for several things by turns, over whichever connection. */
export interface SideByTurns extends Side {
  readonly sides: readonly Side[];
  next(): Side;
}

/** Returns a side that asks for these by turns. */
export function byTurns(sides: readonly Side[]): SideByTurns {
  const [first] = sides as [Side];
  let turn = 0;
  const next = (): Side => sides[turn++ % sides.length] as Side;
  if (sides.length === 1) return { ...first, sides, next };
  const { origin } = new URL(first.url);
  const setupRequest: NonNullable<autocannon.Request["setupRequest"]> = (request) => {
    const { url, body } = next();
    return { ...request, path: url.slice(origin.length), ...(body !== undefined && { body }) };
  };
  const { method, headers } = first;
  return { ...first, sides, next, requests: [{ method, headers, setupRequest }] };
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
  /** The server's processor time for a request in microseconds, when both sides name their servers. */
  readonly cpuUs?: number;
  /** The time of the second side relative to the first: above 1, the first takes less. It varies less than `ratio`. */
  readonly cpuRatio?: number;
}

interface Load {
  readonly rps: number;
  readonly p99Ms: number;
  readonly cpuUs: number;
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
  const measured: { ours: Load; theirs: Load }[] = [];
  for (let round = 0; round < count; round += 1)
    measured.push({ ours: await load(ours, seconds), theirs: await load(theirs, seconds) });
  const told = (figure: (round: (typeof measured)[number]) => number): number => median(measured.map(figure));
  return {
    rps: Math.round(told((round) => round.ours.rps)),
    p99Ms: told((round) => round.ours.p99Ms),
    ratio: told((round) => round.ours.rps / round.theirs.rps),
    ...(ours.server !== undefined &&
      theirs.server !== undefined && {
        cpuUs: Math.round(told((round) => round.ours.cpuUs)),
        cpuRatio: told((round) => round.theirs.cpuUs / round.ours.cpuUs),
      }),
  };
}

export async function load({ server, ...side }: Side, duration: number): Promise<Load> {
  const cpuBefore = server?.cpuMs ?? 0;
  const result = await autocannon({ connections: CONNECTIONS, ...side, duration });
  const failures = result.non2xx + result.errors + result.timeouts;
  if (failures > 0)
    throw new Error(`${side.url}: ${failures} failures ${JSON.stringify(result.statusCodeStats)}`);
  const { requests, latency } = result;
  return {
    rps: requests.average,
    p99Ms: latency.p99,
    cpuUs: (((server?.cpuMs ?? 0) - cpuBefore) * 1_000) / requests.total,
  };
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
