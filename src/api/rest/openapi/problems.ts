import { allErrors, errorKind, type ErrorCode } from "../../../core/errors/codes.js";
import { PRINCIPALS } from "../../../core/errors/domain-error.js";
import type { JsonSchema } from "../../../core/inputs/json-schema.js";
import type { RestRoute } from "../rest-route.js";
import { queryVariables } from "../query-parameters.js";
import { title } from "./wording.js";

/** The codes whose refusals are described, one for each status. */
const SHOWN = [
  "BAD_REQUEST",
  "UNAUTHENTICATED",
  "FORBIDDEN",
  "NOT_FOUND",
  "CONFLICT",
  "CURSOR_EXPIRED",
  "PRECONDITION_FAILED",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "VALIDATION_FAILED",
  "RATE_LIMITED",
  "UNAVAILABLE",
] as const satisfies readonly ErrorCode[];
type ShownCode = (typeof SHOWN)[number];

/** The headers of a refusal besides the request id, which every answer has. */
const HEADERS: Readonly<Partial<Record<ErrorCode, readonly string[]>>> = {
  UNAUTHENTICATED: ["WWW-Authenticate"],
  CONFLICT: ["Retry-After"],
  RATE_LIMITED: ["Retry-After"],
  UNAVAILABLE: ["Retry-After"],
};

/** Returns the body of every refusal (RFC 9457). */
export function problemSchema(): JsonSchema {
  return {
    type: "object",
    description: "Why a request was refused.",
    properties: {
      type: { type: "string", description: "The code as a URN.", pattern: "^urn:problem-type:[a-z-]+$" },
      title: { type: "string", description: "The code in words." },
      status: { type: "integer", description: "The HTTP status.", minimum: 400, maximum: 599 },
      code: {
        type: "string",
        description: "What to distinguish refusals by.",
        enum: allErrors().map(([code]) => code),
      },
      detail: { type: "string", description: "What is wrong with this request." },
      request_id: { type: "string", description: "The X-Request-Id of the answer." },
      state: { type: "string", description: "The state that refuses the action, such as running." },
      allowed_actions: {
        type: "array",
        description: "What that state allows, such as set_finished.",
        items: { type: "string" },
      },
      rule: { type: "string", description: "The rule of a coupon that does not hold, such as min_purchase." },
      required: { type: ["string", "null"], description: "What that rule needs, such as at least 50.00." },
      actual: { type: ["string", "null"], description: "What was seen instead, such as 12.00." },
      permission: { type: "string", description: "The permission that the caller lacks." },
      principal: {
        type: "string",
        enum: [...PRINCIPALS],
        description: "The kind of caller that alone may do this.",
      },
      present: {
        type: "object",
        description: "What the row is now, where a condition on it did not hold.",
        properties: {
          version: { type: "integer", description: "Its version." },
          updated_at: { type: "string", description: "When it last changed." },
          actor_kind: {
            type: ["string", "null"],
            description:
              "Who changed it last, such as admin; null for a job. For admins, keys and the platform.",
          },
          actor_id: { type: ["integer", "null"], description: "Id of who changed it last." },
        },
        required: ["version", "updated_at"],
      },
      errors: {
        type: "array",
        description: "Every wrong field.",
        items: {
          type: "object",
          properties: {
            field: { type: "string", description: "Path of the field, such as config.fee_rules[0].name." },
            rule: {
              type: "string",
              description: "Which rule it breaks, such as required, max_length, exists.",
            },
            message: { type: "string", description: "The rule in words." },
          },
          required: ["field", "rule", "message"],
        },
      },
    },
    required: ["type", "title", "status", "code", "detail", "request_id"],
  };
}

/** Returns a response component for each kind of refusal. */
export function problemResponses(): Record<string, JsonSchema> {
  return Object.fromEntries(SHOWN.map((code) => [componentName(code), problemResponse(code)]));
}

/** Returns references to the refusals that a route may answer, by status. */
export function problemsOf(route: RestRoute): Record<string, JsonSchema> {
  const codes = SHOWN.filter((code) => MAY_HAPPEN[code](route));
  const entries = codes.map((code) => [
    String(errorKind(code).status),
    { $ref: `#/components/responses/${componentName(code)}` },
  ]);
  return Object.fromEntries(entries) as Record<string, JsonSchema>;
}

const takesBody = (route: RestRoute): boolean => route.variables.has("input");
const always = (): boolean => true;

const MAY_HAPPEN: Readonly<Record<ShownCode, (route: RestRoute) => boolean>> = {
  BAD_REQUEST: always,
  UNAUTHENTICATED: always,
  FORBIDDEN: (route) => !route.isOpen || route.variables.has("withDeleted"),
  NOT_FOUND: (route) => route.pathParameters.length > 0,
  CONFLICT: (route) =>
    route.operation.kind === "mutation" || route.takesIdempotencyKey || route.rest.conflict,
  CURSOR_EXPIRED: (route) => route.rest.endless,
  PRECONDITION_FAILED: (route) => route.takesIfMatch,
  PAYLOAD_TOO_LARGE: takesBody,
  UNSUPPORTED_MEDIA_TYPE: takesBody,
  VALIDATION_FAILED: (route) =>
    takesBody(route) ||
    route.takesIdempotencyKey ||
    queryVariables(route).some((name) => !route.operation.listArguments.has(name)),
  RATE_LIMITED: always,
  UNAVAILABLE: always,
};

function problemResponse(code: ShownCode): JsonSchema {
  const { status, title: heading } = errorKind(code);
  const codes = allErrors().filter(([, error]) => error.status === status);
  const headers = ["X-Request-Id", ...(HEADERS[code] ?? [])];
  return {
    description: `${codes.map(([name, error]) => `${error.title} (\`${name}\`)`).join(", ")}.`,
    headers: Object.fromEntries(headers.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    content: {
      "application/problem+json": {
        schema: { $ref: "#/components/schemas/Problem" },
        example: {
          type: `urn:problem-type:${code.toLowerCase().replaceAll("_", "-")}`,
          title: heading,
          status,
          code,
          detail: code === "VALIDATION_FAILED" ? "Invalid input: name." : `${heading}.`,
          request_id: "3f0c9a52-7a38-4a0e-9d0c-3d0f7c1f2b61",
          ...(code === "VALIDATION_FAILED" && {
            errors: [{ field: "name", rule: "required", message: "is required" }],
          }),
        },
      },
    },
  };
}

function componentName(code: ErrorCode): string {
  return title(code).replace(/ (?<letter>\w)/gu, (_, letter: string) => letter.toUpperCase());
}
