import { DomainError } from "../../core/errors/domain-error.js";
import type { Loop, LoopContext, LoopRun } from "../../core/jobs/loop.js";
import { OutboundFailed } from "../../core/outbound.js";
import { readTraceParent, traceParent, type TraceContext } from "../../core/trace-context.js";
import { traced } from "../../core/tracing.js";
import { bodyOf, messageId, pauseAfter, signedHeaders } from "./webhook-delivery.rules.js";
import { authorOf, authorsView, disableGone, followJournal } from "./webhook-follow.js";
import { placeOf } from "./webhook-secret.js";
import {
  claimMessages,
  disableHopeless,
  findWork,
  releaseMessage,
  settleAttempt,
  type AttemptEnd,
  type ClaimedMessage,
  type WebhookWork,
} from "./webhook-work.sql.js";

const LOOK_MS = 3_000;
/** A process sends so many messages at once, of one company so many, and of a webhook whose last attempt failed so many. */
const MOST = 128;
const MOST_OF_COMPANY = 8;
const MOST_FAILING = 4;
/** A receiver has so long to answer. */
const ANSWER_MS = 10_000;
/** So much of an answer is kept. */
const MOST_ANSWER_BYTES = 1_024;

/**
 * Sends the messages of webhooks: each process looks for changes that no message has been made of and for messages that are due,
 * and attempts as many at once as its bounds allow, so that slow receivers take places of their own company.
 */
export const webhookSender: Loop = {
  name: "webhooks",
  everyMs: LOOK_MS,
  begin: (context) => new WebhookSender(context),
};

/** What a process does for a webhook. */
interface Served {
  work: WebhookWork;
  isServing: boolean;
  /** Whether there may be something to do that it has not looked at. */
  isWanted: boolean;
  sending: number;
}

class WebhookSender implements LoopRun {
  private readonly served = new Map<string, Served>();
  private readonly sendingOf = new Map<number, number>();
  private readonly going = new Set<Promise<void>>();
  /** Those for whom no place was free: they are served as soon as some are given back. */
  private readonly withoutPlace = new Set<Served>();
  private sending = 0;

  constructor(private readonly context: LoopContext) {}

  async look(): Promise<void> {
    for (const work of await findWork(this.context.database.pool)) {
      if (this.context.signal.aborted) return;
      await this.serve(this.known(work));
    }
  }

  async settled(): Promise<void> {
    while (this.going.size > 0) await Promise.all(this.going);
  }

  /** What the process does for a webhook, which is as the last look saw it. */
  private known(work: WebhookWork): Served {
    const key = keyOf(work);
    const served = this.served.get(key) ?? { work, isServing: false, isWanted: false, sending: 0 };
    served.work = work;
    this.served.set(key, served);
    return served;
  }

  /** Begins attempts as far as there are free places, and makes messages of news once those that are due are too few for them. */
  private async serve(served: Served): Promise<void> {
    served.isWanted = true;
    if (served.isServing) return;
    served.isServing = true;
    try {
      while (served.isWanted) {
        served.isWanted = false;
        const { work } = served;
        if (!(await this.beginDue(served, work)) || !work.hasNews) continue;
        const hasNews = await followJournal(this.context, work);
        if (served.work === work) served.work = { ...work, hasNews };
        await this.beginDue(served, work);
      }
    } finally {
      served.isServing = false;
      this.forgetIdle(served);
    }
  }

  /**
   * Begins attempts of messages that are due. Their places are taken before they are claimed, since others claim meanwhile.
   *
   * @returns whether places are left.
   */
  private async beginDue(served: Served, work: WebhookWork): Promise<boolean> {
    const free = this.freePlaces(work);
    if (free <= 0) this.withoutPlace.add(served);
    const places = work.isFailing ? Math.min(free, MOST_FAILING - served.sending) : free;
    if (places <= 0) return false;
    this.count(served, places);
    let begun = 0;
    try {
      const view = await authorsView(this.context, work);
      if (view === null) await disableGone(this.context, work);
      for (let hasDropped = true; hasDropped && begun < places;) {
        const claim = await claimMessages(this.context.database.pool, work, view, places - begun);
        for (const message of claim.messages) this.begin(served, message);
        begun += claim.messages.length;
        hasDropped = claim.dropped > 0;
      }
    } finally {
      this.count(served, begun - places);
      if (begun < places) this.serveWaiting();
    }
    return begun < places;
  }

  /** Places were given back. Whoever has claimed messages held more of them meanwhile than there were messages. */
  private serveWaiting(): void {
    const waiting = [...this.withoutPlace];
    this.withoutPlace.clear();
    if (this.context.signal.aborted) return;
    for (const served of waiting) this.keep(this.serve(served));
  }

  /** Keeps work that nobody waits for until it has ended. */
  private keep(work: Promise<void>): void {
    const going = work
      .catch((error: unknown) => this.context.log.warn({ err: error }, "a webhook was not served"))
      .finally(() => this.going.delete(going));
    this.going.add(going);
  }

  private forgetIdle(served: Served): void {
    if (served.isServing || served.sending > 0 || this.withoutPlace.has(served)) return;
    this.served.delete(keyOf(served.work));
  }

  private freePlaces({ companyId }: WebhookWork): number {
    const ofCompany = this.sendingOf.get(companyId) ?? 0;
    return Math.min(MOST - this.sending, MOST_OF_COMPANY - ofCompany);
  }

  private begin(served: Served, message: ClaimedMessage): void {
    const ended = this.attempt(message)
      .catch((error: unknown) => {
        this.context.log.warn(
          { err: error, webhookId: message.webhookId },
          "an attempt of a webhook was not recorded",
        );
        return false;
      })
      .then(async (isDelivered) => {
        this.count(served, -1);
        this.serveWaiting();
        // One that fails waits for the next look.
        if (isDelivered && !this.context.signal.aborted)
          await this.serve(this.known({ ...served.work, isFailing: false }));
        else this.forgetIdle(served);
      });
    this.keep(ended);
  }

  private count(served: Served, change: number): void {
    const { companyId } = served.work;
    const ofCompany = (this.sendingOf.get(companyId) ?? 0) + change;
    this.sending += change;
    served.sending += change;
    if (ofCompany === 0) this.sendingOf.delete(companyId);
    else this.sendingOf.set(companyId, ofCompany);
  }

  /** @returns whether the message was delivered. */
  private async attempt(message: ClaimedMessage): Promise<boolean> {
    const { database, signal } = this.context;
    const parent = readTraceParent(message.traceParent ?? undefined);
    const attributes = {
      "gateway.company_id": message.companyId,
      "gateway.webhook_id": message.webhookId,
      "gateway.attempt": message.attempts,
    };
    const part = { name: "webhook", kind: "client", attributes, parent } as const;
    const end = await traced(this.context.runtime.tracer, part, (place) => this.send(message, place));
    if (signal.aborted && !end.isDelivered) {
      await releaseMessage(database.pool, message);
      return false;
    }
    const isHopeless = await settleAttempt(database.pool, message, end);
    if (isHopeless) await disableHopeless(database.pool, message);
    return end.isDelivered;
  }

  private async send(message: ClaimedMessage, place: TraceContext): Promise<AttemptEnd> {
    // Nobody waits for a test event of a webhook that is disabled.
    const pause = message.isEnabled ? pauseAfter(message.attempts) : null;
    const failed = { isDelivered: false, responseStatus: null, responseBody: null, pause };
    try {
      const secrets = this.secretsOf(message);
      if (secrets.length === 0) return { ...failed, error: "the secret cannot be read; rotate it" };
      // The query, and whoever hears of the change and reads it at once through any process, may read a replica.
      await this.context.runtime.settled();
      const body = bodyOf(message, await this.resultOf(message));
      const headers = {
        "content-type": "application/json",
        "user-agent": "CommerceWebhooks/1",
        traceparent: traceParent(place),
        ...signedHeaders(messageId(message), body, { secrets, at: new Date() }),
      };
      const { status, text } = await this.context.runtime.outbound.post(message.url, {
        headers,
        body,
        milliseconds: ANSWER_MS,
        mostBytes: MOST_ANSWER_BYTES,
        signal: this.context.signal,
      });
      const isDelivered = status >= 200 && status < 300;
      return {
        ...failed,
        isDelivered,
        responseStatus: status,
        responseBody: text.replaceAll("\0", ""),
        error: isDelivered ? null : refusal(status),
      };
    } catch (error) {
      if (error instanceof OutboundFailed) return { ...failed, error: error.message };
      if (error instanceof DomainError)
        return { ...failed, error: `the query failed: ${error.message}`.slice(0, 500) };
      throw error;
    }
  }

  /** The secrets that sign a message, those that the service can read. */
  private secretsOf({ companyId, webhookId, secret, previousSecret }: ClaimedMessage): string[] {
    const { secrets } = this.context.runtime;
    const present = secrets.open(secret, placeOf(companyId, webhookId, "present"));
    const previous =
      previousSecret === null
        ? null
        : secrets.open(previousSecret, placeOf(companyId, webhookId, "previous"));
    return [present, previous].filter((one) => one !== null);
  }

  /** The answer of the webhook's query; `undefined` without one, and for a test event, which is of no row. */
  private async resultOf(message: ClaimedMessage): Promise<object | null | undefined> {
    const { companyId, query, action, entityId } = message;
    if (query === null || action === "test") return undefined;
    const variables = { companyId, id: Number(entityId) };
    return this.context.runAs(authorOf(message), { companyId, text: query, variables });
  }
}

const keyOf = ({ companyId, id }: Pick<WebhookWork, "companyId" | "id">): string => `${companyId}:${id}`;

function refusal(status: number): string {
  return status >= 300 && status < 400
    ? `answered ${status}; redirects are not followed`
    : `answered ${status}`;
}
