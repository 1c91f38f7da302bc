import type { FastifyInstance } from "fastify";
import type { EcKey } from "../../core/access/signing-keys.js";

/** For so long others may remember the keys, in seconds: less than a change of keys takes. */
const MAX_AGE_SECONDS = 300;

/**
 * Registers `/.well-known/jwks.json`, the public keys by which others check access tokens (RFC 7517). Without such keys there is
 * no such path.
 */
export function registerJwks(app: FastifyInstance, keys: readonly EcKey[]): void {
  if (keys.length === 0) return;
  const answer = { keys: keys.map(({ jwk }) => jwk) };
  app.get("/.well-known/jwks.json", (_request, reply) =>
    reply.header("cache-control", `public, max-age=${MAX_AGE_SECONDS}`).send(answer),
  );
}
