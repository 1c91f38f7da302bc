import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { sql } from "../../../core/db/sql.js";

/** Makes takers of the campaign's budget and other changes of it wait until the transaction ends. @returns whether it exists. */
export async function lockCampaign({ db, companyId }: CompanyScope, id: number): Promise<boolean> {
  const rows = await db.$queryRaw<object[]>`
    SELECT id FROM campaigns WHERE company_id = ${companyId} AND id = ${id} FOR NO KEY UPDATE`;
  return rows.length > 0;
}

/**
 * Those of some campaigns that are finished. Whoever holds the lock of a coupon sees by it whether the campaign of the coupon may
 * finish meanwhile: finishing one locks all its coupons.
 */
export async function finishedCampaigns(
  { db, companyId }: Pick<CompanyScope, "db" | "companyId">,
  ids: readonly number[],
): Promise<ReadonlyMap<number, true>> {
  const where = { companyId, id: { in: [...ids] }, finishedAt: { not: null } };
  const found = await db.campaign.findMany({ where, select: { id: true } });
  return new Map(found.map(({ id }) => [id, true]));
}

/**
 * Writes to the journal that a campaign has other coupons, of which its row says nothing.
 *
 * @param action `part` when its row has changed along with that, which has an entry.
 */
export async function noteCoupons(
  { db, companyId }: CompanyScope,
  id: number,
  action: "update" | "part",
): Promise<void> {
  await db.$queryRaw`
    SELECT note_change(${companyId}::int, 'Campaign', ${action}, ${id}::bigint, '{coupon_ids}',
                       nullif(current_setting('audit.context', true), '')::jsonb)::text`;
}

/** A coupon as far as campaigns depend on it. */
export interface CampaignCoupon {
  readonly id: number;
  readonly type: string;
  readonly status: string;
  readonly campaignId: number | null;
  /** Whether it has given or holds something. */
  readonly isUsed: boolean;
  readonly deletedAt: Date | null;
}

/** Locks coupons, and those of a campaign, in the order of their ids. */
export async function lockCoupons(
  { db, companyId }: CompanyScope,
  ids: readonly number[],
  campaignId: number | null,
): Promise<readonly CampaignCoupon[]> {
  return db.$queryRaw<CampaignCoupon[]>`
    SELECT id, type, status, campaign_id AS "campaignId", spent_count + held_count > 0 AS "isUsed", deleted_at AS "deletedAt"
      FROM coupons
     WHERE company_id = ${companyId} AND (id = ANY (${[...ids]}::int[]) OR campaign_id = ${campaignId}::int)
     ORDER BY id FOR NO KEY UPDATE`;
}

/** What the coupons of a campaign gave and hold together, read at one moment, in hundredths. */
export interface CampaignGiven {
  readonly spentE2: bigint;
  readonly heldE2: bigint;
  /** What is left of the budget; `null` without one. */
  readonly roomE2: bigint | null;
  /** Those that the caller reaches. */
  readonly couponIds: readonly number[];
}

/** A campaign is the whole company's: its sums are of all its coupons, those that the caller does not reach, too. */
export async function readCampaigns(
  { whole, companyId, at, reached }: CompanyScope,
  ids: readonly number[],
): Promise<ReadonlyMap<number, CampaignGiven>> {
  const rows = await whole.rows<CampaignGiven & { id: number }>(sql`
    SELECT p.id, coalesce(sum(c.spent_amount_e2), 0)::bigint AS "spentE2",
           coalesce(sum(CASE WHEN c.held_count = 0 THEN 0 ELSE c.held_amount_e2 - (
             SELECT coalesce(sum(h.amount_e2), 0) FROM coupon_holds h
              WHERE h.company_id = ${companyId} AND h.coupon_id = c.id AND h.expires_at <= ${at}::timestamptz) END), 0)::bigint AS "heldE2",
           campaign_room(${companyId}::int, p.id, ${at}::timestamptz) AS "roomE2",
           coalesce(array_agg(c.id ORDER BY c.id) FILTER (
             WHERE c.id IS NOT NULL AND c.deleted_at IS NULL AND ${reached("Coupon", "c")}), '{}') AS "couponIds"
      FROM campaigns p
      LEFT JOIN coupons c ON c.company_id = ${companyId} AND c.campaign_id = p.id
     WHERE p.company_id = ${companyId} AND p.id = ANY (${[...ids]}::int[])
     GROUP BY p.id`);
  return new Map(rows.map((row) => [row.id, row]));
}
