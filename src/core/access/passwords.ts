import { type Algorithm, hash, verify } from "@node-rs/argon2";

/** OWASP's parameters of argon2id: 19 MiB of memory, two passes, one lane. */
const PARAMETERS = {
  algorithm: 2 satisfies Algorithm.Argon2id,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
};

/** Made with the same parameters from random bytes that nobody kept: checking against it takes as long, and fails. */
const NOBODYS_HASH =
  "$argon2id$v=19$m=19456,t=2,p=1$F4P3V/vp0umKKOUvuqixAQ$e+xHjQcCHxa3uHXIPC/po7Hmom3foixG7GmDGUWh5nU";

/** Shortest and longest password; the longest bounds the work that a caller can ask for. */
export const PASSWORD_LENGTH = { min: 8, max: 256 } as const;

/** The argon2id hash of a password, in the PHC string format. */
export function hashPassword(password: string): Promise<string> {
  return hash(canonical(password), PARAMETERS);
}

/**
 * Whether the password is the one that was hashed. Without a hash (an unknown account, or one whose password
 * was never set) it takes as long to say no, so that timing tells nothing.
 */
export async function passwordFits(passwordHash: string | null, password: string): Promise<boolean> {
  const fits = await verify(passwordHash ?? NOBODYS_HASH, canonical(password));
  return fits && passwordHash !== null;
}

/** Keyboards differ in how they compose letters; the password is the same (NIST SP 800-63B §3.1.1.2). */
function canonical(password: string): string {
  return password.normalize("NFKC");
}
