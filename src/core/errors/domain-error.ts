import { ERROR_CODES, type ErrorCode } from "./codes.js";

/** One wrong input field: `field` is a path such as `config.feeRules[0].name`, `rule` names the violated rule. */
export interface FieldError {
  readonly field: string;
  readonly rule: string;
  readonly message: string;
}

/** Where a thing stands and what can be done with it there; words such as `set_ready`. */
export interface State {
  readonly state: string;
  readonly allowedActions: readonly string[];
}

/** A refusal that the caller may see: the code decides status and title on both faces. */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly errors: readonly FieldError[] | undefined;
  /** Seconds after which trying again makes sense; sent as `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;
  /** The state that refuses the action, for INVALID_STATE. */
  readonly state: State | undefined;
  /** How the refusal came about, when the caller asked for that; its keys as GraphQL spells them. */
  readonly explanation: object | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    details: {
      errors?: readonly FieldError[] | undefined;
      retryAfterSeconds?: number;
      state?: State | undefined;
      explanation?: object | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "DomainError";
    this.code = code;
    this.errors = details.errors;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.state = details.state;
    this.explanation = details.explanation;
  }

  get status(): number {
    return ERROR_CODES[this.code].status;
  }
}

/** A refusal that was told before, told again. */
export class ReplayedRefusal extends DomainError {
  constructor(
    code: ErrorCode,
    message: string,
    errors: readonly FieldError[] | undefined,
    /** The request that was refused first: its answer comes again as it was. */
    readonly requestId: string,
    { state, explanation }: { state?: State | undefined; explanation?: object | undefined } = {},
  ) {
    super(code, message, { errors, state, explanation });
  }
}

/** Input that breaks rules of the contract, all of them at once. */
export function validationFailed(errors: readonly FieldError[]): DomainError {
  const count = errors.length === 1 ? "One field is" : `${errors.length} fields are`;
  return new DomainError("VALIDATION_FAILED", `${count} not valid; see errors.`, { errors });
}

/** A single wrong input field. */
export function invalidField(field: string, rule: string, message: string): DomainError {
  return validationFailed([{ field, rule, message }]);
}

/** The row does not exist in this company; also said of rows of other companies. */
export function notFound(entity: string): DomainError {
  return new DomainError("NOT_FOUND", `${entity} not found.`);
}

/** Seconds after which it makes sense to ask again, unless told otherwise. */
const RETRY_AFTER_SECONDS = 1;

/** The service cannot answer now; says when to ask again. */
export function unavailable(
  message: string,
  { retryAfterSeconds = RETRY_AFTER_SECONDS, cause }: { retryAfterSeconds?: number; cause?: unknown } = {},
): DomainError {
  return new DomainError("UNAVAILABLE", message, { retryAfterSeconds, cause });
}

/** The state does not allow the action: names it, and what is allowed instead. */
export function invalidState(message: string, state: string, allowedActions: readonly string[]): DomainError {
  return new DomainError("INVALID_STATE", message, { state: { state, allowedActions } });
}
