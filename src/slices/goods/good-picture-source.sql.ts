import type { Db } from "../../core/scope/company-scope.js";

/** A picture that an import wants for a good, and the cell that names it. */
export interface WantedGoodPicture {
  readonly goodId: number;
  readonly isVertical: boolean;
  readonly url: string;
  readonly urlHash: string;
  /** The key in a URL that looks like one of the service's own. */
  readonly key: string | null;
  readonly row: number;
  readonly column: string | null;
  readonly header: string | null;
  readonly field: string;
}

/** A wanted picture that this process is about to fetch. */
export type TakenPicture = Omit<WantedGoodPicture, "urlHash" | "key"> & { readonly id: bigint };

interface OfImport {
  readonly companyId: number;
  readonly importJobId: number;
}

/** Whoever takes a picture has to fetch it within this time; then another one may take it. */
const TAKEN_SECONDS = 60;

/**
 * Notes pictures that are to be fetched: those that their goods do not show, be it as a stored picture, by the same URL, or
 * as one that was fetched from it before. @returns how many.
 */
export async function wantPictures(
  db: Db,
  { companyId, importJobId }: OfImport,
  pictures: readonly WantedGoodPicture[],
): Promise<number> {
  if (pictures.length === 0) return 0;
  await forgetUnfetched(db, companyId, pictures);
  return db.$executeRaw`
    WITH shown AS (
      SELECT DISTINCT ON (n."goodId", n."isVertical", n."urlHash") n.*,
             CASE WHEN n."isVertical" THEN g.vertical_picture_urls ELSE g.picture_urls END AS pictures
        FROM json_to_recordset(${JSON.stringify(pictures)}::json)
             AS n("goodId" int, "isVertical" boolean, url text, "urlHash" text, key text,
                  "row" int, "column" text, header text, field text)
        JOIN goods g ON g.company_id = ${companyId} AND g.id = n."goodId"
       ORDER BY n."goodId", n."isVertical", n."urlHash", n."row")
    INSERT INTO good_picture_sources AS s
           (company_id, good_id, is_vertical, url_hash, url, import_job_id, "row", "column", header, field)
    SELECT ${companyId}::int, w."goodId", w."isVertical", w."urlHash", w.url, ${importJobId}::int,
           w."row", w."column", w.header, w.field
      FROM shown AS w
     WHERE w.url <> ALL (w.pictures) AND coalesce(w.key <> ALL (w.pictures), true)
       AND NOT EXISTS (SELECT FROM good_picture_sources k
                        WHERE k.company_id = ${companyId} AND k.good_id = w."goodId" AND k.is_vertical = w."isVertical"
                          AND k.url_hash = w."urlHash" AND k.key = ANY (w.pictures))
        ON CONFLICT (company_id, good_id, is_vertical, url_hash) DO UPDATE
       SET key = NULL, import_job_id = excluded.import_job_id, "row" = excluded."row", "column" = excluded."column",
           header = excluded.header, field = excluded.field, taken_until = NULL
     WHERE s.key IS NOT NULL`;
}

/** Forgets of these pictures those that imports wanted which are gone: nobody fetches them. */
async function forgetUnfetched(
  db: Db,
  companyId: number,
  pictures: readonly WantedGoodPicture[],
): Promise<void> {
  await db.$executeRaw`
    DELETE FROM good_picture_sources AS s
     WHERE s.company_id = ${companyId} AND s.good_id = ANY (${[...new Set(pictures.map(({ goodId }) => goodId))]}::int[])
       AND s.url_hash = ANY (${[...new Set(pictures.map(({ urlHash }) => urlHash))]}) AND s.key IS NULL
       AND NOT EXISTS (SELECT FROM import_jobs AS j WHERE j.company_id = ${companyId} AND j.id = s.import_job_id)`;
}

/** Takes some of the pictures that an import wants and nobody is fetching. */
export function takePictures(
  db: Db,
  { companyId, importJobId }: OfImport,
  most: number,
): Promise<TakenPicture[]> {
  return db.$queryRaw<TakenPicture[]>`
    UPDATE good_picture_sources SET taken_until = now() + ${TAKEN_SECONDS} * interval '1 second'
     WHERE company_id = ${companyId} AND id = ANY (ARRAY(
           SELECT id FROM good_picture_sources
            WHERE company_id = ${companyId} AND import_job_id = ${importJobId} AND key IS NULL
              AND (taken_until IS NULL OR taken_until <= now())
            ORDER BY id LIMIT ${most}::int FOR UPDATE SKIP LOCKED))
    RETURNING id, good_id AS "goodId", is_vertical AS "isVertical", url, "row", "column", header, field`;
}

/** The moment from which on a picture that somebody has reserved may be reserved again; `null` when none is left. */
export async function nextFreePicture(db: Db, { companyId, importJobId }: OfImport): Promise<Date | null> {
  const [first] = await db.$queryRaw<{ at: Date | null }[]>`
    SELECT min(coalesce(taken_until, now())) AS at FROM good_picture_sources
     WHERE company_id = ${companyId} AND import_job_id = ${importJobId} AND key IS NULL`;
  return first?.at ?? null;
}

/** Lets others take a picture that could not be fetched now. */
export async function releasePicture(db: Db, companyId: number, id: bigint): Promise<void> {
  await db.$executeRaw`
    UPDATE good_picture_sources SET taken_until = NULL WHERE company_id = ${companyId} AND id = ${id} AND key IS NULL`;
}

/** Keeps which picture was fetched; without one, forgets it. @returns whether it was still wanted. */
export async function settlePicture(
  db: Db,
  { companyId, importJobId }: OfImport,
  id: bigint,
  key: string | null,
): Promise<boolean> {
  const wanted = { companyId, id, importJobId, key: null };
  const { count } =
    key === null
      ? await db.goodPictureSource.deleteMany({ where: wanted })
      : await db.goodPictureSource.updateMany({
          where: wanted,
          data: { key, importJobId: null, takenUntil: null },
        });
  return count > 0;
}

/** Gives up what an import wants. @returns how many pictures. */
export async function unwantPictures(db: Db, { companyId, importJobId }: OfImport): Promise<number> {
  const { count } = await db.goodPictureSource.deleteMany({ where: { companyId, importJobId, key: null } });
  return count;
}
