import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../../core/access/caller.js";
import { networkOf } from "../../core/access/network.js";
import { DomainError } from "../../core/errors/domain-error.js";
import {
  COST_PER_REQUEST,
  requestsForCost,
  WINDOW_SECONDS,
  type Allowance,
  type RateLimiter,
} from "../../engine/limits/rate-limiter.js";
import { UNLIMITED, type Account } from "../../engine/limits/account.js";
import { faceOf } from "../../engine/request/face.js";
import { refuse } from "./refuse.js";

export interface RateLimitOptions {
  /** `null` lets every request through. */
  readonly limiter: RateLimiter | null;
  /** Returns the caller; nobody when that cannot be found out. */
  readonly callerOf: (request: FastifyRequest) => Promise<Caller>;
}

declare module "fastify" {
  interface FastifyRequest {
    /** The account on which the costs of the request are counted. */
    account: Account;
  }
}

/**
 * Counts every request to the two faces, also to unknown paths below them, and refuses those beyond the limit before
 * anything is read or run. Preflights are answered before.
 */
export function limitRate(app: FastifyInstance, { limiter, callerOf }: RateLimitOptions): void {
  app.decorateRequest("account");
  if (limiter === null) {
    app.addHook("onRequest", (request, _reply, done) => {
      request.account = UNLIMITED;
      done();
    });
    return;
  }
  const policy = `"minute";q=${limiter.limit};w=${WINDOW_SECONDS}`;
  const take = async (bucket: string, reply: FastifyReply, amount: number): Promise<Allowance> => {
    const allowance = await limiter.take(bucket, amount);
    tell(reply, allowance, policy);
    if (!allowance.allowed) throw tooMany(allowance);
    return allowance;
  };
  app.addHook("onRequest", async (request, reply) => {
    if (faceOf(request) === "other") return undefined;
    const bucket = bucketOf(request, await callerOf(request));
    const account = new LimitedAccount(bucket, limiter.limit, (amount) => take(bucket, reply, amount));
    request.account = account;
    try {
      await account.count(1);
    } catch (error) {
      return refuse(error, request, reply);
    }
    return undefined;
  });
}

/**
 * The account of one request. It is a class: an object with a getter of its own would have a shape of its own, which V8
 * keeps, with all that the getter reaches, until it collects the old objects, and answers took 1.4 times as long.
 */
class LimitedAccount implements Account {
  left = 0;

  constructor(
    readonly payer: string,
    private readonly limit: number,
    private readonly take: (amount: number) => Promise<Allowance>,
  ) {}

  charge(cost: number): Promise<void> | undefined {
    const amount = requestsForCost(cost, this.limit);
    return amount === 0 ? undefined : this.count(amount);
  }

  /** Counts so many requests. @throws DomainError RATE_LIMITED. */
  async count(amount: number): Promise<void> {
    this.left = (await this.take(amount)).remaining * COST_PER_REQUEST;
  }
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
    case "key":
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
