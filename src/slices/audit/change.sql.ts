import type { JsonValue } from "../../core/db/db.js";
import { sql } from "../../core/db/sql.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import type { Change } from "./change.model.js";
import { shownFields } from "./change.rules.js";

/** A place in the journal. */
export interface Place {
  readonly transaction: bigint;
  /** The entry's; 0 before all entries. */
  readonly id: bigint;
  readonly at: Date;
  /** When all entries up to the place had been read. */
  readonly seenAt: Date;
}

interface JournalPage {
  readonly entries: readonly (Omit<Change, "cursor"> & {
    readonly transaction: bigint;
    readonly traceParent: string | null;
    /** The ids by which a row led to its shop that is gone for good or has moved; `null` for other rows. */
    readonly place: JsonValue;
  })[];
  /** The place behind all that was committed, or as far as the page has looked. */
  readonly end: Place;
  /** Whether entries behind the place are not kept any more, or the place is in another journal. */
  readonly isExpired: boolean;
  /** Whether the end is short of all that was committed: others may be behind it. */
  readonly isCut: boolean;
}

interface Row {
  readonly id: string | null;
  readonly transaction: string;
  readonly type: string;
  readonly action: string;
  readonly entityId: string;
  readonly fields: string;
  readonly at: string;
  readonly requestId: string | null;
  readonly traceParent: string | null;
  readonly place: string | null;
  readonly actorKind: Change["actorKind"];
  readonly actorId: number | null;
  readonly endTransaction: string;
  readonly endId: string;
  readonly endAt: string;
  readonly now: string;
  /** Whether there is no entry at the place, which may hold all the same. */
  readonly isGone: boolean;
  readonly isCut: boolean;
}

const MS = sql.raw(`'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`);

/** How many entries are looked through for those that a caller reaches who is bound to shops. */
const MOST_SEEN = 20_000;

/** Who reads; without bounds it is the company itself, whose places are in the whole journal. */
type Reader = Pick<CompanyScope, "companyId" | "at"> & {
  readonly whole: Pick<CompanyScope["whole"], "rows">;
} & Partial<Pick<CompanyScope, "isBound" | "reached">>;

/**
 * Reads the journal behind a place. Entries are read in the order of their transactions, and only those of transactions below
 * the oldest one that goes on: no entry can come before them any more. One statement sees all of it by one snapshot.
 *
 * A place holds while its entry is there. One whose entry was removed by age holds if all before a later moment was read, and
 * nothing since was removed. A place that this server does not reach yet holds, too: a replica may lag.
 *
 * Places are among all entries of the company, and who is bound to shops gets those that it reaches. Of these few may be: a page ends
 * where many have been looked through.
 */
export async function readJournal(
  scope: Reader,
  place: Place | null,
  { types, actions, most }: { types: readonly string[]; actions: readonly string[] | null; most: number },
): Promise<JournalPage> {
  const { companyId, isBound = false } = scope;
  // To plan what a bound follower reaches takes long for all types.
  const isReached = scope.reached?.("JournalEntry", "e", types) ?? sql`true`;
  const { transaction, id, at, seenAt } = place ?? {
    transaction: 0n,
    id: 0n,
    at: scope.at,
    seenAt: scope.at,
  };
  const rows = await scope.whole.rows<Row>(sql`
    WITH bound AS MATERIALIZED (
      SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS below
    ), last AS (
      SELECT e.transaction, e.id, e.at FROM journal_entries e
       WHERE e.company_id = ${companyId} AND e.transaction < (SELECT below FROM bound)
       ORDER BY e.transaction DESC, e.id DESC LIMIT 1
    ), edge AS (
      SELECT e.transaction, e.id, e.at FROM journal_entries e
       WHERE ${isBound && most > 0} AND e.company_id = ${companyId} AND e.transaction < (SELECT below FROM bound)
         AND (e.transaction, e.id) > (${String(transaction)}::bigint, ${String(id)}::bigint)
       ORDER BY e.transaction, e.id OFFSET ${MOST_SEEN - 1} LIMIT 1
    ), page AS (
      SELECT * FROM journal_entries e
       WHERE e.company_id = ${companyId} AND e.transaction < (SELECT below FROM bound)
         AND (e.transaction, e.id) > (${String(transaction)}::bigint, ${String(id)}::bigint)
         AND e.type = ANY (${[...types]}::text[])
         AND (${actions === null} OR e.action = ANY (${[...(actions ?? [])]}::text[]))
         AND (NOT ${isBound} OR coalesce((e.transaction, e.id) <= (SELECT transaction, id FROM edge), true)) AND ${isReached}
       ORDER BY e.transaction, e.id LIMIT ${most}::int
    )
    SELECT p.id::text AS id, p.transaction::text AS transaction, p.type, p.action, p.entity_id::text AS "entityId",
           array_to_string(p.fields, ',') AS fields, to_char(p.at AT TIME ZONE 'UTC', ${MS}) AS at,
           p.request_id AS "requestId", p.trace_parent AS "traceParent", p.place::text AS place, p.actor_kind AS "actorKind", p.actor_id AS "actorId",
           coalesce(g.transaction, l.transaction, 0)::text AS "endTransaction", coalesce(g.id, l.id, 0)::text AS "endId",
           g.id IS NOT NULL AS "isCut",
           to_char(coalesce(g.at, l.at, clock_timestamp()) AT TIME ZONE 'UTC', ${MS}) AS "endAt",
           to_char(clock_timestamp() AT TIME ZONE 'UTC', ${MS}) AS now,
           ${place !== null} AND ${String(transaction)}::bigint < (SELECT below FROM bound)
             AND NOT EXISTS (
               SELECT FROM journal_entries e
                WHERE e.company_id = ${companyId} AND e.transaction = ${String(transaction)}::bigint
                  AND e.id = ${String(id)}::bigint AND e.at = ${at.toISOString()}::timestamptz) AS "isGone"
      FROM (SELECT 1) AS one
      LEFT JOIN last l ON true
      LEFT JOIN edge g ON true
      LEFT JOIN page p ON true
     ORDER BY p.transaction, p.id`);
  const [head] = rows as [Row];
  const end = {
    transaction: BigInt(head.endTransaction),
    id: BigInt(head.endId),
    at: new Date(head.endAt),
    seenAt: new Date(head.now),
  };
  const isBehind = end.transaction < transaction || (end.transaction === transaction && end.id < id);
  return {
    entries: rows.flatMap((row) => (row.id === null ? [] : [entryOf({ ...row, id: row.id })])),
    end: isBehind ? { transaction, id, at, seenAt } : end,
    isExpired: head.isGone && !(await holds(scope, { id, at, seenAt })),
    isCut: head.isCut,
  };
}

/** Says whether a place holds of which there is no entry. It is asked after the page: what is purged between the two is not missed. */
async function holds({ whole }: Reader, { id, at, seenAt }: Omit<Place, "transaction">): Promise<boolean> {
  const [state] = await whole.rows<{ holds: boolean | null }>(sql`
    SELECT (${String(id)}::bigint = 0 OR ${at.toISOString()}::timestamptz < s.purged_before)
             AND coalesce(${seenAt.toISOString()}::timestamptz - interval '1 day' >= s.purged_before, true)
             AND coalesce(${seenAt.toISOString()}::timestamptz >= s.started_at, true) AS holds
      FROM journal_states s WHERE s.id = 1`);
  return state?.holds === true;
}

function entryOf(row: Row & { readonly id: string }): JournalPage["entries"][number] {
  const { type, action, requestId, traceParent, place, actorKind, actorId } = row;
  return {
    id: BigInt(row.id),
    transaction: BigInt(row.transaction),
    type,
    action,
    entityId: BigInt(row.entityId),
    fields: row.fields === "" ? [] : shownFields(type, row.fields.split(",")),
    at: new Date(row.at),
    requestId,
    traceParent,
    place: place === null ? null : (JSON.parse(place) as JsonValue),
    actorKind,
    actorId,
  };
}
