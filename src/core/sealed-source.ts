import type { Pool, PoolClient } from "pg";

/** Some secrets of one company, each sealed, by the names of their places. */
export interface SealedSecrets {
  readonly companyId: number;
  readonly secrets: Readonly<Record<string, string>>;
}

/** Where secrets are stored. */
export interface SealedSource {
  /** Counts the companies with a secret that does not begin with this prefix. */
  count(pool: Pool, prefix: string): Promise<number>;
  /**
   * Reads and locks the secrets of some companies that have one that does not begin with this prefix, in the order of their
   * ids.
   *
   * @param options.after the id of the company before the first.
   */
  lock(
    client: PoolClient,
    options: { prefix: string; after: number; most: number },
  ): Promise<SealedSecrets[]>;
  /** Reads some secrets, at most of so many companies. */
  sample(pool: Pool, most: number): Promise<SealedSecrets[]>;
  /** Writes secrets that were sealed anew, of rows that are locked. */
  write(client: PoolClient, rotated: readonly SealedSecrets[]): Promise<void>;
}
