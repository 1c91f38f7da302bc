import { GraphQLError } from "graphql";
import { errorKind, type ErrorCode } from "../../core/errors/codes.js";
import { fromDatabaseError, isBroken } from "./database-error.js";
import { withoutValues } from "./without-values.js";
import { MOST_ERRORS } from "../validation/field-errors.js";
import {
  DomainError,
  ReplayedRefusal,
  type BrokenRule,
  type FieldError,
  type Lack,
  type PresentRow,
  type State,
} from "../../core/errors/domain-error.js";

/** An error as a caller gets it; it is the same on both faces. */
export interface PresentedError {
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly errors?: readonly FieldError[];
  readonly retryAfterSeconds?: number;
  /** The state of the thing that does not allow the action. */
  readonly state?: State;
  /** The rule that does not hold. */
  readonly broken?: BrokenRule;
  readonly explanation?: object;
  /** What the caller lacks. */
  readonly lack?: Lack;
  /** What the row is now that a condition did not hold of. */
  readonly present?: PresentRow;
  /** The id of the request that got the refusal first, when the refusal is replayed. */
  readonly requestId?: string;
  /** Says whether the error is a fault of the service or of what it runs on: then the log gets the whole error. */
  readonly unexpected: boolean;
}

/**
 * Returns the part of an error that a caller may see: all of a refusal, the message of a GraphQL error without the
 * values of the document, and nothing of any other error.
 */
export function presentError(error: unknown): PresentedError {
  const cause = rootCause(error);
  const refusal = cause instanceof DomainError ? cause : fromDatabaseError(cause);
  if (refusal !== undefined) {
    return {
      ...ofCode(refusal.code, refusal.message),
      unexpected: isBroken(cause),
      ...(refusal.errors !== undefined && { errors: refusal.errors.slice(0, MOST_ERRORS) }),
      ...(refusal.retryAfterSeconds !== undefined && { retryAfterSeconds: refusal.retryAfterSeconds }),
      ...(refusal.state !== undefined && { state: refusal.state }),
      ...(refusal.broken !== undefined && { broken: refusal.broken }),
      ...(refusal.explanation !== undefined && { explanation: refusal.explanation }),
      ...(refusal.lack !== undefined && { lack: refusal.lack }),
      ...(refusal.present !== undefined && { present: refusal.present }),
      ...(refusal instanceof ReplayedRefusal && { requestId: refusal.requestId }),
    };
  }
  if (cause instanceof GraphQLError) return ofCode(codeOf(cause), withoutValues(cause));
  return { ...ofCode("INTERNAL_SERVER_ERROR", "Something went wrong on our side."), unexpected: true };
}

/** Returns the code of a request that Apollo refuses: a wrong method has its own, anything else is a bad request. */
function codeOf({ extensions }: GraphQLError): ErrorCode {
  const { http } = extensions as { http?: { status?: number } };
  return http?.status === errorKind("METHOD_NOT_ALLOWED").status ? "METHOD_NOT_ALLOWED" : "BAD_REQUEST";
}

function ofCode(code: ErrorCode, detail: string): PresentedError {
  return { code, ...errorKind(code), detail, unexpected: false };
}

/** Returns the error that an error of GraphQL stands for. */
export function rootCause(error: unknown): unknown {
  let cause = error;
  while (cause instanceof GraphQLError && cause.originalError !== undefined) cause = cause.originalError;
  return cause;
}
