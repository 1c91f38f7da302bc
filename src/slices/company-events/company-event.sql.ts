import type { PrismaClient } from "../../generated/prisma/client.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import type { DrawKey } from "./draw.rules.js";

/**
 * First of the two numbers of an event's advisory lock, which tells it from other locks; the second is the event's
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
 * Of the events that run at the moment, the one that started first, locked against finishing; `null` when none
 * runs.
 */
export async function shakeableEvent({ db, companyId, at }: CompanyScope): Promise<RunningEvent | null> {
  const [event] = await db.$queryRaw<RunningEvent[]>`
    SELECT e.id, e.name, e.config, e.seed,
           pg_advisory_xact_lock_shared(${EVENT_LOCKS}::int, e.id)::text AS "lock"
      FROM (SELECT id, name, config, seed FROM company_events
             WHERE company_id = ${companyId} AND deleted_at IS NULL
               AND (status = 'running' OR (status = 'ready' AND starts_at <= ${at}::timestamptz))
               AND (ends_at IS NULL OR ends_at > ${at}::timestamptz)
             ORDER BY starts_at, id
             LIMIT 1) AS e`;
  return event ?? null;
}

export interface RunningEvent {
  readonly id: number;
  readonly name: string;
  readonly config: unknown;
  readonly seed: Uint8Array;
}

/**
 * Counts one more draw of the client and makes its other draws wait until this transaction ends.
 *
 * @returns the number of the draw; `null` when the client has won or the event has been finished.
 */
export async function nextDraw(
  { db, companyId }: CompanyScope,
  companyEventId: number,
  clientId: number,
): Promise<number | null> {
  const [player] = await db.$queryRaw<{ number: number }[]>`
    INSERT INTO company_event_players AS p (company_id, company_event_id, client_id, draw_count)
    SELECT company_id, id, ${clientId}::int, 1 FROM company_events
     WHERE company_id = ${companyId} AND id = ${companyEventId} AND status IN ('ready', 'running')
    ON CONFLICT (company_id, company_event_id, client_id) DO UPDATE SET draw_count = p.draw_count + 1
     WHERE p.won_at IS NULL
    RETURNING draw_count AS number`;
  return player?.number ?? null;
}

/** The places, in their order, at which a coupon is left. A place that is empty stays so. */
export async function placesLeft(
  { db, companyId }: CompanyScope,
  companyEventId: number,
  places: readonly number[],
): Promise<number[]> {
  const prizes = await db.$queryRaw<{ place: number }[]>`
    SELECT place FROM company_event_prizes
     WHERE company_id = ${companyId} AND company_event_id = ${companyEventId} AND place = ANY (${places}::int[])
       AND won_count < max_count
     ORDER BY place`;
  return prizes.map(({ place }) => place);
}

/**
 * Counts one more coupon at a place as won and records the draw. All winners of a place wait for one another here,
 * so it is one statement, and the last one of its transaction. The draw gets its id at the same time, so that ids
 * follow the order of the wins.
 *
 * @returns whether one was left.
 */
export async function winPrize(
  { db, companyId, at }: CompanyScope,
  { companyEventId, clientId, number }: DrawKey,
  { place, couponId }: { readonly place: number; readonly couponId: number },
): Promise<boolean> {
  const rows = await db.$queryRaw<{ number: number }[]>`
    WITH prize AS (
      UPDATE company_event_prizes SET won_count = won_count + 1
       WHERE company_id = ${companyId} AND company_event_id = ${companyEventId} AND place = ${place}
         AND won_count < max_count
      RETURNING won_count AS number
    ), draw AS (
      INSERT INTO company_event_draws
        (company_id, company_event_id, client_id, number, drawn_at, place, prize_number, coupon_id)
      SELECT ${companyId}::int, ${companyEventId}::int, ${clientId}::int, ${number}::int, ${at}::timestamptz,
             ${place}::int, prize.number, ${couponId}::int
        FROM prize
    )
    UPDATE company_event_players AS p SET won_at = ${at}::timestamptz
      FROM prize
     WHERE p.company_id = ${companyId} AND p.company_event_id = ${companyEventId} AND p.client_id = ${clientId}
    RETURNING prize.number`;
  return rows.length > 0;
}

/** Finishes the event at this moment, or just after its start or its last draw when these are later. */
export async function finishEvent({ db, companyId, at }: CompanyScope, id: number): Promise<void> {
  await db.$executeRaw`
    UPDATE company_events e
       SET status = 'finished', updated_at = ${at}::timestamptz,
           ends_at = greatest(
             ${at}::timestamptz, e.starts_at + interval '1 ms',
             (SELECT max(d.drawn_at) + interval '1 ms' FROM company_event_draws d
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
       SET status = CASE WHEN ends_at <= now() THEN 'finished' ELSE 'running' END, updated_at = now()
     WHERE company_id = ${companyId} AND id = ${id} AND deleted_at IS NULL
       AND ((status = 'ready' AND starts_at <= now()) OR (status = 'running' AND ends_at <= now()))
    RETURNING status`;
  return event?.status ?? null;
}

/** Finds the companies that have an event of this id, for the operator who names no company. */
export async function findCompaniesOfEvent(
  client: Pick<PrismaClient, "$queryRaw">,
  id: number,
): Promise<number[]> {
  const rows = await client.$queryRaw<{ companyId: number }[]>`
    /* all companies */
    SELECT company_id AS "companyId" FROM company_events WHERE id = ${id} ORDER BY company_id`;
  return rows.map(({ companyId }) => companyId);
}
