import { DomainError } from "../../core/errors/domain-error.js";
import type { PrismaClient } from "../../generated/prisma/client.js";
import { countAttempt, uncountAttempt } from "../../core/access/attempts.sql.js";

const WINDOW_MS = 15 * 60_000;
/**
 * How many logins may fail in a window: with one e-mail, in all companies together, and from one network address.
 */
const MAX_FAILURES = { account: 10, address: 100 } as const;

/** One attempt to sign in, counted before the password is looked at. */
export class LoginAttempt {
  private readonly account: string;
  private readonly address: string;

  constructor(
    private readonly client: PrismaClient,
    email: string,
    private readonly origin: { readonly address: string; readonly at: Date },
  ) {
    this.account = `login:account:${email.toLowerCase()}`;
    this.address = `login:address:${origin.address}`;
  }

  /**
   * Counts the attempt. An attempt on an account that has no attempts left does not count against the address.
   *
   * @throws DomainError RATE_LIMITED.
   */
  async begin(): Promise<void> {
    await this.count(this.address, MAX_FAILURES.address);
    await this.count(this.account, MAX_FAILURES.account).catch(async (error: unknown) => {
      await uncountAttempt(this.client, this.address);
      throw error;
    });
  }

  /**
   * Takes the attempt off the counts, since its password was right. Earlier failures stay counted: somebody who has an
   * account of their own under another's e-mail must not gain guesses by it.
   */
  async succeed(): Promise<void> {
    await uncountAttempt(this.client, this.account);
    await uncountAttempt(this.client, this.address);
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
