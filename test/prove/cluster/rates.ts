import { setTimeout as sleep } from "node:timers/promises";
import { load } from "../../bench/load.js";
import type { Server } from "../../bench/processes.js";

const WARM_UP_SECONDS = 2;
/** HAProxy, and a process with the replica, have looked by then whether all is well. */
const SETTLED_MS = 3_000;
/** How many processes answer, and whether they read a replica, by turns. */
const SETUPS: readonly (readonly [processes: number, hasReplica: boolean])[] = [
  [1, false],
  [2, false],
  [3, false],
  [1, true],
  [3, true],
];

/** What a number of processes bears. */
export interface Rate {
  readonly "reads/s": number;
  /** Relative to one process without a replica. */
  readonly relative: number;
}

/** Measures the reads of one row in a second that more and more processes answer, without and with a replica. */
export async function measureRates(
  callers: { readonly url: string; readonly headers: Record<string, string> },
  start: (process: number, hasReplica: boolean) => Promise<Server>,
  seconds: number,
): Promise<Record<string, Rate>> {
  const rates: Record<string, Rate> = {};
  let ofOne: number | undefined;
  for (const [processes, hasReplica] of SETUPS) {
    const servers: Server[] = [];
    try {
      for (let process = 0; process < processes; process += 1) servers.push(await start(process, hasReplica));
      await sleep(SETTLED_MS);
      await load({ ...callers, method: "GET" }, WARM_UP_SECONDS);
      const { rps } = await load({ ...callers, method: "GET" }, seconds);
      ofOne ??= rps;
      const name = `${processes} ${processes > 1 ? "processes" : "process"}${hasReplica ? " and a replica" : ""}`;
      rates[name] = { "reads/s": Math.round(rps), relative: Number((rps / ofOne).toFixed(2)) };
    } finally {
      await Promise.all(servers.map((server) => server.stop()));
    }
  }
  return rates;
}
