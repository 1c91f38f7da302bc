import { createHash, createHmac, hkdfSync, randomBytes } from "node:crypto";
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
  return opaqueToken(companyId, randomBytes(32));
}

/**
 * Makes the one token that follows `token`, always the same, so that it can be answered twice though only its hash is
 * stored. Nobody finds it who lacks the service's secret, or the stored `familyId`, which no client ever sees.
 */
export function succeedingToken(
  secret: Uint8Array,
  { companyId, token, familyId }: { companyId: number; token: string; familyId: string },
): OpaqueToken {
  const key = Buffer.from(hkdfSync("sha256", secret, familyId, "refresh-token", 32));
  return opaqueToken(companyId, createHmac("sha256", key).update(token).digest());
}

function opaqueToken(companyId: number, bytes: Buffer): OpaqueToken {
  const token = `${companyId}.${bytes.toString("base64url")}`;
  return { token, tokenHash: hashOf(token) };
}

/** The token with its hash and the company that it names; `null` for text that is no token. */
export function readOpaqueToken(token: string): (OpaqueToken & { companyId: number }) | null {
  const companyId = Number(FORMAT.exec(token)?.groups?.["companyId"]);
  return isId(companyId) ? { companyId, token, tokenHash: hashOf(token) } : null;
}

/** The SHA-256 of a token. A slow hash is not needed, since nobody can guess 256 random bits. */
function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}

/** The refusal of a token that cannot be used, whatever the reason. */
export function invalidToken(): DomainError {
  return new DomainError("UNAUTHENTICATED", "The token is not valid, was used before or has expired.");
}
