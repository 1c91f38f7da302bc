import { createHash, randomBytes } from "node:crypto";
import { DomainError } from "../../core/errors/domain-error.js";
import { isId } from "../../core/integers.js";

/** A token that only its holder knows: the service keeps its hash. */
export interface OpaqueToken {
  readonly token: string;
  readonly tokenHash: string;
}

const FORMAT = /^(?<companyId>[1-9]\d{0,9})\.[\w-]{43}$/u;

/** Makes a token `<companyId>.<random>`: the company in front lets its row be found within that company. */
export function createOpaqueToken(companyId: number): OpaqueToken {
  const token = `${companyId}.${randomBytes(32).toString("base64url")}`;
  return { token, tokenHash: hashOf(token) };
}

/** The company that a token names, and the token's hash; `null` for text that is no token. */
export function readOpaqueToken(token: string): { companyId: number; tokenHash: string } | null {
  const companyId = Number(FORMAT.exec(token)?.groups?.["companyId"]);
  return isId(companyId) ? { companyId, tokenHash: hashOf(token) } : null;
}

/** The SHA-256 of a token. A slow hash is not needed, since nobody can guess 256 random bits. */
function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}

/** The refusal of a token that cannot be used, whatever the reason. */
export function invalidToken(): DomainError {
  return new DomainError("UNAUTHENTICATED", "The token is not valid, was used before or has expired.");
}
