import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";

const CIPHER = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Keeps the answers under one caller's key from whoever reads the database: some hold one-time tokens. They are
 * encrypted with what is derived from the service's secret and from the caller's key, which is not stored either;
 * a service without a secret of its own relies on the latter.
 */
export class AnswerSeal {
  /** Under which the answer is stored. Without the secret in it: no change of secrets makes a key look unused. */
  readonly id: Buffer;
  private readonly key: Buffer;

  constructor(secret: Uint8Array | null, owner: string, key: string) {
    const name = `${owner}\n${key}`;
    this.id = createHash("sha256").update(name).digest();
    const material = Buffer.concat([secret ?? new Uint8Array(), Buffer.from(name)]);
    this.key = Buffer.from(hkdfSync("sha256", material, "idempotency-keys", "answer", 32));
  }

  close(text: string): Buffer {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, this.key, iv, { authTagLength: TAG_BYTES }).setAAD(this.id);
    const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
  }

  /** @returns `null` for what was sealed with another secret. */
  open(sealed: Uint8Array): string | null {
    const bytes = Buffer.from(sealed);
    const iv = bytes.subarray(0, IV_BYTES);
    const tag = bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
    const decipher = createDecipheriv(CIPHER, this.key, iv, { authTagLength: TAG_BYTES })
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
