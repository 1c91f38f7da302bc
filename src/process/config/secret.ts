import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
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

/** Reads the secret in a file of mode 0600, or makes it; processes that start at once end up with the same. */
export async function keepSecret(path: string): Promise<string> {
  const kept = await readSecret(path);
  if (kept !== null) return kept;
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  await writeFile(draft, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flag: "wx" });
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return (await readFile(path, "utf8")).trim();
}

async function readSecret(path: string): Promise<string | null> {
  try {
    return (await readFile(path, "utf8")).trim() || null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
