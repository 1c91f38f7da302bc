import { sql, type Sql } from "../../../core/db/sql.js";
import type { Candidate, Conditions } from "./coupon-facts.js";
import type { ItemShare } from "../amounts/discount-shares.rules.js";

/** A coupon as it is stored, in the names of the model, with its code and the use that the order made of it. */
export type CouponColumns = Omit<
  Candidate,
  keyof Conditions | keyof SegmentColumns | keyof CampaignColumns | "use"
> &
  Partial<CampaignColumns> &
  SegmentColumns & {
    readonly promoCode: string | null;
    readonly generatedCount: number;
    readonly uploadedCount: number;
    readonly codeLength: number | null;
    readonly loopConfig: unknown;
    readonly companyEventId: number | null;
    readonly createdAt: Date;
    readonly version: number;
    readonly useId: bigint | null;
    readonly useCode: string | null;
    readonly useClientId: number | null;
    readonly useE2: bigint;
    readonly useByCompanyE2: bigint;
    readonly useReturnedE2: bigint;
    readonly useItems: readonly ItemShare[] | null;
    readonly useCreatedAt: Date;
  };

/** Whether the client is in one of the segments that a coupon is for, or excludes; `null` where filters of these have to say so. */
interface SegmentColumns {
  readonly inSegments: boolean | null;
  readonly inExcludedSegments: boolean | null;
}

/** What the campaign of a coupon leaves it; absent where it was not read yet. */
type CampaignColumns = Pick<Candidate, "campaignRoomE2" | "campaignCurrencyIso">;

const COUNT_COLUMNS = sql`
  c.updated_at AS "updatedAt", c.version, c.spent_count AS "spentCount", c.held_count AS "heldCount",
  c.voided_count AS "voidedCount",
  c.spent_amount_e2 AS "spentAmountE2", c.held_amount_e2 AS "heldAmountE2"`;

/**
 * What the campaign of a coupon `c` leaves it. It sums up all coupons of the campaign for each row: where many coupons of one
 * campaign are read, `readConditions` reads it once.
 */
export const CAMPAIGN_COLUMNS = sql`
  CASE WHEN c.campaign_id IS NOT NULL THEN campaign_room(c.company_id, c.campaign_id, now()) END AS "campaignRoomE2",
  CASE WHEN c.campaign_id IS NOT NULL THEN campaign_currency(c.company_id, c.campaign_id) END AS "campaignCurrencyIso"`;

/** The columns that uses change without `updated_at`, but those of its campaign: of a coupon `c`, its code `k` and the use `r`. */
export const CHANGING_COLUMNS = sql`
  ${COUNT_COLUMNS}, k.used_at AS "codeUsedAt", k.voided_at AS "codeVoidedAt", r.id AS "useId",
  r.code AS "useCode", r.client_id AS "useClientId", r.amount_e2 AS "useE2", r.company_amount_e2 AS "useByCompanyE2",
  r.items AS "useItems", r.returned_amount_e2 AS "useReturnedE2",
  r.created_at AS "useCreatedAt"`;

/** The columns that say whether a client is in the segments of a coupon `c`. Of a coupon without segments they cost nothing. */
export function segmentColumns(clientId: Sql): Sql {
  const isIn = (segments: Sql): Sql => sql`
  CASE WHEN jsonb_typeof(${segments}) = 'array' AND ${clientId} IS NOT NULL
       THEN segments_have_client(c.company_id, ${clientId}, ${segments}) ELSE false END`;
  return sql`
  ${isIn(sql`c.config -> 'segmentIds'`)} AS "inSegments",
  ${isIn(sql`c.config -> 'excludedSegmentIds'`)} AS "inExcludedSegments"`;
}

/** The same columns where no client is known yet. */
export const UNKNOWN_SEGMENTS = sql`NULL::boolean AS "inSegments", NULL::boolean AS "inExcludedSegments"`;

/** The values of these columns, and the version of the coupon that they belong to. */
export type ChangingColumns = Pick<
  CouponColumns,
  | keyof SegmentColumns
  | "updatedAt"
  | "version"
  | "spentCount"
  | "heldCount"
  | "voidedCount"
  | "spentAmountE2"
  | "heldAmountE2"
  | "campaignRoomE2"
  | "campaignCurrencyIso"
  | "codeUsedAt"
  | "codeVoidedAt"
  | "useId"
  | "useCode"
  | "useClientId"
  | "useE2"
  | "useByCompanyE2"
  | "useItems"
  | "useReturnedE2"
  | "useCreatedAt"
>;

const FIXED_COLUMNS = sql`
  c.company_id AS "companyId", c.id, c.name, c.promo_code AS "promoCode", c.type, c.status, c.price_e2 AS "priceE2",
  c.price_prc::float8 AS "pricePrc", c.min_purchase_e2 AS "minPurchaseE2", c.total_count AS "totalCount",
  c.generated_count AS "generatedCount", c.uploaded_count AS "uploadedCount", c.code_length AS "codeLength", c.starts_at AS "startsAt", c.ends_at AS "endsAt", c.paused_at AS "pausedAt",
  c.branch_id AS "branchId", c.branch_group_id AS "branchGroupId", c.applies_to AS "appliesTo",
  c.target_type AS "targetType", c.config, c.currency_iso AS "currencyIso", c.whitelist, c.loop_config AS "loopConfig",
  c.company_event_id AS "companyEventId", c.campaign_id AS "campaignId", c.created_at AS "createdAt", c.deleted_at AS "deletedAt"`;

/**
 * The columns of a coupon `c` as the model names them. Fractions are read as floating-point numbers: these are made
 * faster and hold four decimals exactly enough.
 */
export const STORED_COLUMNS = sql`${FIXED_COLUMNS}, ${COUNT_COLUMNS}, ${CAMPAIGN_COLUMNS}`;

/** The columns of a coupon `c`, its code `k` and the use `r`, but those of its campaign. */
export const COUPON_COLUMNS = sql`${FIXED_COLUMNS}, k.id AS "codeId", k.code, ${CHANGING_COLUMNS}`;

/**
 * Puts a row and its conditions together. Each key is written out, since spreading so many takes several times as
 * long.
 *
 * @param changing are of the snapshot that the conditions belong to.
 */
export function candidateOf(
  row: CouponColumns,
  conditions: Conditions,
  changing: ChangingColumns,
): Candidate {
  const coupon = {
    companyId: row.companyId,
    id: row.id,
    name: row.name,
    promoCode: row.promoCode,
    type: row.type,
    status: row.status,
    priceE2: row.priceE2,
    pricePrc: row.pricePrc,
    minPurchaseE2: row.minPurchaseE2,
    totalCount: row.totalCount,
    spentCount: changing.spentCount,
    heldCount: changing.heldCount,
    voidedCount: changing.voidedCount,
    spentAmountE2: changing.spentAmountE2,
    heldAmountE2: changing.heldAmountE2,
    campaignRoomE2: changing.campaignRoomE2 ?? null,
    campaignCurrencyIso: changing.campaignCurrencyIso ?? null,
    generatedCount: row.generatedCount,
    uploadedCount: row.uploadedCount,
    codeLength: row.codeLength,
    startsAt: row.startsAt,
    endsAt: row.endsAt,
    pausedAt: row.pausedAt,
    branchId: row.branchId,
    branchGroupId: row.branchGroupId,
    appliesTo: row.appliesTo,
    targetType: row.targetType,
    config: row.config,
    currencyIso: row.currencyIso,
    whitelist: row.whitelist,
    loopConfig: row.loopConfig,
    companyEventId: row.companyEventId,
    campaignId: row.campaignId,
    createdAt: row.createdAt,
    updatedAt: changing.updatedAt,
    version: changing.version,
    deletedAt: row.deletedAt,
    codeId: row.codeId,
    code: row.code,
    codeUsedAt: changing.codeUsedAt,
    codeVoidedAt: changing.codeVoidedAt,
    isCodeHeld: conditions.isCodeHeld,
    expiredCount: conditions.expiredCount,
    expiredE2: conditions.expiredE2,
    clientUses: conditions.clientUses,
    clientGivenE2: conditions.clientGivenE2,
    inSegments: changing.inSegments ?? false,
    inExcludedSegments: changing.inExcludedSegments ?? false,
    hasOrdered: conditions.hasOrdered,
    targetGroupIds: conditions.targetGroupIds,
    targetBranchIds: conditions.targetBranchIds,
    targetBranchGroupIds: conditions.targetBranchGroupIds,
    hold: conditions.hold,
    use: useOf(changing),
  };
  return coupon;
}

function useOf(row: ChangingColumns): Candidate["use"] {
  if (row.useId === null) return null;
  return {
    id: row.useId,
    code: row.useCode,
    clientId: row.useClientId,
    amountE2: row.useE2,
    companyAmountE2: row.useByCompanyE2,
    items: row.useItems ?? [],
    returnedAmountE2: row.useReturnedE2,
    createdAt: row.useCreatedAt,
  };
}
