import type { FastifyReply, FastifyRequest } from "fastify";
import { faceOf } from "../../engine/request/face.js";
import { noteFault } from "../../engine/observability/note-fault.js";
import { refuseGraphql } from "../graphql/graphql-refusal.js";
import { sendProblem } from "../rest/problem.js";
import { presentHttpError } from "./http-error.js";

/** Refuses a request before it reaches a face, in the form of the face that was called; as REST outside both faces. */
export function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (faceOf(request) === "graphql") return refuseGraphql(error, request, reply);
  const shown = presentHttpError(error);
  if (shown.unexpected) noteFault(request, error);
  return sendProblem(reply, shown, request.id);
}
