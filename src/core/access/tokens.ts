import {
  createRemoteJWKSet,
  decodeProtectedHeader,
  jwtVerify,
  SignJWT,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  type ProtectedHeaderParameters,
} from "jose";
import { isId } from "../integers.js";
import { namedSecret, type EcKey, type NamedSecret } from "./signing-keys.js";
import { OperatorError } from "../errors/operator-error.js";

/** Whom a valid token speaks for. */
export type Principal =
  | { kind: "admin"; id: number; companyId: number; sessionId?: string }
  | { kind: "client"; id: number; companyId: number; sessionId?: string }
  | { kind: "key"; id: number; companyId: number }
  | { kind: "platform" };

/** What a valid token says. */
export interface VerifiedToken {
  readonly principal: Principal;
  readonly expiresAt: Date;
}

/** The keys with which tokens are signed and checked; `createTokenKeys` makes them once. */
export interface TokenKeys {
  /** HS256 key of the service's own tokens, the first of `secrets`; `null` when it issues none. */
  secret: Uint8Array | null;
  /** All keys by which tokens of HS256 are checked; the first signs. */
  secrets: readonly NamedSecret[];
  /** Keys of ES256 by which the service's own tokens are checked; the first signs if it has its private part. */
  ecKeys: readonly EcKey[];
  /** An external identity provider, and the name that this service has there; `null` when none is used. */
  external: { keySet: JWTVerifyGetKey; issuer: string; audience: string } | null;
}

export const ACCESS_TOKEN_TTL_SECONDS = 15 * 60;

const SUBJECT = /^(admin|client|key):([1-9]\d{0,9})$/;
const ASYMMETRIC = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"];

const ACCESS_TOKEN_TYPES: ReadonlySet<string> = new Set(["at+jwt", "jwt"]);
/** Claims that only an ID token has. */
const ID_TOKEN_CLAIMS = ["nonce", "at_hash", "c_hash"];

/** A token that is expired, forged or not understood. The message says which, for the log alone. */
export class InvalidTokenError extends Error {
  override readonly name = "InvalidTokenError";
}

/** The external provider's keys could not be fetched, so it is unknown whether the token is valid. */
export class IdentityProviderError extends Error {
  override readonly name = "IdentityProviderError";
}

/** There is no key that signs tokens: another service issues them. */
export class NoSigningKeyError extends OperatorError {
  override readonly name = "NoSigningKeyError";
}

/**
 * @param options.secret at least 32 bytes, see `resolveJwtSecret`.
 * @param options.olderSecrets check tokens, and sign none.
 */
export function createTokenKeys(options: {
  secret: string | null;
  olderSecrets?: readonly string[];
  ecKeys?: readonly EcKey[];
  jwksUrl?: string | null;
  jwtIssuer?: string | null;
  jwtAudience?: string | null;
}): TokenKeys {
  const { secret, olderSecrets = [], ecKeys = [], jwksUrl, jwtIssuer, jwtAudience } = options;
  const secrets = secret === null ? [] : [secret, ...olderSecrets].map(namedSecret);
  return {
    secret: secrets[0]?.key ?? null,
    secrets,
    ecKeys,
    external:
      jwksUrl && jwtIssuer && jwtAudience
        ? { keySet: remoteKeySet(new URL(jwksUrl)), issuer: jwtIssuer, audience: jwtAudience }
        : null,
  };
}

/**
 * Signs an access token that is valid for 15 minutes from `at`: by the key of ES256 if there is a private one, else by the
 * first secret.
 *
 * @throws Error when the service has no key of its own (production with `JWKS_URL` and no `JWT_SECRET`).
 */
export async function issueAccessToken(
  keys: TokenKeys,
  principal: Principal,
  at = new Date(),
): Promise<string> {
  const { alg, kid, key } = signingKeyOf(keys);
  const issuedAt = Math.floor(at.getTime() / 1000);
  return new SignJWT(claimsOf(principal))
    .setProtectedHeader({ alg, typ: "JWT", kid })
    .setSubject(principal.kind === "platform" ? "platform" : `${principal.kind}:${principal.id}`)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + ACCESS_TOKEN_TTL_SECONDS)
    .sign(key);
}

function signingKeyOf({ secrets: [secret], ecKeys: [ecKey] }: TokenKeys) {
  if (secret === undefined)
    throw new NoSigningKeyError("JWT_SECRET is not set: this service issues no tokens of its own");
  return ecKey?.privateKey
    ? { alg: "ES256", kid: ecKey.kid, key: ecKey.privateKey }
    : { alg: "HS256", ...secret };
}

/** A token that was issued without a login, such as by the command line, names no session. */
function claimsOf(principal: Principal): JWTPayload {
  if (principal.kind === "platform") return {};
  if (principal.kind === "key") return { company_id: principal.companyId };
  const { companyId, sessionId } = principal;
  return { company_id: companyId, ...(sessionId !== undefined && { sid: sessionId }) };
}

/**
 * Checks a token and returns whom it speaks for. HS256 is accepted with the service's own secrets alone,
 * ES256 also with its own keys, known by their `kid`; asymmetric algorithms else with the external provider's keys, its issuer and this service's audience alone, so neither
 * can be passed off as the other. A provider signs nobody in as the platform or a key.
 *
 * @throws InvalidTokenError for a token that is expired, forged or not understood.
 * @throws IdentityProviderError when the external provider's keys cannot be fetched.
 */
export async function verifyAccessToken(keys: TokenKeys, token: string, at = new Date()): Promise<Principal> {
  return (await readAccessToken(keys, token, at)).principal;
}

/**
 * Checks a token as `verifyAccessToken` does and also returns when it expires.
 *
 * @throws InvalidTokenError, IdentityProviderError.
 */
export async function readAccessToken(
  keys: TokenKeys,
  token: string,
  at = new Date(),
): Promise<VerifiedToken> {
  const { payload, isOwn } = await verified(keys, token, at).catch((error: unknown) => {
    if (error instanceof InvalidTokenError || error instanceof IdentityProviderError) throw error;
    throw new InvalidTokenError(error instanceof Error ? error.message : "unreadable token");
  });
  const principal = principalOf(payload);
  const signsIn = principal.kind === "admin" || principal.kind === "client";
  if (signsIn && isOwn && typeof payload["sid"] === "string") principal.sessionId = payload["sid"];
  if (!signsIn && !isOwn) throw new InvalidTokenError(`only own tokens speak for the ${principal.kind}`);
  return { principal, expiresAt: new Date((payload.exp as number) * 1000) };
}

interface Verified {
  readonly payload: JWTPayload;
  /** Says whether this service has issued the token. */
  readonly isOwn: boolean;
}

async function verified(keys: TokenKeys, token: string, at: Date): Promise<Verified> {
  const { alg, kid } = readHeader(token);
  const common = { currentDate: at, requiredClaims: ["sub", "iat", "exp"] };
  if (alg === "HS256" && keys.secret !== null)
    return { payload: await verifiedBySecrets(keys.secrets, token, kid, common), isOwn: true };
  const own = alg === "ES256" ? keys.ecKeys.find((key) => key.kid === kid) : undefined;
  if (own !== undefined) {
    const { payload } = await jwtVerify(token, own.publicKey, { ...common, algorithms: ["ES256"] });
    return { payload, isOwn: true };
  }
  if (alg !== undefined && ASYMMETRIC.includes(alg) && keys.external !== null) {
    const { keySet, issuer, audience } = keys.external;
    const bounds = { ...common, algorithms: ASYMMETRIC, issuer, audience, clockTolerance: 5 };
    const { payload, protectedHeader } = await jwtVerify(token, keySet, bounds);
    assertAccessToken(protectedHeader, payload);
    return { payload, isOwn: false };
  }
  throw new InvalidTokenError(`algorithm ${String(alg)} is not accepted`);
}

/** Checks a token with the secret that it names; one that names none, as all did before there were several, with each. */
async function verifiedBySecrets(
  secrets: readonly NamedSecret[],
  token: string,
  kid: string | undefined,
  common: JWTVerifyOptions,
): Promise<JWTPayload> {
  const candidates = secrets.filter((secret) => kid === undefined || secret.kid === kid);
  let refusal: unknown = new InvalidTokenError("no secret has signed it");
  for (const { key } of candidates) {
    try {
      return (await jwtVerify(token, key, { ...common, algorithms: ["HS256"] })).payload;
    } catch (error) {
      refusal = error;
    }
  }
  throw refusal;
}

/**
 * Asserts that a provider issued the token to call a service with (RFC 9068). An ID token shows an app who has signed
 * in, and may come with the same keys, issuer and type; it is known by its claims. Amazon Cognito leaves the type out,
 * of both kinds; there the claim `token_use` has to say that it is an access token.
 */
function assertAccessToken({ typ }: ProtectedHeaderParameters, payload: JWTPayload): void {
  const isTyped =
    typ !== undefined && ACCESS_TOKEN_TYPES.has(typ.toLowerCase().replace(/^application\//u, ""));
  const isNamed = typ === undefined && payload["token_use"] === "access";
  if (!isTyped && !isNamed) throw new InvalidTokenError(`type ${String(typ)} is not accepted`);
  const { token_use: use = "access", typ: kind = "Bearer" } = payload;
  if (use !== "access" || kind !== "Bearer" || ID_TOKEN_CLAIMS.some((claim) => claim in payload))
    throw new InvalidTokenError("it is no access token");
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
  const subject: unknown = payload.sub;
  const [, kind, id] = typeof subject === "string" ? (SUBJECT.exec(subject) ?? []) : [];
  const { company_id: companyId } = payload;
  if (kind === undefined || !isId(Number(id)) || !isId(companyId))
    throw new InvalidTokenError("sub and company_id name nobody this service knows");
  return { kind: kind as "admin" | "client" | "key", id: Number(id), companyId };
}
