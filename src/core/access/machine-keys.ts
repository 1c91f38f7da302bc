import { createHash, randomBytes } from "node:crypto";
import { isId } from "../integers.js";

/** A key for machines: only its hash and its prefix are kept. */
export interface MachineKey {
  readonly key: string;
  readonly prefix: string;
  readonly keyHash: string;
}

const FORMAT = /^cgk_(?<companyId>[1-9]\d{0,9})_[\w-]{43}$/u;
/** So many characters of the 43 random ones are shown, by which people tell keys apart. */
const SHOWN = 6;

/** Makes a key `cgk_<companyId>_<random>`: the company in front lets its row be found within that company. */
export function createMachineKey(companyId: number): MachineKey {
  const beginning = `cgk_${companyId}_`;
  const key = beginning + randomBytes(32).toString("base64url");
  return { key, prefix: key.slice(0, beginning.length + SHOWN), keyHash: hashOf(key) };
}

/** The hash of a key and the company that it names; `null` for text that is no key. */
export function readMachineKey(text: string): { companyId: number; secretHash: string } | null {
  const companyId = Number(FORMAT.exec(text)?.groups?.["companyId"]);
  return isId(companyId) ? { companyId, secretHash: hashOf(text) } : null;
}

/** The SHA-256 of a key. A slow hash is not needed, since nobody can guess 256 random bits. */
function hashOf(key: string): string {
  return createHash("sha256").update(key).digest("base64url");
}
