import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Caller } from "../../core/access/caller.js";
import { invalidField } from "../../core/errors/domain-error.js";

export const IDEMPOTENCY_KEY = "Idempotency-Key";
/** The name of the header `Idempotency-Key` as Node lists it. */
const IDEMPOTENCY_HEADER = "idempotency-key";
/** The header of an answer that is replayed. */
export const REPLAYED_HEADER = ["idempotent-replayed", "true"] as const;
export const MAX_KEY_LENGTH = 255;

/** A request that has to take effect only once, however often it is sent. */
export interface IdempotentRequest {
  /** The value of the header. */
  readonly key: string;
  /** A hash of everything that the request asks for: the key may only be sent again with the same one. */
  readonly fingerprint: string;
  /** Says whether the answer is a replay. */
  replayed: boolean;
}

/**
 * Describes a request that came with an `Idempotency-Key`.
 *
 * @param header is the value of the header.
 * @param target names the operation that is called, such as the method and the path.
 * @param body may have its members in any order.
 */
export function idempotentRequest(header: string, target: string, body: unknown): IdempotentRequest {
  const fingerprint = createHash("sha256")
    .update(`${target}\n${canonicalJson(body)}`)
    .digest("base64url");
  return { key: header, fingerprint, replayed: false };
}

/** Stands between the values of a header that came more than once; no value of a header holds it. */
const BETWEEN_VALUES = "\n";

/** Returns the key of a request; `undefined` for one without. A header that came more than once is no valid key. */
export function idempotencyKeyOf({ headers, rawHeaders }: IncomingMessage): string | undefined {
  const key = headers[IDEMPOTENCY_HEADER]?.toString();
  // Node joins the values by a comma.
  if (key?.includes(",") !== true) return key;
  const values = rawHeaders.filter(
    (_, index) => rawHeaders[index - 1]?.toLowerCase() === IDEMPOTENCY_HEADER && index % 2 === 1,
  );
  return values.length > 1 ? values.join(BETWEEN_VALUES) : key;
}

/**
 * Checks the form of a key.
 *
 * @throws DomainError VALIDATION_FAILED unless the key came once and has 1 to 255 printable ASCII characters.
 */
export function assertIdempotencyKey(key: string): void {
  if (key.includes(BETWEEN_VALUES)) throw invalidField(IDEMPOTENCY_KEY, "pattern", "must be sent once");
  if (key.length < 1) throw invalidField(IDEMPOTENCY_KEY, "min_length", "must not be empty");
  if (key.length > MAX_KEY_LENGTH)
    throw invalidField(IDEMPOTENCY_KEY, "max_length", `must have at most ${MAX_KEY_LENGTH} characters`);
  if (!/^[\x20-\x7e]+$/u.test(key))
    throw invalidField(IDEMPOTENCY_KEY, "pattern", "must be printable ASCII characters");
}

/** Names the owner of a key: the same key of another caller is a different key. */
export function ownerOf(caller: Caller, address: string): string {
  if (caller.kind === "admin" || caller.kind === "client" || caller.kind === "key")
    return `${caller.kind}:${caller.id}@${caller.companyId}`;
  return caller.kind === "platform" ? "platform" : `anonymous@${address}`;
}

/** Names the `number`th thing that a request with a key does, for those who remember it beyond the kept answer. */
export function identityOf(owner: string, key: string, number: number): Buffer {
  return createHash("sha256").update(`${number}\n${owner}\n${key}`).digest();
}

function canonicalJson(value: unknown): string {
  const text = JSON.stringify(value, (_key, item: unknown) =>
    typeof item === "object" && item !== null && !Array.isArray(item) ? sorted(item) : item,
  ) as string | undefined;
  return text ?? "";
}

function sorted(record: object): object {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
