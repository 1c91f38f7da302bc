import { createHash, createHmac, timingSafeEqual } from "node:crypto";

const STEP_MS = 30_000;
const DIGITS = 6;
/** A clock that is one step ahead or behind is as good (RFC 6238 §5.2). */
const DRIFTS = [0, -1, 1];
/** Letters and digits of base32 (RFC 4648), which apps for codes read. */
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** The number of the period of 30 seconds that a moment is in. */
export function stepAt(at: Date): number {
  return Math.floor(at.getTime() / STEP_MS);
}

/** The code of a period by its number (RFC 4226 §5.3 with HMAC-SHA-1). */
export function codeOf(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac("sha1", secret).update(counter).digest();
  const place = (digest.at(-1) as number) & 0xf;
  const number = digest.readUInt32BE(place) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, "0");
}

/** Returns the number of the period whose code it is, among those around the moment; `null` when it is the code of none. */
export function stepOf(secret: Uint8Array, code: string, at: Date): number | null {
  const steps = DRIFTS.map((drift) => stepAt(at) + drift).filter((step) =>
    isSame(codeOf(secret, step), code),
  );
  return steps[0] ?? null;
}

/** What an app for codes reads, as a picture or by a link, to make the codes. */
export function enrolmentUri(
  secret: Uint8Array,
  { email, company }: { email: string; company: string },
): string {
  const issuer = encodeURIComponent(company.replaceAll(":", " "));
  const account = encodeURIComponent(email);
  const parameters = `secret=${base32(secret)}&issuer=${issuer}&algorithm=SHA1&digits=${DIGITS}&period=30`;
  return `otpauth://totp/${issuer}:${account}?${parameters}`;
}

/** Bytes in base32 without padding. */
export function base32(bytes: Uint8Array): string {
  let [text, bits, kept] = ["", 0, 0];
  for (const byte of bytes) {
    kept = (kept << 8) | byte;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += BASE32[(kept >> (bits - 5)) & 31] as string;
    kept &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + (BASE32[(kept << (5 - bits)) & 31] as string);
}

/** A recovery code in groups of four: 80 bits, which nobody guesses. @param bytes ten of them, random. */
export function recoveryCode(bytes: Uint8Array): string {
  return (base32(bytes).toLowerCase().match(/.{4}/gu) as string[]).join("-");
}

/** The SHA-256 of a recovery code, however it is grouped and in any case. */
export function hashOfRecoveryCode(code: string): string {
  return createHash("sha256").update(plainCode(code)).digest("base64url");
}

/** A code as it is compared: people type spaces, dashes and capitals. */
export function plainCode(code: string): string {
  return code.toLowerCase().replaceAll(/[\s-]/gu, "");
}

function isSame(one: string, other: string): boolean {
  const [own, given] = [Buffer.from(one), Buffer.from(other)];
  return own.length === given.length && timingSafeEqual(own, given);
}
