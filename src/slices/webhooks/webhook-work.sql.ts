import type { Pool } from "pg";
import type { Db } from "../../core/db/db.js";
import { THIS_MOMENT } from "../../core/db/moment.js";
import { sql } from "../../core/db/sql.js";
import type { AuthorsReach } from "../../core/jobs/loop.js";
import type { Place } from "../audit/change.sql.js";
import { RETRY_DAYS, type Message } from "./webhook-delivery.rules.js";

/** So many messages of a webhook wait at most; further changes wait in the journal. */
export const MOST_PENDING = 1_000;
/** Of the messages that are due so many are looked at, since other processes have some of them. */
const MOST_SEEN = 32;
/**
 * Says that a message waits yet, for statements that know its id: by `status = 'pending'` the planner may take an index of all that
 * wait in place of the message's key.
 */
const IS_OPEN = "status NOT IN ('delivered', 'dead')";
/** Why a message is given up of which the author may not be told any more. */
export const UNREADABLE = "was not sent: the author may not read it any more";
/** An attempt of which nothing is heard for so long is given up: its process has died. */
const LEASE_SECONDS = 45;
/** The place of a webhook without news is marked as seen so often, so that it holds although its entry goes. */
const SEEN_HOURS = 6;

/** A webhook for which there is something to do. */
export interface WebhookWork {
  readonly companyId: number;
  readonly id: number;
  readonly types: readonly string[];
  readonly actions: readonly string[];
  readonly authorKind: string;
  /** `null` for the platform. */
  readonly authorId: number | null;
  /** Whether its place in the journal is to be moved. */
  readonly hasNews: boolean;
  readonly isFailing: boolean;
}

/** Finds the webhooks of all companies that have news or a message that is due. */
export async function findWork(pool: Pool): Promise<WebhookWork[]> {
  const { rows } = await pool.query<WebhookWork>(
    `/* all companies */
     SELECT company_id AS "companyId", id, types, actions, author_kind AS "authorKind", author_id AS "authorId",
            has_news AS "hasNews", is_failing AS "isFailing"
       FROM (
       SELECT w.*, s.failing_since IS NOT NULL AS is_failing,
              w.is_enabled AND (
                s.seen_at < now() - make_interval(hours => ${SEEN_HOURS})
                OR s.seen_at < (SELECT started_at FROM journal_states WHERE id = 1)
                OR EXISTS (
                  SELECT FROM journal_entries e
                   WHERE e.company_id = w.company_id AND (e.transaction, e.id) > (s.transaction, s.entry_id)
                     AND e.transaction < pg_snapshot_xmin(pg_current_snapshot())::text::bigint)
                AND (SELECT count(*) FROM (
                       SELECT FROM webhook_deliveries d
                        WHERE d.company_id = w.company_id AND d.webhook_id = w.id AND d.status = 'pending'
                        LIMIT ${MOST_PENDING}) AS waiting) < ${MOST_PENDING}) AS has_news,
              EXISTS (
                SELECT FROM webhook_deliveries d
                 WHERE d.company_id = w.company_id AND d.webhook_id = w.id AND d.status = 'pending'
                   AND d.next_at <= clock_timestamp() AND (w.is_enabled OR d.action = 'test')) AS is_due
         FROM webhooks w
         JOIN webhook_states s ON s.company_id = w.company_id AND s.webhook_id = w.id
         JOIN companies c ON c.id = w.company_id AND c.deleted_at IS NULL) AS found
      WHERE has_news OR is_due
      ORDER BY random() LIMIT 1000`,
  );
  return rows;
}

/** What the author of a webhook may be told of now. */
export interface AuthorsView {
  readonly types: readonly string[];
  readonly reach: AuthorsReach;
}

/** The place of a webhook. */
export interface LockedPlace extends Place {
  /** Whether the journal has begun anew since, as in a database that was restored: the place is in another one. */
  readonly isOfAnother: boolean;
}

/** Locks the state of a webhook and returns its place in the journal; `null` when another process has it. */
export async function lockState(db: Db, companyId: number, webhookId: number): Promise<LockedPlace | null> {
  const [place] = await db.$queryRaw<Place[]>`
    SELECT transaction, entry_id AS id, entry_at AS at, seen_at AS "seenAt"
      FROM webhook_states
     WHERE company_id = ${companyId} AND webhook_id = ${webhookId} FOR UPDATE SKIP LOCKED`;
  if (place === undefined) return null;
  const newer = await db.$queryRaw<object[]>`
    SELECT id FROM journal_states WHERE started_at > ${place.seenAt}`;
  return { ...place, isOfAnother: newer.length > 0 };
}

/** Counts the messages that wait, up to `MOST_PENDING`. */
export async function countPending(db: Db, companyId: number, webhookId: number): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (
      SELECT FROM webhook_deliveries
       WHERE company_id = ${companyId} AND webhook_id = ${webhookId} AND status = 'pending' LIMIT ${MOST_PENDING}) AS waiting`;
  return row?.count ?? 0;
}

/** A message whose attempt has begun, and what it takes to send it. */
export interface ClaimedMessage extends Message {
  readonly webhookId: number;
  readonly attempts: number;
  /** Where the attempt belongs in a trace, as the header `traceparent`; `null` where nobody named one. */
  readonly traceParent: string | null;
  /** What the webhook is when the attempt begins. */
  readonly isEnabled: boolean;
  readonly authorKind: string;
  readonly authorId: number | null;
  readonly url: string;
  readonly query: string | null;
  readonly secret: string;
  /** `null` once it signs no more. */
  readonly previousSecret: string | null;
}

/** A webhook and who was its author when it was looked at. */
type AuthorsWork = Pick<WebhookWork, "companyId" | "id" | "authorKind" | "authorId">;

/** The messages whose attempts have begun. */
export interface Claim {
  readonly messages: readonly ClaimedMessage[];
  /** How many were due and are given up. */
  readonly dropped: number;
}

/**
 * Begins attempts of messages that are due. The first message of each row is due alone: later ones wait for it. An attempt of
 * which the end is not written in time counts as failed without an answer. They are chosen once, apart from the change: a list within
 * it may be read anew for each row, and each time finds others that are not locked.
 *
 * What the author may not read any more is given up in their place, by the rule by which the journal is read: a message has the
 * columns of its entry by which rows are reached. Where the webhook has another author by now, the next look asks what that one may.
 *
 * What waits is read once and put in order, and rows are reached by their place in the table. The planner knows little of a table
 * like a queue, and any join of it with itself may read all that waits for each message.
 *
 * @param view is what the author may be told of; `null` for one that is worth nothing, to whom test events alone are sent.
 */
export async function claimMessages(
  pool: Pool,
  work: AuthorsWork,
  view: AuthorsView | null,
  most: number,
): Promise<Claim> {
  const { companyId, id, authorKind, authorId } = work;
  // To plan what a bound author reaches takes long for all types.
  const asked = view?.reach.isBound === true ? await typesOfDue(pool, work) : null;
  if (asked?.length === 0) return { messages: [], dropped: 0 };
  const isReadable =
    view === null
      ? sql`false`
      : sql`d.type = ANY (${[...view.types]}::text[]) AND ${view.reach.reached("JournalEntry", "d", asked ?? undefined)}`;
  const { text, values } = sql`
    WITH waiting AS MATERIALIZED (
       SELECT d.ctid AS place, d.id, d.next_at,
              row_number() OVER (
                PARTITION BY d.entity_id, d.type COLLATE "C", CASE WHEN d.action = 'test' THEN d.id END ORDER BY d.id) AS number
         FROM webhook_deliveries d
        WHERE d.company_id = ${companyId} AND d.webhook_id = ${id} AND d.status = 'pending'
          AND (${asked === null} OR d.type = ANY (${asked ?? []}::text[]))
          AND (d.action = 'test' OR ${view !== null} AND EXISTS (
            SELECT FROM webhooks w
             WHERE w.company_id = ${companyId} AND w.id = ${id} AND w.is_enabled AND w.author_kind = ${authorKind}
               AND w.author_id IS NOT DISTINCT FROM ${authorId}::int))
     ), due AS MATERIALIZED (
       SELECT d.ctid AS place, d.action = 'test' OR ${isReadable} AS is_readable FROM webhook_deliveries d
        WHERE d.company_id = ${companyId} AND d.status = 'pending' AND d.next_at <= now()
          AND d.ctid = ANY (ARRAY(
            SELECT place FROM waiting WHERE number = 1 AND next_at <= now() ORDER BY next_at, id LIMIT ${MOST_SEEN}))
        ORDER BY d.next_at, d.id LIMIT ${most} FOR UPDATE SKIP LOCKED
     ), dropped AS (
       UPDATE webhook_deliveries SET status = 'dead', finished_at = now(), error = ${UNREADABLE}
        WHERE company_id = ${companyId} AND ctid = ANY (ARRAY(SELECT place FROM due WHERE is_readable IS NOT TRUE))
       RETURNING id
     ), claimed AS (
       UPDATE webhook_deliveries
          SET attempts = attempts + 1, attempted_at = now(), response_status = NULL, response_body = '', error = NULL,
              next_at = now() + make_interval(secs => ${LEASE_SECONDS})
        WHERE company_id = ${companyId} AND ctid = ANY (ARRAY(SELECT place FROM due WHERE is_readable))
       RETURNING *)
     SELECT m.company_id AS "companyId", m.id, m.webhook_id AS "webhookId", m.type, m.action, m.entity_id AS "entityId",
            m.fields, m.at, m.attempts, m.trace_parent AS "traceParent", w.is_enabled AS "isEnabled", w.author_kind AS "authorKind", w.author_id AS "authorId", w.url, w.query, s.secret,
            CASE WHEN s.previous_until > m.attempted_at THEN s.previous_secret END AS "previousSecret", counted.dropped
       FROM (SELECT count(*)::int AS dropped FROM dropped) AS counted
       LEFT JOIN (claimed m
            JOIN webhooks w ON w.company_id = ${companyId} AND w.id = ${id}
            JOIN webhook_states s ON s.company_id = ${companyId} AND s.webhook_id = ${id}) ON true
      ORDER BY m.id`;
  const { rows } = await pool.query<
    { readonly dropped: number } & (ClaimedMessage | Readonly<Record<keyof ClaimedMessage, null>>)
  >(text, [...values]);
  const messages = rows.flatMap(({ dropped: _, ...row }) =>
    row.id === null ? [] : [{ ...row, id: BigInt(row.id), entityId: BigInt(row.entityId) }],
  );
  return { messages, dropped: rows[0]?.dropped ?? 0 };
}

/** The types of messages that are due. */
async function typesOfDue(pool: Pool, { companyId, id }: AuthorsWork): Promise<string[]> {
  const { rows } = await pool.query<{ type: string }>(
    `SELECT DISTINCT type FROM webhook_deliveries
      WHERE company_id = $1 AND webhook_id = $2 AND status = 'pending' AND next_at <= now() ORDER BY type`,
    [companyId, id],
  );
  return rows.map(({ type }) => type);
}

/** What came of an attempt. */
export interface AttemptEnd {
  readonly isDelivered: boolean;
  readonly responseStatus: number | null;
  readonly responseBody: string | null;
  readonly error: string | null;
  /** The pause before the next attempt, in seconds; `null` for none. */
  readonly pause: number | null;
}

/**
 * Writes what came of an attempt, unless it was given up meanwhile. An answer that was taken away before it came, since the person
 * that it may name was erased, is not kept.
 *
 * @returns whether the webhook has had no success for so long that it is to be disabled.
 */
export async function settleAttempt(
  pool: Pool,
  { companyId, webhookId, id, attempts }: ClaimedMessage,
  { isDelivered, responseStatus, responseBody, error, pause }: AttemptEnd,
): Promise<boolean> {
  const { rows } = await pool.query<{ isHopeless: boolean }>(
    `WITH settled AS (
       UPDATE webhook_deliveries
          SET status = CASE WHEN $5 THEN 'delivered' WHEN $9::int IS NULL OR moment.now >= retry_until THEN 'dead'
                            ELSE 'pending' END,
              finished_at = CASE WHEN $5 OR $9::int IS NULL OR moment.now >= retry_until THEN moment.now END,
              next_at = least(now() + make_interval(secs => $9::int), greatest(retry_until, now())),
              response_status = $6, response_body = CASE WHEN response_body IS NOT NULL THEN $7 END, error = $8
         FROM ${THIS_MOMENT.text}
        WHERE company_id = $1 AND id = $3 AND ${IS_OPEN} AND attempts = $4
       RETURNING id
     ), state AS (
       UPDATE webhook_states SET failing_since = CASE WHEN NOT $5 THEN moment.now END
         FROM ${THIS_MOMENT.text}
        WHERE company_id = $1 AND webhook_id = $2 AND (failing_since IS NULL) <> $5::bool AND EXISTS (SELECT FROM settled)
     )
     SELECT NOT $5 AND (failing_since <= now() - make_interval(days => ${RETRY_DAYS})) IS TRUE
            AS "isHopeless"
       FROM webhook_states WHERE company_id = $1 AND webhook_id = $2`,
    [companyId, webhookId, String(id), attempts, isDelivered, responseStatus, responseBody, error, pause],
  );
  return rows[0]?.isHopeless ?? false;
}

/** Gives back a message whose attempt was broken off by the end of the process. */
export async function releaseMessage(pool: Pool, { companyId, id, attempts }: ClaimedMessage): Promise<void> {
  await pool.query(
    `UPDATE webhook_deliveries SET next_at = now()
      WHERE company_id = $1 AND id = $2 AND ${IS_OPEN} AND attempts = $3`,
    [companyId, String(id), attempts],
  );
}

/** Disables a webhook of which nothing was delivered for too long. */
export async function disableHopeless(pool: Pool, { companyId, webhookId }: ClaimedMessage): Promise<void> {
  const isHopeless = `s.failing_since <= now() - make_interval(days => ${RETRY_DAYS})`;
  const { rows } = await pool.query<{ since: string }>(
    `SELECT to_char(s.failing_since AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS') AS since FROM webhook_states s
      WHERE s.company_id = $1 AND s.webhook_id = $2 AND ${isHopeless}`,
    [companyId, webhookId],
  );
  if (rows[0] === undefined) return;
  await pool.query(
    `UPDATE webhooks w SET is_enabled = false, updated_at = now(), disabled_reason = $3
       FROM webhook_states s
      WHERE w.company_id = $1 AND w.id = $2 AND w.is_enabled AND s.company_id = $1 AND s.webhook_id = $2 AND ${isHopeless}`,
    [companyId, webhookId, `No message was delivered since ${rows[0].since}.`],
  );
}
