import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";
import type { SecretPlace, Secrets } from "../../core/secrets.js";

const CIPHER = "aes-256-gcm";
const FORM = "v1";
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * The keys of secrets that are stored (AES-256-GCM): the first seals and signs, all of them open and check. A sealed text
 * is `v1.<id of the key>.<IV, tag and ciphertext in base64url>`.
 */
export class SecretKeys implements Secrets {
  /** The beginning of all texts that the first key has sealed. */
  readonly prefix: string;
  private readonly keys: ReadonlyMap<string, Uint8Array>;
  private readonly first: { readonly id: string; readonly key: Uint8Array };

  /** @param keys at least one, of 32 bytes each. */
  constructor(keys: readonly Uint8Array[]) {
    const [key] = keys;
    if (key === undefined) throw new Error("no key for secrets");
    this.first = { id: idOf(key), key };
    this.prefix = `${FORM}.${this.first.id}.`;
    this.keys = new Map(keys.map((one) => [idOf(one), one]));
  }

  seal(text: string, place: SecretPlace): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, this.first.key, iv, { authTagLength: TAG_BYTES });
    cipher.setAAD(nameOf(place));
    const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return this.prefix + Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64url");
  }

  sign(text: string, purpose: string): string {
    return signatureOf(text, purpose, this.first.key).toString("base64url");
  }

  isSigned(text: string, signature: string, purpose: string): boolean {
    // Texts are compared: several of them are read as the same bytes.
    const given = Buffer.from(signature);
    return [...this.keys.values()].some((key) => {
      const own = Buffer.from(signatureOf(text, purpose, key).toString("base64url"));
      return own.length === given.length && timingSafeEqual(own, given);
    });
  }

  open(sealed: string, place: SecretPlace): string | null {
    const [form, id = "", body = ""] = sealed.split(".");
    const key = this.keys.get(id);
    const bytes = Buffer.from(body, "base64url");
    if (form !== FORM || key === undefined || bytes.length < IV_BYTES + TAG_BYTES) return null;
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(nameOf(place)).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    try {
      const text = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, "utf8");
      return text + decipher.final("utf8");
    } catch {
      return null;
    }
  }
}

/** Returns the HMAC-SHA256 of a text by a key that is derived for the purpose, so that no key has two uses. */
function signatureOf(text: string, purpose: string, key: Uint8Array): Buffer {
  const derived = Buffer.from(hkdfSync("sha256", key, "", `signatures of ${purpose}`, 32));
  return createHmac("sha256", derived).update(text).digest();
}

/** Reads a key of 32 bytes in hexadecimal digits or in base64. @returns `null` for any other text. */
export function readSecretKey(text: string): Uint8Array | null {
  if (/^[\da-f]{64}$/iu.test(text)) return Buffer.from(text, "hex");
  return /^[\w+/-]{43}=?$/u.test(text) ? Buffer.from(text, "base64") : null;
}

/** The id sets keys apart and shows nothing of the key. */
function idOf(key: Uint8Array): string {
  return createHash("sha256").update("id of a key\n").update(key).digest("hex").slice(0, 12);
}

function nameOf({ companyId, name }: SecretPlace): Buffer {
  return Buffer.from(`${companyId}\n${name}`);
}
