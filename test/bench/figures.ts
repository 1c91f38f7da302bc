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
  /** `null` where requests are not alike. */
  readonly sql_per_request: number | null;
}
