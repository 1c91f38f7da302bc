import autocannon from "autocannon";
import type { Figures } from "./figures.js";
import { median, type Side } from "./load.js";
import type { Server } from "./processes.js";

export const COLD = "cold";

const FIRST = 1_000;
const NEXT = 10_000;
const CONNECTIONS = 4;

/**
 * Measures the first requests that a process answers once it is ready, against the next ones: all of the workloads take turns. The
 * `ratio` is how many times the 99th percentile of the first 1,000 is that of the 10,000 behind them, in the median of some
 * processes.
 *
 * @param startServer starts a process.
 * @param sidesOf returns what is asked of it.
 * @throws Error when a request is refused.
 */
export async function measureCold(
  startServer: () => Promise<Server>,
  sidesOf: (server: Server) => Promise<readonly Side[]>,
  processes: number,
): Promise<Figures> {
  const ratios: number[] = [];
  const firsts: number[] = [];
  const rates: number[] = [];
  for (let number = 0; number < processes; number += 1) {
    const server = await startServer();
    try {
      const sides = await sidesOf(server);
      const start = performance.now();
      const times = await timesOf(server, sides);
      rates.push((1_000 * times.length) / (performance.now() - start));
      const first = p99(times.slice(0, FIRST));
      firsts.push(first);
      ratios.push(first / p99(times.slice(FIRST)));
    } finally {
      await server.stop();
    }
  }
  const ratio = Number(median(ratios).toFixed(2));
  process.stderr.write(`${COLD} ${ratio} (${ratios.map((one) => one.toFixed(1)).join(", ")})\n`);
  return {
    name: COLD,
    rps: Math.round(median(rates)),
    p99_ms: Number(median(firsts).toFixed(1)),
    ratio,
    sql_per_request: null,
  };
}

/** Returns how long the requests took, in milliseconds, in the order in which they were answered. */
async function timesOf(server: Server, sides: readonly Side[]): Promise<number[]> {
  const times: number[] = [];
  const requests = sides.map(({ url, method, headers, body }) => ({
    path: url.slice(server.url.length),
    ...{ method, headers },
    ...(body !== undefined && { body }),
  }));
  await new Promise<void>((resolve, reject) => {
    const load = autocannon(
      { url: server.url, connections: CONNECTIONS, amount: FIRST + NEXT, requests },
      (error, result) => {
        if (error !== null) reject(error as Error);
        else if (result.non2xx + result.errors > 0)
          reject(new Error(`refused: ${JSON.stringify(result.statusCodeStats)}`));
        else resolve();
      },
    );
    load.on("response", (_client, _status, _bytes, milliseconds) => times.push(milliseconds));
  });
  return times;
}

function p99(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? NaN;
}
