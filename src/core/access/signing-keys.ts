import { createHash, createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";

/** A secret of HS256, and the name by which tokens tell which one has signed them. */
export interface NamedSecret {
  readonly kid: string;
  readonly key: Uint8Array;
}

/** The public part of a key of ES256, as a JWK (RFC 7517). */
export interface PublicJwk {
  readonly kty: "EC";
  readonly crv: "P-256";
  readonly x: string;
  readonly y: string;
  readonly kid: string;
  readonly alg: "ES256";
  readonly use: "sig";
}

/** A key of ES256; one without its private part only checks. */
export interface EcKey {
  readonly kid: string;
  readonly privateKey: KeyObject | null;
  readonly publicKey: KeyObject;
  readonly jwk: PublicJwk;
}

const PEM = /-----BEGIN (?<kind>[A-Z ]+)-----[^-]+-----END \k<kind>-----/gu;

/** Names a secret. The name tells nothing of it. */
export function namedSecret(secret: string): NamedSecret {
  const key = new TextEncoder().encode(secret);
  return {
    kid: createHash("sha256").update("id of a secret\n").update(key).digest("base64url").slice(0, 16),
    key,
  };
}

/**
 * Reads keys of ES256 in PEM, one after the other; line breaks may be written as `\n`.
 *
 * @returns `null` for a text with anything but private and public keys of the curve P-256.
 */
export function readEcKeys(text: string): EcKey[] | null {
  const blocks = [...text.replaceAll("\\n", "\n").matchAll(PEM)];
  if (blocks.length === 0) return null;
  try {
    return blocks.map(([pem, kind = ""]) => ecKey(pem, kind.endsWith("PRIVATE KEY")));
  } catch {
    return null;
  }
}

function ecKey(pem: string, isPrivate: boolean): EcKey {
  const privateKey = isPrivate ? createPrivateKey(pem) : null;
  const publicKey = createPublicKey(privateKey === null ? pem : { key: pem });
  const { kty, crv, x, y } = publicKey.export({ format: "jwk" });
  if (kty !== "EC" || crv !== "P-256" || x === undefined || y === undefined)
    throw new Error("a key of another kind");
  // RFC 7638: the thumbprint of the members in this order.
  const kid = createHash("sha256").update(JSON.stringify({ crv, kty, x, y })).digest("base64url");
  return { kid, privateKey, publicKey, jwk: { kty, crv, x, y, kid, alg: "ES256", use: "sig" } };
}
