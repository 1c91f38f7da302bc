import { sql } from "../../core/db/sql.js";
import { MAX_UNPAGED_ROWS } from "../../core/lists/list-page.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { ofShop } from "./good-batch.sql.js";

/** A good that is not deleted and has the sku in the shop, other than the one named. */
export async function goodWithSku(
  { db, companyId }: CompanyScope,
  { branchGroupId, sku, except }: { branchGroupId: number | null; sku: string; except: number | null },
): Promise<number | null> {
  const [good] = await db.$queryRaw<{ id: number }[]>`
    SELECT id FROM goods
     WHERE company_id = ${companyId} AND ${ofShop(branchGroupId)} AND sku = ${sku} AND deleted_at IS NULL
       AND id IS DISTINCT FROM ${except}::int
     ORDER BY sku, id LIMIT 1`;
  return good?.id ?? null;
}

/** A sku that several goods of a shop have. */
export interface SharedSkuRow {
  readonly sku: string;
  readonly branchGroupId: number | null;
  readonly goodIds: readonly number[];
}

/** The skus that several goods of a shop have, in their order, as many as a list without pages has. */
export function sharedSkus(scope: CompanyScope, offset: number): Promise<SharedSkuRow[]> {
  return scope.rows<SharedSkuRow>(sql`
    SELECT sku, branch_group_id AS "branchGroupId", (array_agg(id ORDER BY id))[1:100] AS "goodIds"
      FROM goods
     WHERE company_id = ${scope.companyId} AND deleted_at IS NULL AND sku <> ''
     GROUP BY sku, branch_group_id HAVING count(*) > 1
     ORDER BY sku, branch_group_id NULLS FIRST
     LIMIT ${MAX_UNPAGED_ROWS} OFFSET ${offset}`);
}
