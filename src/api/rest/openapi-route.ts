import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import { assertOperator } from "../../engine/request/operator-token.js";
import { DEFAULT_SERVER } from "./openapi-server.js";
import { readBody, sendRead } from "./conditional-reply.js";
import { PUBLIC_MAX_AGE_SECONDS } from "./rest-directive.js";
import { View } from "./view.js";

/** `npm run schema:emit` writes the file; only that command loads the modules that build the document. */
const FILE = new URL("../../../schema/openapi.json", import.meta.url);

/** The first part of the document that names the default address. */
const NAMED = JSON.stringify(DEFAULT_SERVER);

/**
 * Serves the committed OpenAPI document without its line breaks. The file is read at the first request.
 *
 * @param options.token is the operator's token that it asks for; `null` shows it to everybody.
 * @param options.publicUrl is the address that the document names; with `null`, the one that the caller used, so that
 *   tools can send requests as they stand.
 */
export function openApiRoute(
  app: FastifyInstance,
  path: string,
  { token, publicUrl }: { token: string | null; publicUrl: string | null },
): void {
  let parts: readonly [before: string, after: string] | undefined;
  app.get(path, (request, reply) => {
    assertOperator(request.headers.authorization, token);
    parts ??= around(NAMED, JSON.stringify(JSON.parse(readFileSync(FILE, "utf8"))));
    const address = publicUrl ?? `${request.protocol}://${request.host}`;
    const body = readBody(parts.join(JSON.stringify(`${address}/api`)));
    return sendRead(request, reply, body, View.whole.mark, {
      isPublic: token === null,
      maxAge: PUBLIC_MAX_AGE_SECONDS,
    });
  });
}

function around(middle: string, text: string): [string, string] {
  const at = text.indexOf(middle);
  return [text.slice(0, at), text.slice(at + middle.length)];
}
