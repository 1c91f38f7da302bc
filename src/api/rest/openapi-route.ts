import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import { sendRead } from "./conditional-reply.js";

/** Written by `npm run schema:emit`, which alone loads what makes the document. */
const FILE = new URL("../../../schema/openapi.json", import.meta.url);

/** Serves the committed OpenAPI document to anyone, without its line breaks; it is read at the first request. */
export function openApiRoute(app: FastifyInstance, path: string): void {
  let document: string | undefined;
  app.get(path, (request, reply) => {
    document ??= JSON.stringify(JSON.parse(readFileSync(FILE, "utf8")));
    return sendRead(request, reply, document, true);
  });
}
