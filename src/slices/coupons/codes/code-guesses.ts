import { LRUCache } from "lru-cache";
import { roomFor } from "../../../core/cache-room.js";
import type { Db } from "../../../core/db/db.js";
import { countAttempt } from "../../../core/access/attempts.sql.js";
import { isRoleHolder, type Caller } from "../../../core/access/caller.js";
import type { RoleDirectoryView } from "../../../core/access/role-directory.js";
import { DomainError } from "../../../core/errors/domain-error.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import type { RuntimePart } from "../../../core/scope/runtime-part.js";

const WINDOW_MS = 15 * 60_000;
/** How many unknown codes a guesser may send in a window. */
const MAX_UNKNOWN = 20;
const MAX_GUESSERS = 50_000;

/** The moment of a request, and the directory that it reads roles from. */
interface Moment {
  readonly at: Date;
  readonly roles: Pick<RoleDirectoryView, "grantOf">;
}

/** What a request asks of the guesses. */
type Judge = Pick<CodeGuesses, "judge">;

interface Guesser {
  unknown: number;
  resetsAt: Date;
  /** Settles when this process has heard what the last unknown code made of the count of all. */
  heard: Promise<unknown>;
}

/**
 * Counts the unknown coupon codes that a client sends, or an admin or key that may not see coupons (contract §13.11): whoever
 * sends too many gets no answer for any code, a known one neither. All operations and all requests at once count
 * together.
 *
 * The database adds up what all processes count, and an unknown code waits for it: all of them together call no more
 * codes unknown than a guesser may send. A known code costs no statement, since the count of this process decides; it
 * only waits for unknown ones of the same guesser. So a process that has not heard yet that somebody has used up his
 * guesses elsewhere takes codes of his that are known, until he sends it an unknown one.
 */
class CodeGuesses {
  private readonly guessers = new LRUCache<string, Guesser>(roomFor(MAX_GUESSERS));

  constructor(
    private readonly client: Db,
    private readonly onError: (error: unknown) => void,
  ) {}

  /**
   * Counts a code that was looked up. Call it before anything is answered or done for the code.
   *
   * @param waits whether the request may wait for a connection, since it holds none.
   * @throws DomainError RATE_LIMITED.
   */
  judge(caller: Caller, isKnown: boolean, now: Moment, waits = true): Promise<void> | undefined {
    if (!isRoleHolder(caller) && caller.kind !== "client") return undefined;
    const bucket = `code:${caller.companyId}:${caller.kind}:${caller.id}`;
    if (isKnown && !this.guessers.has(bucket)) return undefined;
    return this.count(bucket, caller, { isKnown, waits }, now);
  }

  /**
   * Counts for requests that hold a connection: they do not wait for another one, so what they send at once in several
   * processes may exceed the count of all.
   */
  withoutWaiting(): Judge {
    return { judge: (caller, isKnown, now) => this.judge(caller, isKnown, now, false) };
  }

  private async count(
    bucket: string,
    caller: Extract<Caller, { id: number }>,
    { isKnown, waits }: { isKnown: boolean; waits: boolean },
    { at, roles }: Moment,
  ): Promise<void> {
    if (isRoleHolder(caller)) {
      const grant = await roles.grantOf(caller);
      if (grant !== null && (grant.all || grant.roles.has("access_coupons"))) return;
    }
    const guesser = this.guesserOf(bucket, at);
    if (isKnown && waits) await guesser.heard;
    if (guesser.unknown >= MAX_UNKNOWN) throw tooMany(guesser, at);
    if (isKnown) return;
    guesser.unknown += 1;
    const shared = this.share(bucket, guesser, at);
    guesser.heard = shared;
    if (waits && (await shared) > MAX_UNKNOWN) throw tooMany(guesser, at);
  }

  private guesserOf(bucket: string, at: Date): Guesser {
    const known = this.guessers.get(bucket);
    if (known !== undefined && known.resetsAt > at) return known;
    const guesser = {
      unknown: 0,
      resetsAt: new Date(at.getTime() + WINDOW_MS),
      heard: Promise.resolve(),
    };
    this.guessers.set(bucket, guesser);
    return guesser;
  }

  /**
   * Adds an unknown code to the count of all processes.
   *
   * @returns that count with it; of this process alone while the database does not answer.
   */
  private async share(bucket: string, guesser: Guesser, at: Date): Promise<number> {
    try {
      const { count, resetsAt } = await countAttempt(this.client, bucket, at, guesser.resetsAt);
      guesser.unknown = Math.max(guesser.unknown, count);
      guesser.resetsAt = resetsAt;
      return count;
    } catch (error) {
      this.onError(error);
      return guesser.unknown;
    }
  }
}

const codeGuesses: RuntimePart<Judge, CodeGuesses> = {
  create: ({ writer, warn }) =>
    new CodeGuesses(writer, (error) => warn(error, "an unknown code could not be counted")),
  within: (guesses) => guesses.withoutWaiting(),
};

/**
 * Counts a coupon code that was looked up; call it before anything is answered or done for the code.
 *
 * @throws DomainError RATE_LIMITED for a caller who has sent too many unknown codes.
 */
export function judgeCode(
  { caller, at, runtime }: CompanyScope,
  isKnown: boolean,
): Promise<void> | undefined {
  return runtime?.part(codeGuesses).judge(caller, isKnown, { at, roles: runtime.roles });
}

function tooMany({ resetsAt }: Guesser, at: Date): DomainError {
  return new DomainError("RATE_LIMITED", "Too many unknown codes; try again later.", {
    retryAfterSeconds: Math.max(1, Math.ceil((resetsAt.getTime() - at.getTime()) / 1000)),
  });
}
