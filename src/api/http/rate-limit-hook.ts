import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../../core/access/caller.js";
import { networkOf } from "../../core/access/network.js";
import { DomainError } from "../../core/errors/domain-error.js";
import {
  requestsForCost,
  WINDOW_SECONDS,
  type Allowance,
  type RateLimiter,
} from "../../engine/limits/rate-limiter.js";
import { faceOf } from "../../engine/request/face.js";
import { refuse } from "./refuse.js";

export interface RateLimitOptions {
  readonly limiter: RateLimiter;
  /** Returns the caller; nobody when that cannot be found out. */
  readonly callerOf: (request: FastifyRequest) => Promise<Caller>;
}

/**
 * Counts the cost of an operation against the rate limit, before the operation runs; there is no promise when the
 * cost counts as no further request.
 *
 * @throws DomainError RATE_LIMITED.
 */
export type ChargeCost = (
  request: FastifyRequest,
  reply: FastifyReply,
  cost: number,
) => Promise<void> | undefined;

/** Stands in where requests are not limited. */
export const chargeNothing: ChargeCost = () => undefined;

/**
 * Counts every request to the two faces, also to unknown paths below them, and refuses those beyond the limit before
 * anything is read or run. Preflights are answered before.
 *
 * @returns how the cost of an operation is counted, once it is known.
 */
export function limitRate(app: FastifyInstance, { limiter, callerOf }: RateLimitOptions): ChargeCost {
  const policy = `"minute";q=${limiter.limit};w=${WINDOW_SECONDS}`;
  const take = async (request: FastifyRequest, reply: FastifyReply, amount: number): Promise<Allowance> => {
    const allowance = await limiter.take(bucketOf(request, await callerOf(request)), amount);
    tell(reply, allowance, policy);
    return allowance;
  };
  app.addHook("onRequest", async (request, reply) => {
    if (faceOf(request) === "other") return undefined;
    const allowance = await take(request, reply, 1);
    return allowance.allowed ? undefined : refuse(tooMany(allowance), request, reply);
  });
  return (request, reply, cost) => {
    const amount = requestsForCost(cost, limiter.limit);
    if (amount === 0) return undefined;
    return take(request, reply, amount).then((allowance) => {
      if (!allowance.allowed) throw tooMany(allowance);
    });
  };
}

function tooMany({ resetSeconds }: Allowance): DomainError {
  return new DomainError("RATE_LIMITED", "Too many requests; try again later.", {
    retryAfterSeconds: resetSeconds,
  });
}

/** Names the bucket of a request: the principal in its company, or the network when there is no valid token. */
function bucketOf(request: FastifyRequest, caller: Caller): string {
  switch (caller.kind) {
    case "admin":
    case "client":
      return `rate:${caller.companyId}:${caller.kind}:${caller.id}`;
    case "platform":
      return "rate:platform";
    default:
      return `rate:address:${networkOf(request.ip)}`;
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
