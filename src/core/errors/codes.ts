/** HTTP status and title of an error code, the same on both faces (contract §6.2). */
export interface ErrorKind {
  readonly status: number;
  readonly title: string;
}

const COMMON_ERRORS = {
  BAD_REQUEST: { status: 400, title: "Bad request" },
  UNAUTHENTICATED: { status: 401, title: "Authentication required" },
  FORBIDDEN: { status: 403, title: "Not allowed" },
  NOT_FOUND: { status: 404, title: "Not found" },
  METHOD_NOT_ALLOWED: { status: 405, title: "Method not allowed" },
  REQUEST_TIMEOUT: { status: 408, title: "The request took too long to arrive" },
  INVALID_STATE: { status: 409, title: "Not possible in the present state" },
  CONFLICT: { status: 409, title: "Conflict with another change" },
  PRECONDITION_FAILED: { status: 412, title: "Changed meanwhile" },
  PAYLOAD_TOO_LARGE: { status: 413, title: "Payload too large" },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, title: "Unsupported media type" },
  VALIDATION_FAILED: { status: 422, title: "Validation failed" },
  HEADERS_TOO_LARGE: { status: 431, title: "Headers too large" },
  RATE_LIMITED: { status: 429, title: "Too many requests" },
  INTERNAL_SERVER_ERROR: { status: 500, title: "Internal error" },
  UNAVAILABLE: { status: 503, title: "Temporarily unavailable" },
} as const satisfies Record<string, ErrorKind>;

/**
 * The codes of slices, by the name of the slice. A slice adds its own beside `defineErrors`:
 *
 * ```ts
 * export const FLEET_ERRORS = defineErrors({ FLEET_BUSY: { status: 409, title: "The fleet is on its way" } });
 *
 * declare module "../../core/errors/codes.js" {
 *   interface SliceErrors { fleet: keyof typeof FLEET_ERRORS }
 * }
 * ```
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- extended by the slices
export interface SliceErrors {}

export type ErrorCode = keyof typeof COMMON_ERRORS | SliceErrors[keyof SliceErrors];

const kinds = new Map<string, ErrorKind>(Object.entries(COMMON_ERRORS));

/**
 * Defines the codes of a slice's own refusals.
 *
 * @throws Error for a code that is defined already.
 */
export function defineErrors<const Errors extends Readonly<Record<string, ErrorKind>>>(
  errors: Errors,
): Errors {
  for (const [code, kind] of Object.entries(errors)) {
    if (kinds.has(code)) throw new Error(`the error code ${code} is defined twice`);
    kinds.set(code, kind);
  }
  return errors;
}

export function errorKind(code: ErrorCode): ErrorKind {
  return kinds.get(code) as ErrorKind;
}

/** Returns all codes with their kinds, those of one status side by side. Call it after the slices are loaded. */
export function allErrors(): readonly (readonly [code: string, kind: ErrorKind])[] {
  const entries = [...kinds];
  const statuses = new Set(entries.map(([, { status }]) => status));
  return [...statuses].flatMap((status) => entries.filter(([, kind]) => kind.status === status));
}
