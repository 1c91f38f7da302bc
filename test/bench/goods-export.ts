import type { Dataset } from "./workloads.js";
import type { Figures } from "./figures.js";
import type { Rounds } from "./load.js";
import { startServer, type Server } from "./processes.js";

const BARE_PORT = 4219;
const MEMORY_EVERY_MS = 50;

export const EXPORTS = ["export-csv", "export-xlsx"] as const;

interface Given {
  readonly gateway: Server;
  readonly url: string;
  readonly token: string;
  readonly dataset: Dataset;
  readonly rounds: Rounds;
  isChosen(name: string): boolean;
}

/**
 * Measures the export of all goods of the company, a whole table for each request, against a bare server that streams one
 * COPY of the same rows as CSV. It prints how much memory the service needed above idle.
 */
export async function measureGoodsExports(given: Given): Promise<Figures[]> {
  const { gateway, url, token, dataset, rounds, isChosen } = given;
  const bare = await startServer(
    [process.execPath, "--import", "tsx", "test/bench/bare-copy.ts", url, String(BARE_PORT)],
    { port: BARE_PORT, path: "/ready" },
  );
  try {
    const figures: Figures[] = [];
    for (const name of EXPORTS.filter(isChosen)) {
      const path = `/api/companies/${dataset.companyId}/goods?format=${name.replace("export-", "")}`;
      const ours = () => read(`${gateway.url}${path}`, { authorization: `Bearer ${token}` });
      const theirs = () => read(`${bare.url}/goods/${dataset.companyId}`);
      await theirs();
      const idleMb = gateway.rssMb;
      const peak = { mb: idleMb };
      const watch = setInterval(() => (peak.mb = Math.max(peak.mb, gateway.rssMb)), MEMORY_EVERY_MS);
      const pairs: { ours: number; theirs: number }[] = [];
      for (let round = 0; round < rounds.count; round += 1) {
        pairs.push({ ours: await ours(), theirs: await theirs() });
      }
      clearInterval(watch);
      console.log(`${name}: at most ${peak.mb - idleMb} MB above ${idleMb} MB`);
      const seconds = median(pairs.map((pair) => pair.ours));
      figures.push({
        name,
        rps: Number((1 / seconds).toFixed(2)),
        p99_ms: Math.round(Math.max(...pairs.map((pair) => pair.ours)) * 1_000),
        ratio: Number(median(pairs.map((pair) => pair.theirs / pair.ours)).toFixed(2)),
        sql_per_request: null,
      });
    }
    return figures;
  } finally {
    await bare.stop();
  }
}

/** @returns the seconds until the last byte. */
async function read(url: string, headers: Record<string, string> = {}): Promise<number> {
  const begin = performance.now();
  const response = await fetch(url, { headers });
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  let bytes = 0;
  for await (const chunk of response.body ?? []) bytes += (chunk as Uint8Array).length;
  if (bytes === 0) throw new Error(`${url} answers nothing`);
  return (performance.now() - begin) / 1_000;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
