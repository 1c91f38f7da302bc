import type { ExecutionResult } from "graphql";
import { DomainError } from "../../core/errors/domain-error.js";

/**
 * A GraphQL operation may cost this much unless `COST_LIMIT` sets another limit; `document-cost.ts` says what
 * costs.
 */
export const DEFAULT_COST_LIMIT = 100_000;

/** The cost of an operation, and the highest cost that it may have. */
export interface Cost {
  /**
   * What its document asks for, or the work that it takes, where that costs more; at most the limit. Of an operation that costs
   * too much it is what the document asks for, or what was counted, above the limit.
   */
  readonly requested: number;
  readonly limit: number;
}

/** What the answer of an operation says of its cost. */
export interface ToldCost extends Cost {
  /** The time that the operation has used of the event loop and of the database, in milliseconds. */
  readonly used: number;
  /** The cost for which the caller has room left in this minute; `null` where nothing is limited. */
  readonly left: number | null;
}

/** @param usedMs of the event loop and of the database, in milliseconds. */
export function toldCost({ requested, limit }: Cost, usedMs: number, left: number | null): ToldCost {
  return { requested, limit, used: Math.ceil(usedMs * 10) / 10, left };
}

/** What the answer says of the cost of a request of which none was reckoned. */
export function costOfNothing(left: number | null): Omit<ToldCost, "limit"> {
  return { requested: 0, used: 0, left };
}

/** An operation would cost more than the limit. */
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

/** Returns the cost of an operation that was stopped while it ran; `null` for any other result. */
export function costOfStopped({ errors }: ExecutionResult): Cost | null {
  const error = errors?.[0]?.originalError;
  return error instanceof CostError ? error.cost : null;
}
