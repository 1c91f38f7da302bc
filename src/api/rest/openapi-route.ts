import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import { sendRead } from "./conditional-reply.js";

/** `npm run schema:emit` writes the file; only that command loads the modules that build the document. */
const FILE = new URL("../../../schema/openapi.json", import.meta.url);

/**
 * Serves the committed OpenAPI document to anyone, without its line breaks. The file is read at the first request.
 */
export function openApiRoute(app: FastifyInstance, path: string): void {
  let document: string | undefined;
  app.get(path, (request, reply) => {
    document ??= JSON.stringify(JSON.parse(readFileSync(FILE, "utf8")));
    return sendRead(request, reply, document, true);
  });
}
