import type { CompanyScope } from "../../core/scope/company-scope.js";
import { sql } from "../../core/db/sql.js";

export interface GoodPictures {
  readonly pictures: string[];
  readonly verticalPictures: string[];
}

/** Locks a good that is not deleted, until its pictures have changed. */
export async function lockPictures(
  { db, companyId }: Pick<CompanyScope, "db" | "companyId">,
  id: number,
): Promise<GoodPictures | null> {
  const [row] = await db.$queryRaw<GoodPictures[]>`
    SELECT picture_urls AS "pictures", vertical_picture_urls AS "verticalPictures" FROM goods
     WHERE company_id = ${companyId} AND id = ${id} AND deleted_at IS NULL FOR NO KEY UPDATE`;
  return row ?? null;
}

export interface SuggestedPicture {
  readonly goodId: number;
  readonly name: string;
  readonly picture: string;
  readonly score: number;
}

interface LikeGood {
  readonly id: number;
  readonly name: string;
  readonly barcodes: readonly string[];
}

/**
 * Pictures of goods that have a barcode of this one, or a like name; best first. The index of filters has all
 * barcodes, and the trigrams of the names of goods with pictures; by the sum nobody walks through all goods in the order of
 * their ids instead.
 */
export function picturesOfLikeGoods(
  scope: CompanyScope,
  { id, name, barcodes }: LikeGood,
  { most, withDeleted }: { most: number; withDeleted: boolean },
): Promise<SuggestedPicture[]> {
  const { companyId } = scope;
  const others = sql`
    FROM goods g WHERE g.company_id = ${companyId} AND g.picture_urls <> '{}' AND g.id <> ${id}
     AND (${withDeleted} OR g.deleted_at IS NULL)`;
  return scope.rows<SuggestedPicture>(sql`
    SELECT g.id AS "goodId", g.name AS "name", p.picture AS "picture", round(l.score::numeric, 4)::float8 AS "score"
      FROM (SELECT id, max(score) AS score FROM (
              (SELECT g.id, 1::real AS score ${others} AND g.barcodes && ${barcodes}::text[]
                 AND folded_texts(g.barcodes) && folded_texts(${barcodes}::text[]) ORDER BY g.id + 0 LIMIT ${most})
              UNION ALL
              (SELECT g.id, similarity(folded(g.name), folded(${name}::text)) AS score
                      ${others} AND (CASE WHEN g.picture_urls <> '{}' THEN folded(g.name) END) % folded(${name}::text) ORDER BY score DESC, g.id LIMIT ${most})
            ) AS found GROUP BY id) AS l
      JOIN goods g ON g.company_id = ${companyId} AND g.id = l.id
     CROSS JOIN unnest(g.picture_urls) WITH ORDINALITY AS p (picture, place)
     ORDER BY l.score DESC, g.id, p.place LIMIT ${most}`);
}
