import { GraphQLError } from "graphql";
import { ERROR_CODES, type ErrorCode } from "../../core/errors/codes.js";
import { fromDatabaseError } from "./database-error.js";
import { DomainError, ReplayedRefusal, type FieldError, type State } from "../../core/errors/domain-error.js";

/** What the caller is told, the same on both faces. */
export interface PresentedError {
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly errors?: readonly FieldError[];
  readonly retryAfterSeconds?: number;
  /** Where the thing stands whose state refuses the action. */
  readonly state?: State;
  readonly explanation?: object;
  /** The request that the refusal was first told to, when it is told again. */
  readonly requestId?: string;
  /** Whether somebody has to look at it: the log gets the whole error. */
  readonly unexpected: boolean;
}

/** What may be shown of any error: refusals as they are, requests that GraphQL rejects, and nothing of the rest. */
export function presentError(error: unknown): PresentedError {
  const cause = rootCause(error);
  const refusal = cause instanceof DomainError ? cause : fromDatabaseError(cause);
  if (refusal !== undefined) {
    return {
      ...ofCode(refusal.code, refusal.message),
      ...(refusal.errors !== undefined && { errors: refusal.errors }),
      ...(refusal.retryAfterSeconds !== undefined && { retryAfterSeconds: refusal.retryAfterSeconds }),
      ...(refusal.state !== undefined && { state: refusal.state }),
      ...(refusal.explanation !== undefined && { explanation: refusal.explanation }),
      ...(refusal instanceof ReplayedRefusal && { requestId: refusal.requestId }),
    };
  }
  if (cause instanceof GraphQLError) return ofCode(codeOf(cause), cause.message);
  return { ...ofCode("INTERNAL_SERVER_ERROR", "Something went wrong on our side."), unexpected: true };
}

/** A request that GraphQL over HTTP rejects: for its method, or for anything else. */
function codeOf({ extensions }: GraphQLError): ErrorCode {
  const { http } = extensions as { http?: { status?: number } };
  return http?.status === ERROR_CODES.METHOD_NOT_ALLOWED.status ? "METHOD_NOT_ALLOWED" : "BAD_REQUEST";
}

function ofCode(code: ErrorCode, detail: string): PresentedError {
  return { code, ...ERROR_CODES[code], detail, unexpected: false };
}

function rootCause(error: unknown): unknown {
  let cause = error;
  while (cause instanceof GraphQLError && cause.originalError !== undefined) cause = cause.originalError;
  return cause;
}
