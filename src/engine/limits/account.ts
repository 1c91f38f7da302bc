/** The rate limit of the caller of a request, against which the costs of the request are counted. */
export interface Account {
  /**
   * Counts the cost of work that is still to be done; there is no promise when the cost counts as no further request.
   *
   * @throws DomainError RATE_LIMITED when not so much is left; then nothing is counted.
   */
  charge(cost: number): Promise<void> | undefined;
  /** Counts the cost of work that has been done: what is not left now is missing later. */
  owe(cost: number): void;
}

/** Stands in where requests are not limited. */
export const UNLIMITED: Account = { charge: () => undefined, owe: () => undefined };
