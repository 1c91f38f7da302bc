import { decodeJwt } from "jose";
import { LRUCache } from "lru-cache";
import { unavailable } from "../../core/errors/domain-error.js";
import type { Caller } from "../../core/access/caller.js";
import { readMachineKey } from "../../core/access/machine-keys.js";
import type { KnownKey, NamedKey } from "../../core/access/role-directory.js";
import {
  ACCESS_TOKEN_TTL_SECONDS,
  IdentityProviderError,
  InvalidTokenError,
  readAccessToken,
  type TokenKeys,
} from "../../core/access/tokens.js";

const RETRY_AFTER_SECONDS = 5;
const MAX_TOKENS = 10_000;
const MAX_CHARACTERS = 10_000_000;
/** A key that an identity provider withdraws is still accepted for this long. */
const MAX_AGE_MS = 60_000;

/** A stream by a key lasts as long as one by a token does. */
const KEY_STREAM_MS = ACCESS_TOKEN_TTL_SECONDS * 1_000;

/** What keys for machines are found by. */
export interface KeyBook {
  findKey(key: NamedKey): Promise<KnownKey | null>;
  /** Is called for each request by a key. It keeps nobody waiting. */
  noteUse(key: KnownKey): void;
}

/** Finds out who calls. A checked token is remembered for a minute, but never past its expiry. */
export class Authenticator {
  private readonly known = new LRUCache<string, Known>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (_known, header) => Math.max(header.length, MAX_CHARACTERS / MAX_TOKENS),
  });

  constructor(
    private readonly keys: TokenKeys,
    private readonly book: KeyBook,
  ) {}

  /**
   * Returns the caller who sends this `Authorization` header from this address: without a promise where it is known, since
   * all that a request passes waits for it.
   *
   * @throws DomainError UNAVAILABLE when the identity provider's keys cannot be read, so that the token can be
   *   neither accepted nor refused.
   */
  callerOf(authorization: string | undefined, address: string): Caller | Promise<Caller> {
    if (authorization === undefined) return ANONYMOUS;
    const known = this.known.get(authorization);
    return known !== undefined && Date.now() < known.until
      ? known.caller
      : this.check(authorization, address);
  }

  private async check(authorization: string, address: string): Promise<Caller> {
    const token = bearerToken(authorization);
    if (token === undefined) return INVALID;
    const key = readMachineKey(token);
    if (key !== null) return this.callerByKey(key, address);
    try {
      const { principal, expiresAt } = await readAccessToken(this.keys, token);
      if (principal.kind === "key") return await this.callerByKey(principal, address);
      // The principal is remembered no longer than its token is valid; its permissions are looked up at each
      // request.
      const until = Math.min(expiresAt.getTime(), Date.now() + MAX_AGE_MS);
      this.known.set(authorization, { caller: principal, until });
      return principal;
    } catch (error) {
      if (error instanceof InvalidTokenError) return INVALID;
      if (!(error instanceof IdentityProviderError)) throw error;
      throw unavailable("The identity provider does not answer.", {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
        cause: error,
      });
    }
  }

  /** A key is looked up at each request: the directory remembers it for some seconds. */
  private async callerByKey(named: NamedKey, address: string): Promise<Caller> {
    const key = await this.book.findKey(named);
    if (key === null) return INVALID;
    const { id, companyId, makerId } = key;
    const isElsewhere = !key.mayComeFrom(address);
    if (!isElsewhere) this.book.noteUse(key);
    const { secretHash } = named;
    return {
      kind: "key",
      id,
      companyId,
      makerId,
      isElsewhere,
      ...(secretHash !== undefined && { secretHash }),
    };
  }
}

/** Returns the token in an `Authorization` header, `undefined` when it holds no Bearer token. */
export function bearerToken(authorization: string): string | undefined {
  return /^Bearer +(?<token>\S+)$/iu.exec(authorization)?.groups?.["token"];
}

/**
 * Returns when the token in this `Authorization` header expires, in milliseconds since 1970-01-01 (UTC). A key has to be looked at
 * again after the time of a token.
 *
 * @param authorization is a header whose token was found valid.
 */
export function expiryOf(authorization: string | undefined): number {
  const token = bearerToken(authorization ?? "") ?? "";
  return readMachineKey(token) === null ? (decodeJwt(token).exp ?? 0) * 1000 : Date.now() + KEY_STREAM_MS;
}

interface Known {
  readonly caller: Caller;
  /** Milliseconds since 1970-01-01 (UTC). */
  readonly until: number;
}

const INVALID: Caller = { kind: "invalid" };
const ANONYMOUS: Caller = { kind: "anonymous" };
