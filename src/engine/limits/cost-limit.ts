import { DomainError } from "../../core/errors/domain-error.js";

/** The most that a GraphQL operation may cost unless `COST_LIMIT` says otherwise (see `document-cost.ts`). */
export const DEFAULT_COST_LIMIT = 100_000;

/** What an operation would cost, and the most it may. */
export interface Cost {
  readonly requested: number;
  readonly limit: number;
}

/** An operation that would cost too much. */
export class CostError extends DomainError {
  constructor(readonly cost: Cost) {
    super("BAD_REQUEST", "The operation costs too much; see errors.", {
      errors: [
        {
          field: "query",
          rule: "cost",
          message: `costs ${cost.requested}, at most ${cost.limit} is allowed`,
        },
      ],
    });
  }
}
