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
