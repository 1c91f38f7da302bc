import { fileURLToPath } from "node:url";
import { localStorage } from "./local-storage.js";
import { s3Storage } from "./s3-storage.js";
import type { Storage } from "./storage.js";

const DEFAULT_REGION = "us-east-1";

/** The parameters of an `s3:` URL. */
export const S3_PARAMETERS = ["endpoint", "region", "public"] as const;

/** Opens the store that a `STORAGE_URL` names; the configuration has checked its form. */
export async function openStorage(url: string): Promise<Storage> {
  const { protocol, host, username, password, searchParams } = new URL(url);
  if (protocol === "file:") return localStorage(fileURLToPath(url));
  return s3Storage({
    name: host,
    endpoint: searchParams.get("endpoint"),
    region: searchParams.get("region") ?? DEFAULT_REGION,
    credentials:
      username === ""
        ? null
        : { accessKeyId: decodeURIComponent(username), secretAccessKey: decodeURIComponent(password) },
    publicUrl: searchParams.get("public")?.replace(/\/+$/u, "") ?? null,
  });
}
