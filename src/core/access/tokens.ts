import {
  createRemoteJWKSet,
  decodeProtectedHeader,
  jwtVerify,
  SignJWT,
  type JWTPayload,
  type JWTVerifyGetKey,
  type ProtectedHeaderParameters,
} from "jose";

/** Whom a valid token speaks for. */
export type Principal =
  | { kind: "admin"; id: number; companyId: number }
  | { kind: "client"; id: number; companyId: number }
  | { kind: "platform" };

/** What a valid token says. */
export interface VerifiedToken {
  readonly principal: Principal;
  readonly expiresAt: Date;
}

/** The keys with which tokens are signed and checked; `createTokenKeys` makes them once. */
export interface TokenKeys {
  /** HS256 key of the service's own tokens; `null` when it issues none. */
  secret: Uint8Array | null;
  /** Keys and issuer of an external identity provider; `null` when none is used. */
  external: { keySet: JWTVerifyGetKey; issuer: string } | null;
}

export const ACCESS_TOKEN_TTL_SECONDS = 15 * 60;

const ASYMMETRIC = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"];

/** A token that is expired, forged or not understood. The message says which, for the log alone. */
export class InvalidTokenError extends Error {
  override readonly name = "InvalidTokenError";
}

/** The external provider's keys could not be fetched, so it is unknown whether the token is valid. */
export class IdentityProviderError extends Error {
  override readonly name = "IdentityProviderError";
}

/** @param secret at least 32 bytes, see `resolveJwtSecret`. */
export function createTokenKeys(options: {
  secret: string | null;
  jwksUrl?: string | null;
  jwtIssuer?: string | null;
}): TokenKeys {
  const { secret, jwksUrl, jwtIssuer } = options;
  return {
    secret: secret === null ? null : new TextEncoder().encode(secret),
    external: jwksUrl && jwtIssuer ? { keySet: remoteKeySet(new URL(jwksUrl)), issuer: jwtIssuer } : null,
  };
}

/**
 * Signs an access token (HS256) that is valid for 15 minutes from `at`.
 *
 * @throws Error when the service has no key of its own (production with `JWKS_URL` and no `JWT_SECRET`).
 */
export async function issueAccessToken(
  keys: TokenKeys,
  principal: Principal,
  at = new Date(),
): Promise<string> {
  if (keys.secret === null)
    throw new Error("JWT_SECRET is not set: this service issues no tokens of its own");
  const issuedAt = Math.floor(at.getTime() / 1000);
  return new SignJWT(principal.kind === "platform" ? {} : { company_id: principal.companyId })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setSubject(principal.kind === "platform" ? "platform" : `${principal.kind}:${principal.id}`)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + ACCESS_TOKEN_TTL_SECONDS)
    .sign(keys.secret);
}

/**
 * Checks a token and tells whom it speaks for. HS256 is accepted with the service's own secret alone,
 * asymmetric algorithms with the external provider's keys and issuer alone, so neither can be passed off
 * as the other.
 *
 * @throws InvalidTokenError for a token that is expired, forged or not understood.
 * @throws IdentityProviderError when the external provider's keys cannot be fetched.
 */
export async function verifyAccessToken(keys: TokenKeys, token: string, at = new Date()): Promise<Principal> {
  return (await readAccessToken(keys, token, at)).principal;
}

/**
 * Checks a token as `verifyAccessToken` does and also tells when it expires.
 *
 * @throws InvalidTokenError, IdentityProviderError.
 */
export async function readAccessToken(
  keys: TokenKeys,
  token: string,
  at = new Date(),
): Promise<VerifiedToken> {
  const payload = await verifiedPayload(keys, token, at).catch((error: unknown) => {
    if (error instanceof InvalidTokenError || error instanceof IdentityProviderError) throw error;
    throw new InvalidTokenError(error instanceof Error ? error.message : "unreadable token");
  });
  return { principal: principalOf(payload), expiresAt: new Date((payload.exp as number) * 1000) };
}

async function verifiedPayload(keys: TokenKeys, token: string, at: Date): Promise<JWTPayload> {
  const { alg } = readHeader(token);
  const common = { currentDate: at, requiredClaims: ["sub", "iat", "exp"] };
  if (alg === "HS256" && keys.secret !== null) {
    return (await jwtVerify(token, keys.secret, { ...common, algorithms: ["HS256"] })).payload;
  }
  if (alg !== undefined && ASYMMETRIC.includes(alg) && keys.external !== null) {
    const { keySet, issuer } = keys.external;
    return (await jwtVerify(token, keySet, { ...common, algorithms: ASYMMETRIC, issuer, clockTolerance: 5 }))
      .payload;
  }
  throw new InvalidTokenError(`algorithm ${String(alg)} is not accepted`);
}

function readHeader(token: string): ProtectedHeaderParameters {
  try {
    return decodeProtectedHeader(token);
  } catch {
    throw new InvalidTokenError("no readable header");
  }
}

function remoteKeySet(url: URL): JWTVerifyGetKey {
  const keySet = createRemoteJWKSet(url);
  return (header, token) =>
    keySet(header, token).catch((error: unknown) => {
      const { code, message } = error as { code?: string; message?: string };
      if (code === "ERR_JWKS_NO_MATCHING_KEY" || code === "ERR_JWKS_MULTIPLE_MATCHING_KEYS") throw error;
      throw new IdentityProviderError(`the keys of ${url.host} could not be fetched: ${message ?? code}`);
    });
}

function principalOf(payload: JWTPayload): Principal {
  if (payload.sub === "platform") return { kind: "platform" };
  const [, kind, id] = /^(admin|client):([1-9]\d{0,9})$/.exec(payload.sub ?? "") ?? [];
  const companyId = payload.company_id;
  if (kind === undefined || typeof companyId !== "number" || !Number.isInteger(companyId) || companyId < 1) {
    throw new InvalidTokenError("sub and company_id name nobody this service knows");
  }
  return { kind: kind as "admin" | "client", id: Number(id), companyId };
}
