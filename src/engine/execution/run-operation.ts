import type { ExecutionResult } from "graphql";
import type { FieldError } from "../../core/errors/domain-error.js";
import type { IdempotentRequest } from "../idempotency/idempotent-request.js";
import type { Request } from "../request/request.js";

export type Variables = Readonly<Record<string, unknown>>;

/** What a run needs besides the request and the variables. */
export interface RunOptions {
  /** Wrong fields that were found before the arguments took shape. */
  readonly inputErrors?: readonly FieldError[];
  /** Set when the request has to take effect once. */
  readonly idempotency?: IdempotentRequest | null;
}

/** Runs an operation for a request, any number of times. */
export type RunOperation = (
  request: Request,
  variables: Variables,
  options?: RunOptions,
) => Promise<ExecutionResult>;

/** How a run ended. */
export interface Outcome {
  readonly result: ExecutionResult;
  /** Whether an operation passed its checks and began to act. */
  readonly hasBegun: boolean;
}
