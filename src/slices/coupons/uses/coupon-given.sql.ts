import { sql } from "../../../core/db/sql.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";

/** What a coupon has given and may give in all, in hundredths, read at one moment. */
export interface CouponGiven {
  readonly spentE2: bigint;
  /** What the holds that have not expired would give. */
  readonly heldE2: bigint;
  /** What all uses together may give; `null` without a limit. */
  readonly limitE2: bigint | null;
}

/**
 * Reads what coupons have given. Holds that have expired stand in `held_amount_e2` until they are removed, so they are
 * taken off it here: they are few, however many holds there are. Holds of all shops count, as they do in the coupon's row.
 */
export async function readGiven(
  { whole, companyId, at, reached }: CompanyScope,
  ids: readonly number[],
): Promise<ReadonlyMap<number, CouponGiven>> {
  const rows = await whole.rows<CouponGiven & { id: number }>(sql`
    SELECT c.id, c.spent_amount_e2 AS "spentE2", held.e2 AS "heldE2",
           (c.config ->> 'amountLimitE2')::bigint AS "limitE2"
      FROM coupons c
      CROSS JOIN LATERAL (
        SELECT CASE WHEN c.held_count = 0 THEN 0 ELSE c.held_amount_e2 - (
                 SELECT coalesce(sum(h.amount_e2), 0)::bigint FROM coupon_holds h
                  WHERE h.company_id = ${companyId} AND h.coupon_id = c.id AND h.expires_at <= ${at}::timestamptz
               ) END AS e2
      ) AS held
     WHERE c.company_id = ${companyId} AND c.id = ANY(${[...ids]}::int[]) AND ${reached("Coupon", "c")}`);
  return new Map(rows.map((row) => [row.id, row]));
}
