import { join } from "node:path";
import { keepSecret } from "../../engine/secrets/keep-secret.js";
import { readSecretKey, SecretKeys } from "../../engine/secrets/secret-keys.js";
import type { Config } from "./config.js";
import { ConfigError } from "./variable-reader.js";

/**
 * Returns the HS256 key of the service's own tokens: `JWT_SECRET`, else a key that is made once and kept in
 * `DATA_DIR`.
 *
 * @returns `null` in production with only an external identity provider: each instance would make another key, so
 *   no token of the service's own is issued or accepted then.
 */
export async function resolveJwtSecret(config: Config): Promise<string | null> {
  if (config.jwtSecret !== null) return config.jwtSecret;
  if (config.isProduction) return null;
  return keepSecret(join(config.dataDir, "jwt-secret"));
}

/**
 * Returns the keys of stored secrets: those of `SECRETS_KEY`, else one that is made once and kept in `DATA_DIR`.
 *
 * @throws ConfigError when the kept key cannot be read.
 */
export async function resolveSecretKeys(
  config: Pick<Config, "secretsKeys" | "dataDir">,
): Promise<SecretKeys> {
  if (config.secretsKeys !== null) return new SecretKeys(config.secretsKeys);
  const path = join(config.dataDir, "secrets-key");
  const key = readSecretKey(await keepSecret(path));
  if (key === null) throw new ConfigError([`DATA_DIR holds a key that is not one of 32 bytes: ${path}`]);
  return new SecretKeys([key]);
}
