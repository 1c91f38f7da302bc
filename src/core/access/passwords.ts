import type { Algorithm } from "@node-rs/argon2";
import { passwordThreads } from "./password-threads.js";

/** Parameters of argon2id as OWASP recommends them: 19 MiB of memory, two passes, one lane. */
const PARAMETERS = {
  algorithm: 2 satisfies Algorithm.Argon2id,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
};

/**
 * A hash that no password fits: it was made with these parameters from random bytes that nobody kept. Checking a
 * password against it takes as long as against a real one.
 */
const NOBODYS_HASH =
  "$argon2id$v=19$m=19456,t=2,p=1$F4P3V/vp0umKKOUvuqixAQ$e+xHjQcCHxa3uHXIPC/po7Hmom3foixG7GmDGUWh5nU";

/** Shortest and longest password; the longest bounds the work that a caller can ask for. */
export const PASSWORD_LENGTH = { min: 10, max: 256 } as const;

/** The argon2id hash of a password, in the PHC string format. */
export async function hashPassword(password: string): Promise<string> {
  const task = { kind: "hash", password: canonical(password), options: PARAMETERS } as const;
  return (await passwordThreads.run(task)) as string;
}

/**
 * Returns whether the password is the one that was hashed. Without a hash (the account is unknown, or its password was never
 * set) the answer is no and takes as long, so that its time shows nothing.
 */
export async function passwordFits(passwordHash: string | null, password: string): Promise<boolean> {
  const hash = passwordHash ?? NOBODYS_HASH;
  const fits = await passwordThreads.run({ kind: "verify", password: canonical(password), hash });
  return fits === true && passwordHash !== null;
}

/**
 * The password in one Unicode form (NIST SP 800-63B §3.1.1.2): keyboards differ in how they compose letters with
 * accents.
 */
function canonical(password: string): string {
  return password.normalize("NFKC");
}
