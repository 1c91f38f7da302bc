/** The rate limit of the caller of a request, against which the costs of the request are counted. */
export interface Account {
  /**
   * Counts the cost of work that is still to be done; there is no promise when the cost counts as no further request.
   *
   * @throws DomainError RATE_LIMITED when not so much is left; then nothing is counted.
   */
  charge(cost: number): Promise<void> | undefined;
  /**
   * Counts the cost of work that was done, although it may be more than is left.
   *
   * @param counted how much of it was counted before.
   */
  owe(cost: number, counted: number): void;
  /** The name by which others count a cost here; `null` where nobody does. */
  readonly payer: string | null;
  /** The cost for which there is room in this minute, as far as this process knows; `null` where nothing is limited. */
  readonly left: number | null;
}

/** Stands in where requests are not limited. */
export const UNLIMITED: Account = { charge: () => undefined, owe: () => undefined, payer: null, left: null };
