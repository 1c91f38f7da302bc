import { createHash, hkdfSync } from "node:crypto";
import { decodeJwt, jwtVerify, SignJWT } from "jose";
import { isId } from "../../core/integers.js";
import type { LoginCandidate, NamedAdmin } from "./login.sql.js";

const TYPE = "device+jwt";
const ALGORITHM = "HS256";
const TTL_SECONDS = 180 * 24 * 60 * 60;
const SUBJECT = /^admin:(?<adminId>[1-9]\d{0,9})$/u;

/**
 * Makes the token by which a device shows that this admin has signed in from it (contract §3.2), valid for 180 days. It
 * signs nobody in. The stored password hash is part of its key, so a new password ends it, and nothing is stored of it.
 *
 * @param familyId the family of the login's refresh tokens. All device tokens of a login are those of one device, so
 *   that nobody gains guesses by getting new ones.
 */
export function createDeviceToken(
  secret: Uint8Array,
  { companyId, adminId, passwordHash, familyId }: LoginCandidate & { readonly familyId: string },
  at: Date,
): Promise<string> {
  return new SignJWT({ company_id: companyId })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
    .setSubject(`admin:${adminId}`)
    .setJti(createHash("sha256").update(familyId).digest("base64url"))
    .setExpirationTime(Math.floor(at.getTime() / 1000) + TTL_SECONDS)
    .sign(keyOf(secret, passwordHash));
}

/** Reads whom a device token names, without checking it; `null` for text that names nobody. */
export function namedAdmin(token: string): NamedAdmin | null {
  try {
    const { sub = "", company_id: companyId } = decodeJwt(token);
    const adminId = Number(SUBJECT.exec(sub)?.groups?.["adminId"]);
    return isId(adminId) && isId(companyId) ? { companyId, adminId } : null;
  } catch {
    return null;
  }
}

/**
 * Returns the id of the device when the token was made for this admin and its present password, else `null`.
 *
 * @param secrets all of the service's own, by any of which it may have been made.
 */
export async function knownDevice(
  secrets: readonly Uint8Array[],
  token: string,
  admin: LoginCandidate,
  at: Date,
): Promise<string | null> {
  for (const secret of secrets) {
    const device = await deviceBy(secret, token, admin, at);
    if (device !== null) return device;
  }
  return null;
}

async function deviceBy(
  secret: Uint8Array,
  token: string,
  admin: LoginCandidate,
  at: Date,
): Promise<string | null> {
  try {
    const { payload } = await jwtVerify(token, keyOf(secret, admin.passwordHash), {
      algorithms: [ALGORITHM],
      typ: TYPE,
      subject: `admin:${admin.adminId}`,
      requiredClaims: ["exp", "jti"],
      currentDate: at,
    });
    return payload["company_id"] === admin.companyId ? (payload.jti ?? null) : null;
  } catch {
    return null;
  }
}

function keyOf(secret: Uint8Array, passwordHash: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, passwordHash, "device-token", 32));
}
