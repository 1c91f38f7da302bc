import { GraphQLError, type ExecutionResult } from "graphql";
import type { ErrorCode } from "../../core/errors/codes.js";
import { RepeatedRefusal, type FieldError, type StateOfThings } from "../../core/errors/domain-error.js";
import { presentError } from "../errors/present.js";

/** An answer as it is kept: the fingerprint of the request with its data or its refusals. */
interface StoredAnswer {
  readonly fingerprint: string;
  readonly requestId: string;
  readonly data: ExecutionResult["data"];
  readonly errors?: readonly StoredError[];
}

interface StoredError {
  readonly code: string;
  readonly message: string;
  readonly errors?: readonly FieldError[];
  readonly state?: StateOfThings;
  readonly explanation?: object;
  readonly path?: GraphQLError["path"];
  readonly locations?: GraphQLError["locations"];
}

export function writeAnswer(result: ExecutionResult, fingerprint: string, requestId: string): string {
  const errors = result.errors?.map((error): StoredError => {
    const { code, detail, errors: fields, state, explanation } = presentError(error);
    return {
      code,
      message: detail,
      ...(fields !== undefined && { errors: fields }),
      ...(state !== undefined && { state }),
      ...(explanation !== undefined && { explanation }),
      path: error.path,
      locations: error.locations,
    };
  });
  const answer: StoredAnswer = {
    fingerprint,
    requestId,
    data: result.data,
    ...(errors !== undefined && { errors }),
  };
  return JSON.stringify(answer);
}

/**
 * Reads a kept answer.
 *
 * @returns the answer, and the fingerprint of the request that it answered.
 */
export function readAnswer(text: string): { fingerprint: string; result: ExecutionResult } {
  const { fingerprint, requestId, data, errors } = JSON.parse(text) as StoredAnswer;
  const result = errors === undefined ? { data } : { data, errors: errors.map(restore(requestId)) };
  return { fingerprint, result: result };
}

const restore =
  (requestId: string) =>
  (stored: StoredError): GraphQLError => {
    const { code, message, errors, state, explanation, path = null, locations } = stored;
    const originalError = new RepeatedRefusal(code as ErrorCode, message, errors, requestId, {
      state,
      explanation,
    });
    return Object.assign(new GraphQLError(message, { originalError, path }), { locations });
  };
