import type { FastifyReply, FastifyRequest } from "fastify";
import { refuseGraphql } from "../graphql/graphql-refusal.js";
import { sendProblem } from "../rest/problem.js";
import { presentHttpError } from "./http-error.js";

/** Refuses a request before it reaches either face, in the form of the face that was asked. */
export function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return /^\/graphql(?:$|[?#/])/u.test(request.url)
    ? refuseGraphql(error, request, reply)
    : sendProblem(reply, presentHttpError(error), request.id);
}
