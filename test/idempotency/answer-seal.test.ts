import { createCipheriv, hkdfSync } from "node:crypto";
import { AnswerSeal } from "../../src/engine/idempotency/answer-seal.js";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const SECRET = bytes("a secret of the service, 32 bytes or more");
const OTHER = bytes("another secret of the service, 32 bytes");

describe("the seal of an answer", () => {
  it.each([["a secret", [SECRET]] as const, ["no secret", []] as const])(
    "keeps it with %s",
    (_name, secrets) => {
      const seal = new AnswerSeal(secrets, "admin:1@1", "key");

      const closed = seal.close("token: geheim ✓");

      expect(closed.includes("geheim")).toBe(false);
      expect(new AnswerSeal(secrets, "admin:1@1", "key").open(closed)).toBe("token: geheim ✓");
    },
  );

  it("is distinguished by caller and key, not by the secret", () => {
    const id = (secret: Uint8Array, owner: string, key: string): string =>
      new AnswerSeal([secret], owner, key).id.toString("hex");

    expect(id(SECRET, "admin:1@1", "key")).toBe(id(OTHER, "admin:1@1", "key"));
    expect(
      new Set([id(SECRET, "admin:1@1", "a"), id(SECRET, "admin:1@1", "b"), id(SECRET, "platform", "a")]).size,
    ).toBe(3);
  });

  it("is made with a key by HKDF, as answers of earlier releases are", () => {
    const material = Buffer.concat([SECRET, bytes("admin:1@1\nkey")]);
    const key = Buffer.from(hkdfSync("sha256", material, "idempotency-keys", "answer", 32));
    const seal = new AnswerSeal([SECRET], "admin:1@1", "key");
    const iv = Buffer.alloc(12, 1);
    const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(seal.id);
    const sealed = Buffer.concat([cipher.update("answer", "utf8"), cipher.final()]);

    expect(seal.open(Buffer.concat([iv, cipher.getAuthTag(), sealed]))).toBe("answer");
  });

  it("opens with nothing else, and not once the answer was changed", () => {
    const seal = new AnswerSeal([SECRET], "admin:1@1", "key");
    const closed = seal.close("answer");
    const changed = Buffer.from(closed);
    changed[changed.length - 1]! ^= 1;

    expect(new AnswerSeal([OTHER], "admin:1@1", "key").open(closed)).toBeNull();
    expect(new AnswerSeal([OTHER, SECRET], "admin:1@1", "key").open(closed)).toBe("answer");
    expect(new AnswerSeal([SECRET], "admin:2@1", "key").open(closed)).toBeNull();
    expect(seal.open(changed)).toBeNull();
  });
});
