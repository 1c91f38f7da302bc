import { GraphQLError, type ExecutionResult } from "graphql";
import type { ErrorCode } from "../../core/errors/codes.js";
import {
  ReplayedRefusal,
  type BrokenRule,
  type FieldError,
  type State,
} from "../../core/errors/domain-error.js";
import { presentError } from "../errors/present.js";
import type { AnsweredRows } from "./read-again.js";

/**
 * An answer as it is kept: the fingerprint of the request with its data or its refusals. With `rows`, the data have null in their
 * places; there are no data when earlier releases kept the rows of root fields alone.
 */
interface StoredAnswer {
  readonly fingerprint: string;
  readonly requestId: string;
  readonly data?: ExecutionResult["data"];
  readonly rows?: AnsweredRows["rows"];
  readonly errors?: readonly StoredError[];
  readonly extensions?: ExecutionResult["extensions"];
}

interface StoredError {
  readonly code: string;
  readonly message: string;
  readonly errors?: readonly FieldError[];
  readonly state?: State;
  readonly broken?: BrokenRule;
  readonly explanation?: object;
  readonly path?: GraphQLError["path"];
  readonly locations?: GraphQLError["locations"];
}

/** A kept answer, with a digest of the request that it answered. */
export type KeptAnswer = { readonly fingerprint: string } & (
  | { readonly result: ExecutionResult; readonly rows?: never }
  /** The answer was too large: its rows are to be read again. */
  | { readonly rows: AnsweredRows; readonly result?: never }
);

/** Writes an answer as it is kept, with its rows in the place of the data when they are given. */
export function writeAnswer(
  result: ExecutionResult,
  { fingerprint, requestId, rows }: Pick<StoredAnswer, "fingerprint" | "requestId"> & { rows?: AnsweredRows },
): string {
  const errors = result.errors?.map((error): StoredError => {
    const { code, detail, errors: fields, state, broken, explanation } = presentError(error);
    return {
      code,
      message: detail,
      ...(fields !== undefined && { errors: fields }),
      ...(state !== undefined && { state }),
      ...(broken !== undefined && { broken }),
      ...(explanation !== undefined && { explanation }),
      path: error.path,
      locations: error.locations,
    };
  });
  const answer: StoredAnswer = {
    fingerprint,
    requestId,
    ...(rows === undefined ? { data: result.data } : { data: rows.rest, rows: rows.rows }),
    ...(errors !== undefined && { errors }),
    ...(result.extensions !== undefined && { extensions: result.extensions }),
  };
  return JSON.stringify(answer);
}

/** Reads a kept answer. */
export function readAnswer(text: string): KeptAnswer {
  const { fingerprint, requestId, data, rows, errors, extensions } = JSON.parse(text) as StoredAnswer;
  if (rows !== undefined) return { fingerprint, rows: { rest: data ?? {}, rows } };
  const result = errors === undefined ? { data } : { data, errors: errors.map(restore(requestId)) };
  return { fingerprint, result: { ...result, ...(extensions !== undefined && { extensions }) } };
}

const restore =
  (requestId: string) =>
  (stored: StoredError): GraphQLError => {
    const { code, message, errors, state, broken, explanation, path = null, locations } = stored;
    const originalError = new ReplayedRefusal(code as ErrorCode, message, errors, requestId, {
      state,
      broken,
      explanation,
    });
    return Object.assign(new GraphQLError(message, { originalError, path }), { locations });
  };
