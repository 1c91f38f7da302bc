import type { Pool } from "pg";
import { Gauge, type Registry } from "prom-client";
import type { ObservedCounts } from "../../core/observed-counts.js";

/**
 * Registers gauges of rows. A scrape never waits for the database: while requests wait for a connection, or the database is
 * away, the last known numbers stay.
 */
export function observeCounts(registry: Registry, pool: Pool, all: readonly ObservedCounts[]): void {
  for (const { name, help, label, count } of all)
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      async collect() {
        // The statements of the scrape itself may wait for a connection: of the jobs, and of each gauge.
        const counts = pool.waitingCount > 1 + all.length ? null : await count(pool).catch(() => null);
        for (const [value, number] of Object.entries(counts ?? {})) this.set({ [label]: value }, number);
      },
    });
}
