import { errorKind, type ErrorCode } from "./codes.js";

/** One wrong input field: `field` is a path such as `config.feeRules[0].name`, `rule` names the violated rule. */
export interface FieldError {
  readonly field: string;
  readonly rule: string;
  readonly message: string;
}

/** The state of a row, and the actions that it allows, in words such as `set_ready`. */
export interface State {
  readonly state: string;
  readonly allowedActions: readonly string[];
}

/** A row that is not what a condition wants: what it is now, and who has made it so, if the caller may know that. */
export interface PresentRow {
  readonly version: number;
  /** In UTC, as moments are shown. */
  readonly updatedAt: string;
  /** `null` for a job. */
  readonly actorKind?: string | null;
  readonly actorId?: number | null;
}

/** The kinds of callers who alone may do something (contract §6.1). */
export const PRINCIPALS = ["admin", "another_admin", "full_administrator", "client", "platform"] as const;

/** What a refused caller lacks: a permission, or to be a principal of this kind. */
export interface Lack {
  readonly permission?: string;
  readonly principal?: (typeof PRINCIPALS)[number];
}

/** The rule that does not hold, in words such as `min_purchase`: what it needs and what was seen. */
export interface BrokenRule {
  readonly rule: string;
  readonly required: string | null;
  readonly actual: string | null;
}

/**
 * A refusal that the caller may see: the code decides status and title on both faces. It is no fault of the program, so it has
 * no stack, as `withoutStacks` says.
 */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly errors: readonly FieldError[] | undefined;
  /** Seconds after which trying again makes sense; sent as `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;
  /** The state that refuses the action, for INVALID_STATE. */
  readonly state: State | undefined;
  /** The rule that does not hold, for codes of slices that judge by rules. */
  readonly broken: BrokenRule | undefined;
  /** How the refusal came about, when the caller asked for that. Its keys are spelled as in GraphQL. */
  readonly explanation: object | undefined;
  /** What the caller lacks, for FORBIDDEN. */
  readonly lack: Lack | undefined;
  /** What the row is now, for PRECONDITION_FAILED. */
  readonly present: PresentRow | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    details: {
      errors?: readonly FieldError[] | undefined;
      retryAfterSeconds?: number;
      state?: State | undefined;
      broken?: BrokenRule | undefined;
      explanation?: object | undefined;
      lack?: Lack | undefined;
      present?: PresentRow | undefined;
      cause?: unknown;
    } = {},
  ) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.name = "DomainError";
    this.code = code;
    this.errors = details.errors;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.state = details.state;
    this.broken = details.broken;
    this.explanation = details.explanation;
    this.lack = details.lack;
    this.present = details.present;
  }

  get status(): number {
    return errorKind(this.code).status;
  }
}

/** A refusal that is replayed: an earlier request with the same key was refused, and gets the same answer. */
export class ReplayedRefusal extends DomainError {
  constructor(
    code: ErrorCode,
    message: string,
    errors: readonly FieldError[] | undefined,
    /** Id of the request that was refused first. */
    readonly requestId: string,
    details: {
      state?: State | undefined;
      broken?: BrokenRule | undefined;
      explanation?: object | undefined;
    } = {},
  ) {
    super(code, message, { errors, ...details });
  }
}

/** Refuses a caller, naming what it lacks if that would help. */
export function forbidden(message: string, lack?: Lack): DomainError {
  return new DomainError("FORBIDDEN", message, { lack });
}

/** Refuses a write of a row that a caller who is bound to shops only reads. */
export function onlyRead(): DomainError {
  return forbidden(
    "Rows of the whole company, and of the shop of a branch, are only read by who is bound to others.",
  );
}

/** Refuses a caller who is no full administrator, whatever permissions it has. */
export function fullAdministratorsOnly(message: string): DomainError {
  return forbidden(message, { principal: "full_administrator" });
}

/** Refuses a caller who may neither see nor edit an area. */
export function areaForbidden(area: string, what = "This needs"): DomainError {
  return forbidden(`${what} the permission access_${area} or can_edit_${area}.`, {
    permission: `access_${area}`,
  });
}

/** The refusal of a caller who was deleted a moment ago: what was remembered of it may be some seconds old. */
export function callerIsGone(): DomainError {
  return new DomainError("UNAUTHENTICATED", "The token's owner does not exist any more.");
}

/** Refuses input, naming all wrong fields at once. */
export function validationFailed(errors: readonly FieldError[]): DomainError {
  const count = errors.length === 1 ? "One field is" : `${errors.length} fields are`;
  return new DomainError("VALIDATION_FAILED", `${count} not valid; see errors.`, { errors });
}

/** Refuses input for a single wrong field. */
export function invalidField(field: string, rule: string, message: string): DomainError {
  return validationFailed([{ field, rule, message }]);
}

/** Says that the company has no such row; rows of other companies are answered in the same way. */
export function notFound(entity: string): DomainError {
  return new DomainError("NOT_FOUND", `${entity} not found.`);
}

/** Seconds after which a caller should ask again, unless the refusal names another time. */
const RETRY_AFTER_SECONDS = 1;

/** Says that the service cannot answer now, and when to ask again. */
export function unavailable(
  message: string,
  { retryAfterSeconds = RETRY_AFTER_SECONDS, cause }: { retryAfterSeconds?: number; cause?: unknown } = {},
): DomainError {
  return new DomainError("UNAVAILABLE", message, { retryAfterSeconds, cause });
}

/** Says that the state does not allow the action; names the state and the actions that it allows. */
export function invalidState(message: string, state: string, allowedActions: readonly string[]): DomainError {
  return new DomainError("INVALID_STATE", message, { state: { state, allowedActions } });
}
