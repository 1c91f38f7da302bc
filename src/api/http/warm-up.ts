import { UNLIMITED } from "../../engine/limits/account.js";
import { FairTurns, Turn } from "../../engine/limits/fair-turns.js";
import { createRequest, type Request } from "../../engine/request/request.js";

/** The process is ready after this time, whatever has been run until then. */
const MOST_MS = 5_000;

/** For whom operations are run before anybody asks, and until when. */
export interface Warming {
  readonly request: Request;
  /** A company, whose rows operations may read. */
  readonly companyId: number;
  readonly isOver: () => boolean;
}

/** Runs what callers will ask for. @returns how many operations were run. */
export type WarmingRun = (warming: Warming) => Promise<number>;

/**
 * Runs the operations of each face before anybody waits for them: they are compiled, their statements prepared, and the code that
 * they pass is fast. A process that has just started answers its first callers like all others.
 */
export class WarmUp {
  private readonly runs: WarmingRun[] = [];

  /** Adds what a face runs, after those that were added before. */
  add(run: WarmingRun): void {
    this.runs.push(run);
  }

  /** Runs them for a company. @returns how many operations were run. */
  async run(process: Pick<Request, "runtime" | "keyedTurns">, companyId: number): Promise<number> {
    const end = performance.now() + MOST_MS;
    const warming = { request: warmingRequest(process), companyId, isOver: () => performance.now() > end };
    let operations = 0;
    for (const run of this.runs) operations += await run(warming);
    return operations;
  }
}

/** Returns a request of the process itself, for which nobody waits and nobody pays. */
function warmingRequest(process: Pick<Request, "runtime" | "keyedTurns">): Request {
  const turns = new FairTurns({ most: 1, mostOfOne: 1 });
  return createRequest({
    id: "warm-up",
    address: "",
    device: null,
    caller: { kind: "platform" },
    idempotencyKey: undefined,
    ...process,
    turn: new Turn(turns, turns.owner("warm-up")),
    account: UNLIMITED,
    trace: null,
  });
}
