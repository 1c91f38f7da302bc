import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from "fastify";
import type { Caller } from "../../core/access/caller.js";
import { networkOf } from "../../core/access/network.js";
import type { Principal } from "../../core/access/tokens.js";
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
  readonly withCaller: WithCaller;
}

/**
 * Goes on with the caller of a request, or with nobody when that cannot be found out: at once where it is known.
 *
 * @param done gets what goes wrong.
 */
export type WithCaller = (
  request: FastifyRequest,
  done: HookHandlerDoneFunction,
  use: (caller: Caller) => void,
) => void;

declare module "fastify" {
  interface FastifyRequest {
    /** The account on which the costs of the request are counted. */
    account: Account;
  }
}

/**
 * Counts every request to the two faces, also to unknown paths below them, and refuses those beyond the limit before
 * anything is read or run. Preflights are answered before.
 *
 * @returns a function that answers the account of a principal for what is asked in its name without a request.
 */
export function limitRate(
  app: FastifyInstance,
  { limiter, withCaller }: RateLimitOptions,
): (principal: Principal) => Account {
  if (limiter === null) {
    app.addHook("onRequest", (request, _reply, done) => {
      request.account = UNLIMITED;
      done();
    });
    return () => UNLIMITED;
  }
  const policy = `"minute";q=${limiter.limit};w=${WINDOW_SECONDS}`;
  const count = (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    const refused = (error: unknown): void => void refuse(error, request, reply);
    let counted: Promise<void> | undefined;
    try {
      counted = (request.account as LimitedAccount).count(1);
    } catch (error) {
      refused(error);
      return;
    }
    if (counted === undefined) done();
    else void counted.then(() => done(), refused);
  };
  app.addHook("onRequest", (request, reply, done) => {
    if (faceOf(request) === "other") return done();
    withCaller(request, done, (caller) => {
      const tellCaller = (allowance: Allowance): void => tell(reply, allowance, policy);
      request.account = new LimitedAccount(bucketOf(request, caller), limiter, tellCaller);
      count(request, reply, done);
    });
  });
  return (principal) => new LimitedAccount(bucketOfPrincipal(principal), limiter, () => undefined);
}

/**
 * The account of one request. It is a class: an object with a getter of its own would have a shape of its own, which V8
 * keeps, with all that the getter reaches, until it collects the old objects, and answers took 1.4 times as long.
 */
class LimitedAccount implements Account {
  left = 0;

  constructor(
    readonly payer: string,
    private readonly limiter: RateLimiter,
    private readonly tell: (allowance: Allowance) => void,
  ) {}

  charge(cost: number): Promise<void> | undefined {
    const amount = requestsForCost(cost, this.limiter.limit);
    return amount === 0 ? undefined : this.count(amount);
  }

  owe(cost: number, counted: number): void {
    const { limit } = this.limiter;
    const amount = requestsForCost(cost, limit) - requestsForCost(counted, limit);
    if (amount > 0) this.show(this.limiter.owe(this.payer, amount));
  }

  /** Counts so many requests, without a promise while the lease has enough. @throws DomainError RATE_LIMITED. */
  count(amount: number): Promise<void> | undefined {
    const allowance = this.limiter.take(this.payer, amount);
    return allowance instanceof Promise ? allowance.then((later) => this.note(later)) : this.note(allowance);
  }

  private note(allowance: Allowance): undefined {
    this.show(allowance);
    if (!allowance.allowed) throw tooMany(allowance);
  }

  private show(allowance: Allowance): void {
    this.tell(allowance);
    this.left = allowance.remaining * COST_PER_REQUEST;
  }
}

function tooMany({ resetSeconds }: Allowance): DomainError {
  return new DomainError("RATE_LIMITED", "Too many requests; try again later.", {
    retryAfterSeconds: resetSeconds,
  });
}

/** Names the bucket of a request: the principal in its company, or the network when there is no valid token. */
function bucketOf(request: FastifyRequest, caller: Caller): string {
  return caller.kind === "anonymous" || caller.kind === "invalid"
    ? `rate:address:${networkOf(request.ip)}`
    : bucketOfPrincipal(caller);
}

function bucketOfPrincipal(principal: Principal): string {
  return principal.kind === "platform"
    ? "rate:platform"
    : `rate:${principal.companyId}:${principal.kind}:${principal.id}`;
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
