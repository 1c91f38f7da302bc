/** What each error code means on both faces: its HTTP status, a title, and how loud the log is (conventions §6). */
export const ERROR_CODES = {
  BAD_REQUEST: { status: 400, title: "Bad request" },
  UNAUTHENTICATED: { status: 401, title: "Authentication required" },
  FORBIDDEN: { status: 403, title: "Not allowed" },
  NOT_FOUND: { status: 404, title: "Not found" },
  METHOD_NOT_ALLOWED: { status: 405, title: "Method not allowed" },
  INVALID_STATE: { status: 409, title: "Not possible in the present state" },
  CONFLICT: { status: 409, title: "Conflict with another change" },
  PAYLOAD_TOO_LARGE: { status: 413, title: "Payload too large" },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, title: "Unsupported media type" },
  VALIDATION_FAILED: { status: 422, title: "Validation failed" },
  RATE_LIMITED: { status: 429, title: "Too many requests" },
  INTERNAL_SERVER_ERROR: { status: 500, title: "Internal error" },
  UNAVAILABLE: { status: 503, title: "Temporarily unavailable" },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof ERROR_CODES;
