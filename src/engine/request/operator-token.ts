import { createHash, timingSafeEqual } from "node:crypto";
import { DomainError } from "../../core/errors/domain-error.js";
import { bearerToken } from "./authenticate.js";

/**
 * Asserts that a request carries the operator's token, when there is one. The time of the comparison shows nothing.
 *
 * @param token is `null` where everybody may ask.
 * @throws DomainError UNAUTHENTICATED.
 */
export function assertOperator(authorization: string | undefined, token: string | null): void {
  if (token === null) return;
  const given = bearerToken(authorization ?? "") ?? "";
  if (!timingSafeEqual(digestOf(given), digestOf(token)))
    throw new DomainError("UNAUTHENTICATED", "This needs the operator's token.");
}

function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
