import type { FastifyReply } from "fastify";
import type { GraphQLInputType } from "graphql";
import type { FieldError } from "../../core/errors/domain-error.js";
import type { PresentedError } from "../../engine/errors/present.js";
import { discardBody } from "../http/refused-body.js";
import { WHOLE_BODY } from "./bind-body.js";
import { inSnakeCase, toSnakeCaseField, toSnakeCaseMessage, toSnakeCasePath } from "./naming.js";
import { WrongParameter } from "./wrong-parameters.js";

export const PROBLEM_TYPE = "application/problem+json; charset=utf-8";

/**
 * Returns the body of `application/problem+json` (RFC 9457) with REST names for its fields (contract §6.1).
 *
 * @param route.keysBeside the field of the input whose keys stand in its place in the body.
 * @param route.variables has the type of the body as `input`.
 * @param route.parameterOf returns the name of the query parameter that fills an argument of another name.
 */
export function problemOf(error: PresentedError, requestId: string, route?: Named): object {
  return {
    type: `urn:problem-type:${error.code.toLowerCase().replaceAll("_", "-")}`,
    title: error.title,
    status: error.status,
    code: error.code,
    detail: error.detail,
    request_id: error.requestId ?? requestId,
    ...(error.state !== undefined && {
      state: error.state.state,
      allowed_actions: error.state.allowedActions,
    }),
    ...error.lack,
    ...error.broken,
    ...(error.present !== undefined && { present: inSnakeCase(error.present) }),
    ...(error.explanation !== undefined && { explanation: inSnakeCase(error.explanation) }),
    ...(error.errors !== undefined && {
      errors: error.errors.map((wrong) => inRestNames(wrong, route)),
    }),
  };
}

/** What a route has of names that differ from those of GraphQL. */
interface Named {
  readonly keysBeside: string | null;
  readonly variables: ReadonlyMap<string, GraphQLInputType>;
  parameterOf(argument: string): string | undefined;
  parameterWithin(field: string): string | undefined;
}

function inRestNames(error: FieldError, route?: Named): FieldError {
  if (error instanceof WrongParameter) return error;
  const { rule } = error;
  const keysBeside = route?.keysBeside ?? null;
  const field = route?.parameterWithin(error.field) ?? route?.parameterOf(error.field) ?? error.field;
  const isInBody = field === WHOLE_BODY || field.startsWith(`${WHOLE_BODY}[`);
  const isBeside = keysBeside !== null && field.startsWith(`${keysBeside}.`);
  const from = isInBody ? WHOLE_BODY.length : isBeside ? keysBeside.length + 1 : 0;
  const inBody = field.slice(from);
  const type = route?.variables.get("input");
  const written =
    type === undefined ? toSnakeCasePath(inBody) : toSnakeCaseField({ field: inBody, rule }, type);
  return {
    field: (isBeside ? inBody : written) || "body",
    rule,
    message: toSnakeCaseMessage(error),
  };
}

/** Answers an error as a problem. */
export function sendProblem(reply: FastifyReply, error: PresentedError, requestId: string): FastifyReply {
  const { request } = reply;
  discardBody(request, reply);
  if (request.trace) request.trace.code = error.code;
  if (error.status === 401) reply.header("www-authenticate", "Bearer");
  if (error.retryAfterSeconds !== undefined) reply.header("retry-after", String(error.retryAfterSeconds));
  return reply
    .code(error.status)
    .header("cache-control", "no-store")
    .type(PROBLEM_TYPE)
    .serializer((payload: unknown) => JSON.stringify(payload))
    .send(problemOf(error, requestId, request.rest?.handler.route));
}
