import { join } from "node:path";
import { keepSecret } from "../../engine/secrets/keep-secret.js";
import type { Config } from "./config.js";

/**
 * The HS256 key of the service's own tokens: `JWT_SECRET`, else one made once and kept in `DATA_DIR`.
 *
 * @returns `null` in production with an external identity provider alone: instances could not share a
 *   key made by each of them, so no token of the service's own is issued or accepted then.
 */
export async function resolveJwtSecret(config: Config): Promise<string | null> {
  if (config.jwtSecret !== null) return config.jwtSecret;
  if (config.isProduction) return null;
  return keepSecret(join(config.dataDir, "jwt-secret"));
}
