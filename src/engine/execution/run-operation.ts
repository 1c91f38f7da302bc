import type { ExecutionResult } from "graphql";
import type { FieldError } from "../../core/errors/domain-error.js";
import type { IdempotentRequest } from "../idempotency/idempotent-request.js";
import type { Request } from "../request/request.js";
import type { Precondition } from "../request/run.js";
import type { Variables } from "../schema/root-operations.js";

/** Settings of one run besides its request and variables. */
export interface RunOptions {
  /** Wrong fields that were found before the arguments were given their types. */
  readonly inputErrors?: readonly FieldError[];
  /** The key is set when the request has to take effect only once. */
  readonly idempotency?: IdempotentRequest | null;
  /** What has to hold of a row for the change to be made. */
  readonly precondition?: Precondition | null;
  /** Whether the result tells the version of the row that was changed, in its extensions under `CHANGED`. */
  readonly asksForVersion?: boolean;
}

/** What the extensions of a result call the version of the changed row, a `ChangedVersion`. */
export const CHANGED = "changed";

/** Runs an operation for a request; it may be called any number of times. */
export type RunOperation = (
  request: Request,
  variables: Variables,
  options?: RunOptions,
) => Promise<ExecutionResult>;
