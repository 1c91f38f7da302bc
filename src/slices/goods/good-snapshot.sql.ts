import { sql } from "../../core/db/sql.js";
import type { Db } from "../../core/scope/company-scope.js";
import { restGood } from "./rest-good.js";

/** What an import may change of a good, by the keys of REST. */
export type GoodSnapshot = Readonly<Record<string, unknown>>;

/**
 * Goods as an import finds them or leaves them, with their categories and what they are at the branch. Pictures that the
 * import wants count as there.
 */
export async function goodSnapshots(
  db: Db,
  { companyId, branchId, importJobId }: { companyId: number; branchId: number | null; importJobId: number },
  ids: readonly number[],
): Promise<ReadonlyMap<number, GoodSnapshot>> {
  if (ids.length === 0) return new Map();
  // A distributed database refuses a join of which a missing branch leaves no condition.
  const atBranch =
    branchId === null
      ? { join: sql.empty, values: sql`'{}'::jsonb` }
      : {
          join: sql`LEFT JOIN branch_goods AS b ON b.company_id = ${companyId} AND b.branch_id = ${branchId} AND b.good_id = g.id`,
          values: sql`jsonb_build_object('branch_price_e2', b.price_e2, 'stock', b.stock, 'disabled', b.disabled)`,
        };
  const rows = await db.$queryRaw<{ id: number; values: GoodSnapshot }[]>`
    SELECT g.id,
           to_jsonb(g) - '{company_id,id,branch_group_id,good_type_id,created_at,updated_at,version,shares_second,deleted_at,rating_e2,rating_sum,rating_count,search_words}'::text[]
           || jsonb_build_object(
                'picture_urls', to_jsonb(g.picture_urls || w.urls), 'vertical_picture_urls', to_jsonb(g.vertical_picture_urls || w.vertical),
                'variants', (SELECT coalesce(jsonb_agg(jsonb_build_object('name', gp.display_name, 'options',
                                    (SELECT coalesce(jsonb_agg(jsonb_build_object('name', o.name, 'price_e2', o.price_e2) ORDER BY o.in_order, o.id), '[]')
                                       FROM property_options AS o WHERE o.company_id = ${companyId} AND o.property_id = p.id))
                                    ORDER BY gp.in_order, gp.id), '[]')
                               FROM good_properties AS gp JOIN properties AS p ON p.company_id = ${companyId} AND p.id = gp.property_id
                              WHERE gp.company_id = ${companyId} AND gp.good_id = g.id AND p.type & 256 <> 0),
                'categories', (SELECT coalesce(jsonb_agg(category_id ORDER BY category_id), '[]') FROM good_categories
                                WHERE company_id = ${companyId} AND good_id = g.id))
           || ${atBranch.values} AS values
      FROM goods AS g ${atBranch.join}
     CROSS JOIN LATERAL (
           SELECT coalesce(array_agg(url ORDER BY id) FILTER (WHERE NOT is_vertical), '{}') AS urls,
                  coalesce(array_agg(url ORDER BY id) FILTER (WHERE is_vertical), '{}') AS vertical
             FROM good_picture_sources
            WHERE company_id = ${companyId} AND good_id = g.id AND import_job_id = ${importJobId} AND key IS NULL) AS w
     WHERE g.company_id = ${companyId} AND g.id = ANY (${[...ids]}::int[])`;
  return new Map(rows.map(({ id, values }) => [id, restGood(values)]));
}

/** By what a new good is recognised as a second one. */
export interface NewName {
  readonly name: string;
  readonly sku: string | null;
}

export async function namesOf(
  db: Db,
  companyId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, NewName>> {
  if (ids.length === 0) return new Map();
  const where = { companyId, id: { in: [...ids] } };
  const goods = await db.good.findMany({ where, select: { id: true, name: true, sku: true } });
  return new Map(goods.map(({ id, name, sku }) => [id, { name, sku }]));
}
