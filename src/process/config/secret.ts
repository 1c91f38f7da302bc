import { hkdfSync } from "node:crypto";
import { join } from "node:path";
import { keepSecret, readSecret } from "../../engine/secrets/keep-secret.js";
import { readSecretKey, SecretKeys } from "../../engine/secrets/secret-keys.js";
import type { Config } from "./config.js";
import { LEAST_SECRET_BYTES } from "./read-variables.js";
import { ConfigError } from "./variable-reader.js";

/**
 * Returns the HS256 key of the service's own tokens: `JWT_SECRET`, else a key that is made once and kept in
 * `DATA_DIR`.
 *
 * @throws ConfigError when the kept key is too short.
 * @returns `null` in production with only an external identity provider: each instance would make another key, so
 *   no token of the service's own is issued or accepted then.
 */
export async function resolveJwtSecret(config: Config): Promise<string | null> {
  return resolveBy(keepSecret, config);
}

/**
 * Returns the HS256 key of the tokens of a service that has been started, and makes none: nobody would take its tokens.
 *
 * @throws ConfigError when `DATA_DIR` holds none, or one that is too short.
 */
export async function findJwtSecret(config: Config): Promise<string | null> {
  return resolveBy(readingFrom(config, "JWT_SECRET its secret", "no key of tokens"), config);
}

/** Returns what reads a key that is kept already, and makes none. */
function readingFrom({ dataDir }: Pick<Config, "dataDir">, instead: string, missing: string): Keeping {
  return async (path) => {
    const secret = await readSecret(path);
    if (secret !== null) return secret;
    const where = JSON.stringify(dataDir);
    throw new ConfigError([`DATA_DIR must be that of the service, or ${instead}: ${where} holds ${missing}`]);
  };
}

type Keeping = (path: string) => Promise<string>;

async function resolveBy(
  keptAt: Keeping,
  { jwtSecret, isProduction, dataDir }: Config,
): Promise<string | null> {
  if (jwtSecret !== null) return jwtSecret;
  if (isProduction) return null;
  const path = join(dataDir, "jwt-secret");
  const secret = await keptAt(path);
  if (Buffer.byteLength(secret) < LEAST_SECRET_BYTES)
    throw wrongKey(`at least ${LEAST_SECRET_BYTES} bytes`, path);
  return secret;
}

const wrongKey = (form: string, path: string): ConfigError =>
  new ConfigError([`DATA_DIR holds a key that is not one of ${form}: ${path}`]);

/** What the key that is derived from `JWT_SECRET` is for; with another text it would be another key. */
const DERIVED_FOR = "commerce-gateway stored secrets v1";

/**
 * Returns the keys of stored secrets: those of `SECRETS_KEY`; else in production one that is derived from `JWT_SECRET`,
 * the same for all processes, and otherwise one that is made once and kept in `DATA_DIR`. The derived keys are always the
 * last of them, so that secrets sealed by it can be read after there is a `SECRETS_KEY`.
 *
 * @throws ConfigError when the kept key cannot be read.
 */
export async function resolveSecretKeys(config: ConfigOfSecrets): Promise<SecretKeys> {
  return secretKeysBy(keepSecret, config);
}

/**
 * Returns the keys of the stored secrets of a service that has been started, and makes none: nothing is sealed with it.
 *
 * @throws ConfigError when there is none, or the kept one cannot be read.
 */
export async function findSecretKeys(config: ConfigOfSecrets): Promise<SecretKeys> {
  return secretKeysBy(readingFrom(config, "SECRETS_KEY its key", "no key of secrets"), config);
}

type ConfigOfSecrets = Pick<Config, "secretsKeys" | "dataDir" | "jwtSecret" | "isProduction"> &
  Partial<Pick<Config, "jwtOlderSecrets">>;

async function secretKeysBy(keptAt: Keeping, config: ConfigOfSecrets): Promise<SecretKeys> {
  const { jwtSecret, jwtOlderSecrets = [] } = config;
  const derived = jwtSecret === null ? [] : [jwtSecret, ...jwtOlderSecrets].map(derivedKey);
  if (config.secretsKeys !== null) return new SecretKeys([...config.secretsKeys, ...derived]);
  if (config.isProduction) return new SecretKeys(derived);
  const path = join(config.dataDir, "secrets-key");
  const key = readSecretKey(await keptAt(path));
  if (key === null) throw wrongKey("32 bytes", path);
  return new SecretKeys([key, ...derived]);
}

/** Returns whether stored secrets can be read only as long as `JWT_SECRET` stays the same. */
export function dependsOnJwtSecret({
  secretsKeys,
  isProduction,
}: Pick<Config, "secretsKeys" | "isProduction">): boolean {
  return isProduction && secretsKeys === null;
}

function derivedKey(jwtSecret: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", jwtSecret, "", DERIVED_FOR, 32));
}
