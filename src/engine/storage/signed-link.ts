import type { Secrets } from "../../core/secrets.js";

/** A link is good for a day at most. Its end is a full hour, so that who reads it twice gets the same one. */
const TTL_SECONDS = 24 * 60 * 60;
const STEP_SECONDS = 60 * 60;
/** What the signatures are for; with another text they would be others. */
const PURPOSE = "links of files v1";

/** Returns a path with its end, in seconds since 1970-01-01 (UTC), and the signature of both. */
export function signedLink(secrets: Secrets, path: string, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000);
  const expires = String(seconds - (seconds % STEP_SECONDS) + TTL_SECONDS);
  const signature = secrets.sign(signedText(path, expires), PURPOSE);
  return `${path}?${new URLSearchParams({ expires, signature }).toString()}`;
}

/** Returns whether the query of a link has the signature of this path, and its end has not come. */
export function isGoodLink(
  secrets: Secrets,
  path: string,
  { expires, signature }: Readonly<Record<string, unknown>>,
  at: Date,
): boolean {
  if (typeof expires !== "string" || typeof signature !== "string") return false;
  return (
    secrets.isSigned(signedText(path, expires), signature, PURPOSE) && at.getTime() < Number(expires) * 1000
  );
}

function signedText(path: string, expires: string): string {
  return `${path}\n${expires}`;
}
