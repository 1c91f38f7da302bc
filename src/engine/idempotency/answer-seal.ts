import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from "node:crypto";

const CIPHER = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts the answers under one caller's key, since some hold one-time tokens and must not be read in the
 * database. The encryption key is derived from the service's secret and from the caller's `Idempotency-Key`, which
 * is not stored; without a secret of its own, a service relies on the `Idempotency-Key` alone.
 */
export class AnswerSeal {
  /**
   * The id under which the answer is stored. The secret is not part of it, so that a key stays used when the secret
   * changes.
   */
  readonly id: Buffer;
  private readonly name: string;
  private readonly secrets: readonly Uint8Array[];

  /** @param secrets the first seals, all of them open; there may be none. */
  constructor(secrets: readonly Uint8Array[], owner: string, key: string) {
    this.name = `${owner}\n${key}`;
    this.id = createHash("sha256").update(this.name).digest();
    this.secrets = secrets.length === 0 ? [new Uint8Array()] : secrets;
  }

  close(text: string): Buffer {
    const iv = randomBytes(IV_BYTES);
    const key = this.keyOf(this.secrets[0] as Uint8Array);
    const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES }).setAAD(this.id);
    const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
  }

  /**
   * Decrypts an answer.
   *
   * @returns `null` for an answer that was sealed with a secret that is none of these.
   */
  open(sealed: Uint8Array): string | null {
    for (const secret of this.secrets) {
      const text = this.openWith(this.keyOf(secret), sealed);
      if (text !== null) return text;
    }
    return null;
  }

  /** HKDF (RFC 5869) of one block, which `hkdfSync` takes twice as long for: it stands in the way of each request with a key. */
  private keyOf(secret: Uint8Array): Buffer {
    const extracted = createHmac("sha256", "idempotency-keys").update(secret).update(this.name).digest();
    return createHmac("sha256", extracted).update("answer\x01").digest();
  }

  private openWith(key: Buffer, sealed: Uint8Array): string | null {
    const bytes = Buffer.from(sealed);
    const iv = bytes.subarray(0, IV_BYTES);
    const tag = bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
    const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES })
      .setAAD(this.id)
      .setAuthTag(tag);
    try {
      return (
        decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8")
      );
    } catch {
      return null;
    }
  }
}
