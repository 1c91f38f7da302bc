import type { FastifyInstance } from "fastify";
import { sendRead } from "../conditional-reply.js";
import { buildOpenApi, type OpenApiSource } from "../openapi.js";

/** Serves the OpenAPI document to anyone; it is made at the first request. */
export function openApiRoute(app: FastifyInstance, path: string, source: OpenApiSource): void {
  let document: string | undefined;
  app.get(path, (request, reply) => {
    document ??= JSON.stringify(buildOpenApi(source));
    return sendRead(request, reply, document, true);
  });
}
