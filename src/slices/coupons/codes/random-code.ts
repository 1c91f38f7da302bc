import { randomBytes } from "node:crypto";

/** Digits and capitals without those that are easily mistaken for one another: 0 and O, 1, I and L. */
export const CODE_ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";

/**
 * Bytes from here on are skipped: the length of the alphabet does not divide 256, and every character has to be as
 * likely.
 */
const FIRST_UNUSED_BYTE = 256 - (256 % CODE_ALPHABET.length);
const BYTES_AT_ONCE = 64 * 1024;

/** How many different codes of a length there are. */
export function codeSpace(length: number): number {
  return CODE_ALPHABET.length ** length;
}

/**
 * Makes codes that nobody can guess, from the system's cryptographic source. Two of them may be equal, though
 * hardly ever.
 */
export function randomCodes(count: number, length: number): string[] {
  const codes: string[] = [];
  let bytes = Buffer.alloc(0);
  let next = 0;
  let code = "";
  while (codes.length < count) {
    if (next === bytes.length) {
      bytes = randomBytes(Math.min(BYTES_AT_ONCE, (count - codes.length) * length + 8));
      next = 0;
    }
    const byte = bytes[next++] as number;
    if (byte >= FIRST_UNUSED_BYTE) continue;
    code += CODE_ALPHABET[byte % CODE_ALPHABET.length] as string;
    if (code.length === length) {
      codes.push(code);
      code = "";
    }
  }
  return codes;
}
