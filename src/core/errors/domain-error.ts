import { ERROR_CODES, type ErrorCode } from "./codes.js";

/** One wrong input field: `field` is a path such as `config.feeRules[0].name`, `rule` names the violated rule. */
export interface FieldError {
  readonly field: string;
  readonly rule: string;
  readonly message: string;
}

/** A refusal that the caller may see: the code decides status and title on both faces. */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly errors: readonly FieldError[] | undefined;
  /** Seconds after which trying again makes sense; sent as `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    details: { errors?: readonly FieldError[]; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "DomainError";
    this.code = code;
    this.errors = details.errors;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }

  get status(): number {
    return ERROR_CODES[this.code].status;
  }
}

/** A refusal that was told before, told again. */
export class RepeatedRefusal extends DomainError {
  constructor(
    code: ErrorCode,
    message: string,
    errors: readonly FieldError[] | undefined,
    /** The request that was refused first: its answer comes again as it was. */
    readonly requestId: string,
  ) {
    super(code, message, errors === undefined ? {} : { errors });
  }
}

/** Input that breaks rules of the spec, all of them at once. */
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
