import { DomainError } from "../../core/errors/domain-error.js";
import type { Runtime } from "../../core/operations/operation-context.js";
import type { Db } from "../../core/db/db.js";
import { takeAttempt, uncountAttempt } from "../../core/access/attempts.sql.js";
import { recordLockOut } from "./login.sql.js";

const WINDOW_MS = 15 * 60_000;
/**
 * How many logins may fail in a window: with one e-mail, in all companies together, from one network address, and after these
 * are used up from one known device, and by one admin who is signed in.
 */
const MAX_FAILURES = { account: 10, address: 100, known: 5 } as const;

/** Who has attempts of its own: a device from which the admin signed in before, or an admin who is signed in. */
export type KnownSource =
  { readonly device: string } | { readonly admin: { readonly companyId: number; readonly id: number } };

/** From where an attempt comes. */
export interface AttemptOrigin {
  readonly address: string;
  readonly device: string | null;
  readonly requestId: string;
  readonly at: Date;
  readonly runtime: Pick<Runtime, "unawaited">;
}

type Taken = Awaited<ReturnType<typeof takeAttempt>>;

/** One attempt to sign in, counted before the password is looked at. */
export class LoginAttempt {
  private readonly account: string;
  private readonly address: string;
  private known: string | null = null;

  /** @param operation the mutation that has the password or code. */
  constructor(
    private readonly client: Db,
    private readonly email: string,
    private readonly operation: string,
    private readonly origin: AttemptOrigin,
  ) {
    this.account = `login:account:${email.toLowerCase()}`;
    this.address = `login:address:${origin.address}`;
  }

  /**
   * Whether the attempt is let through for its source alone. It is for the admin who is known there, nobody else:
   * otherwise somebody with an account of their own under another's e-mail would gain guesses.
   */
  get isOfKnownSource(): boolean {
    return this.known !== null;
  }

  /**
   * Counts the attempt. Who is known has attempts of its own where others have used up those of everybody (OWASP,
   * "Slow Down Online Guessing Attacks with Device Cookies").
   *
   * @param source `null` for a stranger.
   * @throws DomainError RATE_LIMITED.
   */
  async begin(source: KnownSource | null): Promise<void> {
    try {
      await this.beginAsStranger();
    } catch (error) {
      if (source === null || !(error instanceof DomainError)) throw error;
      const known = bucketOf(source);
      this.assertTaken(await this.take(known, MAX_FAILURES.known));
      this.known = known;
    }
  }

  /**
   * Takes the attempt off the counts, since all that was proven by it is right. Earlier failures stay counted: somebody who has an
   * account of their own under another's e-mail must not gain guesses by it.
   */
  async succeed(): Promise<void> {
    const counted = this.known === null ? [this.account, this.address] : [this.known];
    for (const bucket of counted) await uncountAttempt(this.client, bucket);
  }

  /** An attempt on an account that has no attempts left does not count against the address. */
  private async beginAsStranger(): Promise<void> {
    this.assertTaken(await this.take(this.address, MAX_FAILURES.address));
    const taken = await this.take(this.account, MAX_FAILURES.account);
    if (!taken.isTaken) {
      await uncountAttempt(this.client, this.address);
      this.recordLockOut(taken);
    }
    this.assertTaken(taken);
  }

  /**
   * Writes to the trails and journals that the attempts are used up. Nobody waits for it: the time of an answer would tell whether the
   * e-mail is known.
   */
  private recordLockOut({ resetsAt }: Taken): void {
    const { client, email, operation } = this;
    const { runtime, requestId, address, device } = this.origin;
    const attempt = { operation, requestId, address, device };
    runtime.unawaited(recordLockOut(client, email, resetsAt, attempt));
  }

  private take(bucket: string, most: number): Promise<Taken> {
    const { at } = this.origin;
    return takeAttempt(this.client, bucket, { at, resetsAt: new Date(at.getTime() + WINDOW_MS), most });
  }

  private assertTaken({ isTaken, resetsAt }: Taken): void {
    if (isTaken) return;
    throw new DomainError("RATE_LIMITED", "Too many login attempts; try again later.", {
      retryAfterSeconds: Math.max(1, Math.ceil((resetsAt.getTime() - this.origin.at.getTime()) / 1000)),
    });
  }
}

function bucketOf(source: KnownSource): string {
  if ("device" in source) return `login:device:${source.device}`;
  return `login:admin:${source.admin.companyId}:${source.admin.id}`;
}
