import { sql } from "../../core/db/sql.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import type { BannerTarget } from "./banner-target.rule.js";

/** What of a stored banner its changes depend on. */
export type LockedBanner = BannerTarget & { readonly days: number };

/** Locks a banner until the transaction ends. @returns null when there is none. */
export async function lockBanner({ db, companyId }: CompanyScope, id: number): Promise<LockedBanner | null> {
  const [row] = await db.$queryRaw<LockedBanner[]>`
    SELECT days, target_type AS "targetType", target_id AS "targetId" FROM promoted_banners
     WHERE company_id = ${companyId} AND id = ${id} FOR UPDATE`;
  return row ?? null;
}

/** The ids of the banners for goods that are deleted. */
export async function bannersOfDeletedGoods({ rows, companyId }: CompanyScope): Promise<number[]> {
  const found = await rows<{ id: number }>(sql`
    SELECT b.id FROM promoted_banners b
      JOIN goods g ON g.company_id = ${companyId} AND g.id = b.good_id AND g.deleted_at IS NOT NULL
     WHERE b.company_id = ${companyId} AND b.good_id IS NOT NULL`);
  return found.map(({ id }) => id);
}

/** Banners with the same days and hours. */
export interface BannersOfHours {
  readonly days: number;
  readonly hourFrom: string;
  readonly hourTo: string;
  readonly tz: string | null;
  readonly ids: readonly number[];
}

/** Reads the enabled banners by their hours, without those for a good that is deleted. */
export function enabledBanners({ rows, companyId }: CompanyScope): Promise<BannersOfHours[]> {
  return rows<BannersOfHours>(sql`
    SELECT b.days, b.hour_from AS "hourFrom", b.hour_to AS "hourTo", b.tz, array_agg(b.id) AS ids
      FROM promoted_banners b
     WHERE b.company_id = ${companyId} AND b.enabled
       AND NOT EXISTS (SELECT FROM goods g
                        WHERE g.company_id = ${companyId} AND g.id = b.good_id AND g.deleted_at IS NOT NULL)
     GROUP BY b.days, b.hour_from, b.hour_to, b.tz`);
}
