import { UploadedLists, type LockedList } from "../../../core/jobs/uploaded-list.sql.js";
import { sql } from "../../../core/db/sql.js";
import type { WorkRow } from "../../../core/jobs/work.js";
import type { CompanyScope, Db } from "../../../core/scope/company-scope.js";

type Inside = Pick<CompanyScope, "db" | "companyId">;

/** Clients by their ids, and by those of their owner. */
export interface NamedClients {
  readonly clientIds: readonly number[];
  readonly externalIds: readonly string[];
}

/** Locks a segment until the transaction ends. @returns its version; `null` when there is none. */
export async function lockSegment({ db, companyId }: Inside, id: number): Promise<number | null> {
  const [row] = await db.$queryRaw<{ version: number }[]>`
    SELECT version FROM client_segments WHERE company_id = ${companyId} AND id = ${id} FOR NO KEY UPDATE`;
  return row?.version ?? null;
}

/** Keeps segments from being removed until the transaction ends. @returns the ids of those that there are. */
export async function keepSegments(
  { db, companyId }: Inside,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT id FROM client_segments WHERE company_id = ${companyId} AND id = ANY (${[...ids]}::int[]) ORDER BY id FOR SHARE`;
  return new Set(rows.map(({ id }) => id));
}

/** How a change of its list counts for a segment. */
export interface ListChange {
  /** Whether it moves the version, which it does unless the same request has done so. */
  readonly movesVersion: boolean;
}

const ITSELF: ListChange = { movesVersion: true };
const versionOf = ({ movesVersion }: ListChange) => (movesVersion ? sql`version = version + 1,` : sql.empty);

/** Adds clients to the list of a segment that is locked. @returns how many were not on it. */
export async function addClients(
  { db, companyId }: Inside,
  segmentId: number,
  { clientIds, externalIds }: NamedClients,
  change = ITSELF,
): Promise<number> {
  const [row] = await db.$queryRaw<{ added: number }[]>`
    WITH added AS (
      INSERT INTO client_segment_members (company_id, segment_id, client_id)
      SELECT ${companyId}::int, ${segmentId}::int, id FROM clients
       WHERE company_id = ${companyId} AND id = ANY (${[...clientIds]}::int[]) AND deleted_at IS NULL
       UNION
      SELECT ${companyId}::int, ${segmentId}::int, entity_id FROM external_ids
       WHERE company_id = ${companyId} AND table_name = 'clients' AND external_id = ANY (${[...externalIds]}::text[]) AND deleted_id = 0
      ON CONFLICT DO NOTHING RETURNING client_id
    ), counted AS (
      UPDATE client_segments SET ${versionOf(change)} listed_count = listed_count + (SELECT count(*) FROM added)
       WHERE company_id = ${companyId} AND id = ${segmentId} AND EXISTS (SELECT FROM added)
    )
    SELECT count(*)::int AS added FROM added`;
  return row?.added ?? 0;
}

/** Takes clients off the list of a segment that is locked. */
export async function removeClients(inside: Inside, segmentId: number, clients: NamedClients): Promise<void> {
  await takeOff(inside, segmentId, { clients, areNamed: true }, ITSELF);
}

/** Makes these the only clients on the list of a segment that is locked. Those who are on it stay. */
export async function replaceClients(
  inside: Inside,
  segmentId: number,
  clients: NamedClients,
  { movesVersion }: ListChange,
): Promise<void> {
  const removed = await takeOff(inside, segmentId, { clients, areNamed: false }, { movesVersion });
  await addClients(inside, segmentId, clients, { movesVersion: movesVersion && removed === 0 });
}

/** Clients to take off a list: those that are named, or all others. */
interface Leaving {
  readonly clients: NamedClients;
  readonly areNamed: boolean;
}

/** @returns how many were on the list. */
async function takeOff(
  { db, companyId }: Inside,
  segmentId: number,
  { clients: { clientIds, externalIds }, areNamed }: Leaving,
  change: ListChange,
): Promise<number> {
  const [row] = await db.$queryRaw<{ removed: number }[]>`
    WITH removed AS (
      DELETE FROM client_segment_members m
       WHERE m.company_id = ${companyId} AND m.segment_id = ${segmentId}
         AND (m.client_id = ANY (${[...clientIds]}::int[]) OR m.client_id IN (
           SELECT e.entity_id FROM external_ids e
            WHERE e.company_id = ${companyId} AND e.table_name = 'clients' AND e.external_id = ANY (${[...externalIds]}::text[])
              AND e.deleted_id = 0)) = ${areNamed}::bool
      RETURNING client_id
    ), counted AS (
      UPDATE client_segments SET ${versionOf(change)} listed_count = listed_count - (SELECT count(*) FROM removed)
       WHERE company_id = ${companyId} AND id = ${segmentId} AND EXISTS (SELECT FROM removed)
    )
    SELECT count(*)::int AS removed FROM removed`;
  return row?.removed ?? 0;
}

/** The coupon that a segment is named by and that is neither finished nor deleted, if any. */
export async function couponOfSegment(
  { db, companyId }: Inside,
  id: number,
): Promise<{ id: number; name: string } | null> {
  const [row] = await db.$queryRaw<{ id: number; name: string }[]>`
    SELECT id, name FROM coupons
     WHERE company_id = ${companyId} AND status <> 'finished' AND deleted_at IS NULL
       AND (config -> 'segmentIds' @> to_jsonb(${id}::int) OR config -> 'excludedSegmentIds' @> to_jsonb(${id}::int))
     ORDER BY id LIMIT 1`;
  return row ?? null;
}

/** A list that is being added; its row and its segment are locked. */
export interface LockedUpload extends LockedList {
  readonly segmentId: number;
}

/** Locks a list and its segment until the transaction ends; `null` when there is none. */
export async function lockUpload(db: Db, { companyId, id }: WorkRow): Promise<LockedUpload | null> {
  const [upload] = await db.$queryRaw<LockedUpload[]>`
    SELECT u.status, u.next_line AS "nextRow", u.failed, u.segment_id AS "segmentId"
      FROM client_segment_uploads u
      JOIN client_segments s ON s.company_id = u.company_id AND s.id = u.segment_id
     WHERE u.company_id = ${companyId} AND u.id = ${id}
       FOR NO KEY UPDATE`;
  return upload ?? null;
}

export const segmentLists = new UploadedLists({ model: "ClientSegmentUpload" });
