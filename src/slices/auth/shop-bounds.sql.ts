import type { ShopBounds } from "../../core/access/role-directory.js";
import { sql, type Sql } from "../../core/db/sql.js";

/** The shops and branches of an admin type, as they are read. */
export interface BoundsRow {
  readonly branchGroupIds: readonly number[] | null;
  readonly branchIds: readonly number[] | null;
  readonly shopsOfBranches: readonly (number | null)[] | null;
}

/** The columns of the bounds of an admin type `t` of a company; null where there is none. */
export const boundsColumns = (companyId: number): Sql => sql`
  t.branch_group_ids AS "branchGroupIds", t.branch_ids AS "branchIds",
  ARRAY(SELECT b.branch_group_id FROM unnest(t.branch_ids) WITH ORDINALITY AS bound (id, place)
          LEFT JOIN branches b ON b.company_id = ${companyId} AND b.id = bound.id
         ORDER BY bound.place) AS "shopsOfBranches"`;

/** The bounds that were read; `null` where nothing binds. */
export function boundsIn({ branchGroupIds, branchIds, shopsOfBranches }: BoundsRow): ShopBounds | null {
  const bounds = {
    branchGroupIds: branchGroupIds ?? [],
    branchIds: branchIds ?? [],
    shopsOfBranches: shopsOfBranches ?? [],
  };
  return bounds.branchGroupIds.length + bounds.branchIds.length === 0 ? null : bounds;
}
