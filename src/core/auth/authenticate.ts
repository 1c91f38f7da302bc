import { DomainError } from "../errors/domain-error.js";
import type { Caller } from "./caller.js";
import { IdentityProviderError, InvalidTokenError, verifyAccessToken, type TokenKeys } from "./tokens.js";

const RETRY_AFTER_SECONDS = 5;

/**
 * Who sends this `Authorization` header.
 *
 * @throws DomainError UNAVAILABLE when the identity provider's keys cannot be had: no verdict on the token.
 */
export async function authenticate(authorization: string | undefined, keys: TokenKeys): Promise<Caller> {
  if (authorization === undefined) return { kind: "anonymous" };
  const token = /^Bearer +(?<token>\S+)$/iu.exec(authorization)?.groups?.["token"];
  if (token === undefined) return { kind: "invalid" };
  try {
    return await verifyAccessToken(keys, token);
  } catch (error) {
    if (error instanceof InvalidTokenError) return { kind: "invalid" };
    if (!(error instanceof IdentityProviderError)) throw error;
    throw new DomainError("UNAVAILABLE", "The identity provider does not answer.", {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      cause: error,
    });
  }
}
