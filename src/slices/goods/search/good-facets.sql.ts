import { sql } from "../../../core/db/sql.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { MOST_FACETS, type GoodFacet, type GoodFacets } from "./good-facets.model.js";

/** Counts goods by their categories, their tags and the enabled branches that sell them, those with the most first. */
export async function facetsOf(scope: CompanyScope, goodIds: readonly number[]): Promise<GoodFacets> {
  const { companyId } = scope;
  const rows = await scope.rows<GoodFacet & { kind: keyof GoodFacets }>(sql`
    WITH found AS MATERIALIZED (SELECT unnest(${[...goodIds]}::int[]) AS id),
         counted AS (
           SELECT 'categories' AS kind, c.id, c.name, count(*)::int AS count
             FROM found f
             JOIN good_categories l ON l.company_id = ${companyId} AND l.good_id = f.id
             JOIN categories c ON c.company_id = l.company_id AND c.id = l.category_id
            GROUP BY c.id, c.name
            UNION ALL
           SELECT 'tags', t.id, t.name, count(*)::int
             FROM found f
             JOIN good_tag_goods l ON l.company_id = ${companyId} AND l.good_id = f.id
             JOIN good_tags t ON t.company_id = l.company_id AND t.id = l.good_tag_id
            GROUP BY t.id, t.name
            UNION ALL
           SELECT 'branches', b.id, b.name, count(*)::int
             FROM found f
             JOIN branch_goods l ON l.company_id = ${companyId} AND l.good_id = f.id AND NOT l.disabled
             JOIN branches b ON b.company_id = l.company_id AND b.id = l.branch_id AND b.enabled
            GROUP BY b.id, b.name)
    SELECT kind, id, name, count
      FROM (SELECT counted.*, row_number() OVER (PARTITION BY kind ORDER BY count DESC, name, id) AS place FROM counted) AS placed
     WHERE place <= ${MOST_FACETS}
     ORDER BY kind, place`);
  const of = (wanted: keyof GoodFacets): GoodFacet[] =>
    rows.filter(({ kind }) => kind === wanted).map(({ id, name, count }) => ({ id, name, count }));
  return { categories: of("categories"), tags: of("tags"), branches: of("branches") };
}
