import { NO_JSON } from "../../core/db/db.js";
import type { Author } from "../../core/jobs/jobs.js";
import type { LoopContext } from "../../core/jobs/loop.js";
import type { Sql } from "../../core/db/sql.js";
import { FOLLOWED_MODELS } from "../../core/operations/audited-models.js";
import { mayReadRows } from "../audit/audit-values.access.js";
import { readJournal } from "../audit/change.sql.js";
import { RETRY_DAYS } from "./webhook-delivery.rules.js";
import {
  countPending,
  lockState,
  MOST_PENDING,
  type AuthorsView,
  type WebhookWork,
} from "./webhook-work.sql.js";

/** So many changes become messages in one transaction. */
const BATCH = 250;
const DAY_MS = 24 * 60 * 60_000;

const GONE =
  "Its author is suspended, no admin of the company any more, or no key that is good; whoever changes its url, types or query becomes the author.";
const LEFT_BEHIND =
  "Changes that it had still to send are not kept any more; read all rows anew. It goes on with what changes from then on.";

/**
 * Makes messages of the changes behind the place of a webhook, except its own, and moves the place, in one transaction. Another process that
 * does so at the same time is left to do it.
 *
 * @returns whether there are more changes, and room for their messages.
 */
export async function followJournal(context: LoopContext, work: WebhookWork): Promise<boolean> {
  const { companyId, id } = work;
  const view = await authorsView(context, work, work.types);
  return context.transaction(companyId, async (db) => {
    const state = await lockState(db, companyId, id);
    if (state === null) return false;
    const where = { companyId, id, isEnabled: true };
    const disable = async (disabledReason: string): Promise<false> => {
      await db.webhook.updateMany({ where, data: { isEnabled: false, disabledReason } });
      return false;
    };
    if (view === null) return disable(GONE);
    const room = Math.min(BATCH, MOST_PENDING - (await countPending(db, companyId, id)));
    if (room <= 0) return false;
    const reading = {
      companyId,
      at: new Date(),
      ...view.reach,
      whole: { rows: <Row>(statement: Sql) => db.$queryRaw<Row[]>(statement) },
    };
    const actions = work.actions.length === 0 ? null : work.actions;
    const from = state.isOfAnother ? null : state;
    const page = await readJournal(reading, from, {
      types: view.types,
      actions,
      most: room + 1,
    });
    const isLost = state.isOfAnother || page.isExpired;
    const entries = isLost ? [] : page.entries.slice(0, room);
    const last = !isLost && page.entries.length > room ? entries.at(-1) : undefined;
    const { seenAt } = page.end;
    const sent = entries.filter(({ type, entityId }) => type !== "Webhook" || entityId !== BigInt(id));
    if (sent.length > 0)
      await db.webhookDelivery.createMany({
        data: sent.map(({ type, action, entityId, fields, at, traceParent, place }) => ({
          companyId,
          webhookId: id,
          ...{ type, action, entityId, fields, at, traceParent, place: place ?? NO_JSON },
          createdAt: seenAt,
          nextAt: seenAt,
          retryUntil: new Date(seenAt.getTime() + RETRY_DAYS * DAY_MS),
        })),
      });
    const place =
      last === undefined
        ? page.end
        : { transaction: last.transaction, id: last.id, at: last.at, seenAt: last.at };
    await db.webhookState.updateMany({
      where: { companyId, webhookId: id },
      data: { transaction: place.transaction, entryId: place.id, entryAt: place.at, seenAt: place.seenAt },
    });
    if (isLost) return disable(LEFT_BEHIND);
    return last !== undefined || page.isCut;
  });
}

/** The principal whose rights a webhook has. Nobody answers for what a key only reads, and a message comes from no address. */
export function authorOf({
  companyId,
  authorKind,
  authorId,
}: Pick<WebhookWork, "companyId" | "authorKind" | "authorId">): Author {
  if (authorId === null) return { kind: "platform" };
  return authorKind === "key"
    ? { kind: "key", id: authorId, companyId, makerId: null, isElsewhere: false }
    : { kind: "admin", id: authorId, companyId };
}

/** Disables a webhook whose author is worth nothing any more. */
export async function disableGone(
  context: LoopContext,
  { companyId, id, authorKind, authorId }: WebhookWork,
): Promise<void> {
  const where = { companyId, id, isEnabled: true, authorKind, authorId };
  await context.transaction(companyId, (db) =>
    db.webhook.updateMany({ where, data: { isEnabled: false, disabledReason: GONE } }),
  );
}

/**
 * Looks up what the author of a webhook may be told of now.
 *
 * @param asked are the types in question; none for all.
 * @returns `null` when the author is worth nothing any more.
 */
export async function authorsView(
  context: LoopContext,
  work: WebhookWork,
  asked: readonly string[] = [],
): Promise<AuthorsView | null> {
  const caller = authorOf(work);
  const reach = await context.reachOf(caller, work.companyId);
  if (reach === null) return null;
  const { runtime } = context;
  const types: string[] = [];
  for (const model of FOLLOWED_MODELS)
    if (
      (asked.length === 0 || asked.includes(model)) &&
      (await mayReadRows({ caller, runtime }, work.companyId, model))
    )
      types.push(model);
  return { types, reach };
}
