import type { Comparison } from "./load.js";

/** The figures of a workload, which the file of `--json` holds. */
export interface Figures {
  readonly name: string;
  readonly rps: number;
  readonly p99_ms: number;
  /**
   * Requests a second relative to the bare server in the same run, or to the hot workload (`selections.ts`); `null`
   * where there is nothing to compare.
   */
  readonly ratio: number | null;
  /** The server's processor time for a request, in microseconds. */
  readonly cpu_us?: number;
  /** The same of the bare server, or of the other checkout, relative to it; it varies less than `ratio`. */
  readonly cpu_ratio?: number;
  /** `null` where requests are not alike. */
  readonly sql_per_request: number | null;
}

/** Returns the figures of a workload that was compared, and shows its ratio. */
export function figuresOf(
  name: string,
  { rps, p99Ms, ratio, cpuUs, cpuRatio }: Comparison,
  statements: number | null,
): Figures {
  process.stderr.write(`${name} ${ratio.toFixed(2)}\n`);
  return {
    name,
    rps,
    p99_ms: p99Ms,
    ratio: Number(ratio.toFixed(2)),
    ...(cpuUs !== undefined && { cpu_us: cpuUs }),
    ...(cpuRatio !== undefined && { cpu_ratio: Number(cpuRatio.toFixed(2)) }),
    sql_per_request: statements,
  };
}
