import { randomUUID } from "node:crypto";

/** Returns the id of a request: the one that its caller has sent as `X-Request-Id`, where it may be one, else a new one. */
export function requestId(given: string | readonly string[] | undefined): string {
  return typeof given === "string" && /^[\w.-]{1,64}$/u.test(given) ? given : randomUUID();
}
