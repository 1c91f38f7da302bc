import { DomainError } from "../../core/errors/domain-error.js";
import type { Db } from "../../core/db/db.js";
import { countAttempt, uncountAttempt } from "../../core/access/attempts.sql.js";

const WINDOW_MS = 15 * 60_000;
/**
 * How many logins may fail in a window: with one e-mail, in all companies together, from one network address, and from
 * one known device after the others are used up.
 */
const MAX_FAILURES = { account: 10, address: 100, device: 5 } as const;

/** One attempt to sign in, counted before the password is looked at. */
export class LoginAttempt {
  private readonly account: string;
  private readonly address: string;
  private device: string | null = null;

  constructor(
    private readonly client: Db,
    email: string,
    private readonly origin: { readonly address: string; readonly at: Date },
  ) {
    this.account = `login:account:${email.toLowerCase()}`;
    this.address = `login:address:${origin.address}`;
  }

  /**
   * Whether the attempt is let through for its device alone. It is for the admin who is known there, nobody else:
   * otherwise somebody with an account of their own under another's e-mail would gain guesses.
   */
  get isOfDevice(): boolean {
    return this.device !== null;
  }

  /**
   * Counts the attempt. A known device has attempts of its own where others have used up those of everybody (OWASP,
   * "Slow Down Online Guessing Attacks with Device Cookies").
   *
   * @param device the id of a device from which the admin signed in before; `null` for a stranger.
   * @throws DomainError RATE_LIMITED.
   */
  async begin(device: string | null): Promise<void> {
    try {
      await this.beginAsStranger();
    } catch (error) {
      if (device === null || !(error instanceof DomainError)) throw error;
      this.device = `login:device:${device}`;
      await this.count(this.device, MAX_FAILURES.device);
    }
  }

  /**
   * Takes the attempt off the counts, since its password was right. Earlier failures stay counted: somebody who has an
   * account of their own under another's e-mail must not gain guesses by it.
   */
  async succeed(): Promise<void> {
    const counted = this.device === null ? [this.account, this.address] : [this.device];
    for (const bucket of counted) await uncountAttempt(this.client, bucket);
  }

  /** An attempt on an account that has no attempts left does not count against the address. */
  private async beginAsStranger(): Promise<void> {
    await this.count(this.address, MAX_FAILURES.address);
    await this.count(this.account, MAX_FAILURES.account).catch(async (error: unknown) => {
      await uncountAttempt(this.client, this.address);
      throw error;
    });
  }

  private async count(bucket: string, most: number): Promise<void> {
    const { at } = this.origin;
    const { count, resetsAt } = await countAttempt(
      this.client,
      bucket,
      at,
      new Date(at.getTime() + WINDOW_MS),
    );
    if (count <= most) return;
    throw new DomainError("RATE_LIMITED", "Too many login attempts; try again later.", {
      retryAfterSeconds: Math.max(1, Math.ceil((resetsAt.getTime() - at.getTime()) / 1000)),
    });
  }
}
