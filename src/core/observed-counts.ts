import type { Pool } from "pg";

/** Numbers of rows of all companies that operators watch, counted at each scrape: it must be quick however many rows there are. */
export interface ObservedCounts {
  /** The name of the gauge, which begins with `gateway_`. */
  readonly name: string;
  readonly help: string;
  /** The label that tells the numbers apart. */
  readonly label: string;
  /** Counts by the values of the label. */
  count(pool: Pool): Promise<Readonly<Record<string, number>>>;
}
