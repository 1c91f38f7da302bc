import { join } from "node:path";
import { keepSecret } from "../../engine/secrets/keep-secret.js";
import type { Config } from "./config.js";

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
