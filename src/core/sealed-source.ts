import type { Pool, PoolClient } from "pg";

/** Some secrets of one company, each sealed, by the names of their places. */
export interface SealedSecrets {
  readonly companyId: number;
  readonly secrets: Readonly<Record<string, string>>;
}

/** Where secrets are stored. A secret is old when it does not begin with the prefix that is asked for. */
export interface SealedSource {
  /** Counts the companies with an old secret. */
  count(pool: Pool, prefix: string): Promise<number>;
  /**
   * Finds companies with an old secret, in the order of their ids.
   *
   * @param options.after the id of the company before the first.
   */
  companies(pool: Pool, options: { prefix: string; after: number; most: number }): Promise<number[]>;
  /** Reads and locks the old secrets of a company; none may be left by now. */
  lock(client: PoolClient, companyId: number, prefix: string): Promise<SealedSecrets["secrets"]>;
  /** Reads some secrets, at most of so many companies. */
  sample(pool: Pool, most: number): Promise<SealedSecrets[]>;
  /** Writes secrets that were sealed anew, of rows that are locked. */
  write(client: PoolClient, sealed: SealedSecrets): Promise<void>;
}

/** Those of some sealed secrets that are old. */
export function oldOnes(secrets: SealedSecrets["secrets"], prefix: string): SealedSecrets["secrets"] {
  return Object.fromEntries(Object.entries(secrets).filter(([, text]) => !text.startsWith(prefix)));
}
