import type { Db } from "../../core/db/db.js";
import { THIS_MOMENT } from "../../core/db/moment.js";
import { sql, type Sql } from "../../core/db/sql.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { STORED_COLUMNS } from "../coupons/checks/coupon-columns.sql.js";
import { prizeArguments, type PrizeCoupon } from "../coupons/codes/prize-coupon.sql.js";
import type { CouponRow } from "../coupons/coupon.model.js";

/**
 * First of the two numbers of an event's advisory lock, which sets it apart from other locks; the second is the event's
 * id.
 */
const EVENT_LOCKS = 0x5ea5;

/** Makes other changes of the event wait until this transaction ends. @returns whether the event exists. */
export async function lockEvent({ db, companyId }: CompanyScope, id: number): Promise<boolean> {
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT id FROM company_events
     WHERE company_id = ${companyId} AND id = ${id} AND deleted_at IS NULL FOR NO KEY UPDATE`;
  return rows.length > 0;
}

/**
 * Waits for the shakes that are under way and lets no new one begin until this transaction ends. Shakes take the same
 * lock in its shared form, so that they do not wait for one another.
 */
export async function lockShakes({ db }: CompanyScope, id: number): Promise<void> {
  await db.$queryRaw`SELECT pg_advisory_xact_lock(${EVENT_LOCKS}::int, ${id}::int)::text`;
}

/**
 * Reads, for a client, the events that run at the moment, the one that started first before the others, with all that
 * its next draw in each depends on, in one statement.
 */
export function readDrawings(scope: CompanyScope, clientId: number): Promise<readonly Drawing[]> {
  const { companyId, at } = scope;
  return scope.rows<Drawing>(
    sql`
    SELECT e.id, e.name, e.config, e.seed, coalesce(p.draw_count, 0) AS "drawCount", w.place AS "wonPlace",
           ARRAY(SELECT place FROM company_event_prizes
                  WHERE company_id = ${companyId} AND company_event_id = e.id AND won_count < max_count) AS "placesLeft"
      FROM (SELECT id, name, config, seed, starts_at FROM company_events
             WHERE company_id = ${companyId} AND deleted_at IS NULL
               AND (status = 'running' OR (status = 'ready' AND starts_at <= ${at}::timestamptz))
               AND (ends_at IS NULL OR ends_at > ${at}::timestamptz)) AS e
      LEFT JOIN company_event_players p
        ON p.company_id = ${companyId} AND p.company_event_id = e.id AND p.client_id = ${clientId}
      LEFT JOIN company_event_draws w
        ON w.company_id = ${companyId} AND w.company_event_id = e.id AND w.client_id = p.client_id
       AND w.number = p.draw_count AND p.won_at IS NOT NULL
     ORDER BY e.starts_at, e.id`,
    { plan: "kept" },
  );
}

/** An event that runs, and what a client's next draw in it depends on. */
export interface Drawing {
  readonly id: number;
  readonly name: string;
  readonly config: unknown;
  readonly seed: Uint8Array;
  /** How often the client has drawn. */
  readonly drawCount: number;
  /** The place at which the client has won, always by its last draw; `null` when it has not. */
  readonly wonPlace: number | null;
  /** The places at which a coupon is left. A place that is empty stays so. */
  readonly placesLeft: readonly number[];
}

/** The next draw of a client as the rules judged it; the database has the last word on it. */
export interface JudgedDraw {
  readonly companyEventId: number;
  readonly clientId: number;
  /** The number of the draw. */
  readonly first: number;
  /** All numbers from `first` on to this one lose; the same as `first` when that one wins. */
  readonly last: number;
  /** What is won; `null` when the draw loses. */
  readonly prize: { readonly place: number; readonly coupon: PrizeCoupon } | null;
}

/** What became of a draw: `changed` when it was not done, since the event or the client's draws are not any more those judged. */
export type RecordedDraw =
  | { readonly outcome: "changed" }
  | { readonly outcome: "lost"; readonly number: number }
  | {
      readonly outcome: "won";
      readonly number: number;
      readonly coupon: CouponRow;
      readonly code: string;
    };

/** Records a draw and gives the coupon that it won, in one statement. */
export async function recordDraw(scope: CompanyScope, draw: JudgedDraw): Promise<RecordedDraw> {
  const { companyId, at } = scope;
  const { companyEventId, clientId, first, last, prize } = draw;
  const [row] = await scope.rows<RecordedColumns>(
    sql`
    SELECT d.outcome, d.draw_number AS "number", d.coupon_code AS "code", ${STORED_COLUMNS}
      FROM record_draw(${EVENT_LOCKS}::int, ${companyId}::int, ${companyEventId}::int, ${clientId}::int, ${first}::int,
             ${last}::int, ${at}::timestamptz, ${prize?.place ?? null}::int, ${prizeArguments(prize?.coupon ?? null, scope.company.currencyIso)}) d
     CROSS JOIN LATERAL (SELECT (d.coupon).*) c`,
    { plan: "kept" },
  );
  if (row === undefined) throw new Error("a recorded draw is always answered");
  const { outcome, number, code, ...coupon } = row;
  return { outcome, number, code, coupon };
}

type RecordedColumns = CouponRow & {
  readonly outcome: RecordedDraw["outcome"];
  readonly number: number;
  readonly code: string;
};

/** A millisecond later, whatever the zone of the session: only then a distributed database takes it in a change. */
const justAfter = (moment: Sql): Sql =>
  sql`(${moment} AT TIME ZONE 'UTC' + interval '1 ms') AT TIME ZONE 'UTC'`;

/** Finishes the event at this moment, or just after its start or its last draw when these are later. */
export async function finishEvent({ db, companyId, at }: CompanyScope, id: number): Promise<void> {
  await db.$executeRaw`
    UPDATE company_events e
       SET status = 'finished', updated_at = ${at}::timestamptz,
           ends_at = greatest(
             ${at}::timestamptz, ${justAfter(sql`e.starts_at`)},
             (SELECT ${justAfter(sql`max(d.drawn_at)`)} FROM company_event_draws d
               WHERE d.company_id = ${companyId} AND d.company_event_id = ${id}))
     WHERE e.company_id = ${companyId} AND e.id = ${id}`;
}

/** Writes the status that is due now, by the database's clock. @returns that status; `null` when none is due. */
export async function moveDueEvent(
  { db, companyId }: Pick<CompanyScope, "db" | "companyId">,
  id: number,
): Promise<string | null> {
  const [event] = await db.$queryRaw<{ status: string }[]>`
    UPDATE company_events
       SET status = CASE WHEN ends_at <= moment.now THEN 'finished' ELSE 'running' END, updated_at = moment.now
      FROM ${THIS_MOMENT}
     WHERE company_id = ${companyId} AND id = ${id} AND deleted_at IS NULL
       AND ((status = 'ready' AND starts_at <= moment.now) OR (status = 'running' AND ends_at <= moment.now))
    RETURNING status`;
  return event?.status ?? null;
}

/** Finds the companies that have an event of this id, for the operator who names no company. */
export async function findCompaniesOfEvent(client: Pick<Db, "$queryRaw">, id: number): Promise<number[]> {
  const rows = await client.$queryRaw<{ companyId: number }[]>`
    /* all companies */
    SELECT company_id AS "companyId" FROM company_events WHERE id = ${id} ORDER BY company_id`;
  return rows.map(({ companyId }) => companyId);
}
