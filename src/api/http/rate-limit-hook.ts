import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../../core/access/caller.js";
import { DomainError } from "../../core/errors/domain-error.js";
import { WINDOW_SECONDS, type Allowance, type RateLimiter } from "../../engine/limits/rate-limiter.js";
import { refuse } from "./refuse.js";

export interface RateLimitOptions {
  readonly limiter: RateLimiter;
  readonly callerOf: (request: FastifyRequest) => Promise<Caller>;
}

/** Counts every request to the two faces, and refuses those beyond the limit before anything is read or run. */
export function limitRate(app: FastifyInstance, { limiter, callerOf }: RateLimitOptions): void {
  const policy = `"minute";q=${limiter.limit};w=${WINDOW_SECONDS}`;
  app.addHook("onRequest", async (request, reply) => {
    if (request.method === "OPTIONS" || !isApi(request.url)) return undefined;
    const allowance = await limiter.take(await bucketOf(request, callerOf));
    tell(reply, allowance, policy);
    if (allowance.allowed) return undefined;
    const error = new DomainError("RATE_LIMITED", "Too many requests; try again later.", {
      retryAfterSeconds: allowance.resetSeconds,
    });
    return refuse(error, request, reply);
  });
}

/** Whether a URL belongs to a face. The reference documentation does not: it is neither counted nor refused. */
function isApi(url: string): boolean {
  return (url.startsWith("/api/") && !url.startsWith("/api/docs")) || /^\/graphql(?:$|[?#/])/u.test(url);
}

/** Names the bucket of a request: the principal in its company, or the address when there is no valid token. */
async function bucketOf(request: FastifyRequest, callerOf: RateLimitOptions["callerOf"]): Promise<string> {
  // An unavailable identity provider counts as no token here; operations that need a token refuse the request.
  const caller = await callerOf(request).catch((): Caller => ({ kind: "anonymous" }));
  switch (caller.kind) {
    case "admin":
    case "client":
      return `rate:${caller.companyId}:${caller.kind}:${caller.id}`;
    case "platform":
      return "rate:platform";
    default:
      return `rate:address:${request.ip}`;
  }
}

/** Sets the header fields of the RateLimit draft, and those that clients of its earlier versions know. */
function tell(reply: FastifyReply, { limit, remaining, resetSeconds }: Allowance, policy: string): void {
  reply
    .header("ratelimit", `"minute";r=${remaining};t=${resetSeconds}`)
    .header("ratelimit-policy", policy)
    .header("ratelimit-limit", limit)
    .header("ratelimit-remaining", remaining)
    .header("ratelimit-reset", resetSeconds);
}
