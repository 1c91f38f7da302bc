import { sql } from "../../core/db/sql.js";
import { MAX_UNPAGED_ROWS } from "../../core/lists/list-page.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";

/**
 * The ids of the newest goods that carry the tag, as many as a list without pages has. The goods themselves are then
 * read by their ids: a condition on tags would go through Prisma, which holds all of them before any is counted.
 */
export async function newestGoodsOfTag(
  scope: CompanyScope,
  goodTagId: number,
  withDeleted: boolean,
  offset: number,
): Promise<number[]> {
  const { companyId } = scope;
  const rows = await scope.rows<{ id: number }>(sql`
    SELECT g.id FROM good_tag_goods t
      JOIN goods g ON g.company_id = t.company_id AND g.id = t.good_id
     WHERE t.company_id = ${companyId} AND t.good_tag_id = ${goodTagId}
       AND (g.deleted_at IS NULL OR ${withDeleted})
     ORDER BY g.created_at DESC, g.id DESC LIMIT ${MAX_UNPAGED_ROWS} OFFSET ${offset}`);
  return rows.map(({ id }) => id);
}

/** How many goods carry the tag. */
export async function countGoodsOfTag(
  scope: CompanyScope,
  goodTagId: number,
  withDeleted: boolean,
): Promise<number> {
  const { companyId } = scope;
  const [row] = await scope.rows<{ goods: number }>(sql`
    SELECT count(*)::int AS goods FROM good_tag_goods t
      JOIN goods g ON g.company_id = t.company_id AND g.id = t.good_id
     WHERE t.company_id = ${companyId} AND t.good_tag_id = ${goodTagId}
       AND (g.deleted_at IS NULL OR ${withDeleted})`);
  return row?.goods ?? 0;
}
