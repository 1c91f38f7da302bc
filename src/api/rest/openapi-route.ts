import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import { assertOperator } from "../../engine/request/operator-token.js";
import { sendRead } from "./conditional-reply.js";

/** `npm run schema:emit` writes the file; only that command loads the modules that build the document. */
const FILE = new URL("../../../schema/openapi.json", import.meta.url);

/**
 * Serves the committed OpenAPI document without its line breaks. The file is read at the first request.
 *
 * @param token is the operator's token that it asks for; `null` shows it to everybody.
 */
export function openApiRoute(app: FastifyInstance, path: string, token: string | null): void {
  let document: string | undefined;
  app.get(path, (request, reply) => {
    assertOperator(request.headers.authorization, token);
    document ??= JSON.stringify(JSON.parse(readFileSync(FILE, "utf8")));
    return sendRead(request, reply, document, { view: "", isPublic: token === null });
  });
}
