import { MOMENT_BEHIND_LOCKS } from "../../../core/db/moment.js";
import { UploadedLists, type LockedList } from "../../../core/jobs/uploaded-list.sql.js";
import type { WorkRow } from "../../../core/jobs/work.js";
import type { Db } from "../../../core/scope/company-scope.js";

/** The state of an upload and of its coupon; both rows are locked. */
export interface LockedUpload extends LockedList {
  readonly couponId: number;
  /** What is done with its codes. */
  readonly action: "add" | "void";
  readonly type: string;
  readonly totalCount: number;
  /** Whether the coupon takes no more codes. */
  readonly isOver: boolean;
}

interface CouponKey {
  readonly companyId: number;
  readonly couponId: number;
}

/** Locks an upload and its coupon until the transaction ends; `null` when there is none. */
export async function lockUpload(db: Db, { companyId, id }: WorkRow): Promise<LockedUpload | null> {
  const [upload] = await db.$queryRaw<LockedUpload[]>`
    SELECT u.status, u.next_line AS "nextRow", u.failed, u.coupon_id AS "couponId", u.action, c.type, c.total_count AS "totalCount",
           c.deleted_at IS NOT NULL OR c.status = 'finished' OR coalesce(c.ends_at <= now(), false) AS "isOver"
      FROM coupon_code_uploads u
      JOIN coupons c ON c.company_id = u.company_id AND c.id = u.coupon_id
     WHERE u.company_id = ${companyId} AND u.id = ${id}
       FOR NO KEY UPDATE`;
  return upload ?? null;
}

/** A code that was not added, as the company has it already: of the coupon itself or of another one. */
export interface TakenCode {
  readonly code: string;
  readonly isOwn: boolean;
}

/**
 * Adds codes to a coupon that is locked, except those that the company has already, and counts them. The database answers
 * the few that are left out, not the many that it adds.
 *
 * @returns the codes that it left out.
 */
export async function addUploaded(
  db: Db,
  { companyId, couponId }: CouponKey,
  codes: readonly string[],
): Promise<readonly TakenCode[]> {
  if (codes.length === 0) return [];
  const taken = await db.$queryRaw<TakenCode[]>`
    WITH line AS (
      SELECT code, place FROM string_to_table(${codes.join()}, ',') WITH ORDINALITY AS line (code, place)
    ), added AS (
      INSERT INTO coupon_codes (company_id, coupon_id, code, created_at)
      SELECT ${companyId}::int, ${couponId}::int, code, moment.now FROM line CROSS JOIN ${MOMENT_BEHIND_LOCKS} ORDER BY place
      ON CONFLICT DO NOTHING RETURNING code
    )
    SELECT l.code, EXISTS (
             SELECT FROM coupon_codes k
              WHERE k.company_id = ${companyId} AND k.coupon_id = ${couponId} AND k.code = l.code) AS "isOwn"
      FROM line l WHERE l.code NOT IN (SELECT code FROM added)`;
  const added = codes.length - taken.length;
  await db.$executeRaw`
    UPDATE coupons
       SET total_count = total_count + ${added}::int, generated_count = generated_count + ${added}::int,
           uploaded_count = uploaded_count + ${added}::int
     WHERE company_id = ${companyId} AND id = ${couponId}`;
  return taken;
}

/** A code that was not voided. */
export interface KeptCode {
  readonly code: string;
  readonly rule: "exists" | "used" | "held";
}

/** Voids codes of a coupon that is locked, and counts them; those that are voided already stay so. @returns those it left. */
export async function voidUploaded(
  db: Db,
  { companyId, couponId }: CouponKey,
  codes: readonly string[],
): Promise<readonly KeptCode[]> {
  if (codes.length === 0) return [];
  await db.$executeRaw`SELECT purge_coupon_holds(${companyId}::int, ${couponId}::int, now())`;
  return db.$queryRaw<KeptCode[]>`
    WITH line AS (
      SELECT l.code, k.id, k.used_at, k.voided_at, h.id AS hold_id
        FROM string_to_table(${codes.join()}, ',') AS l (code)
        LEFT JOIN coupon_codes k ON k.company_id = ${companyId} AND k.code = l.code AND k.coupon_id = ${couponId}
        LEFT JOIN coupon_holds h ON h.company_id = ${companyId} AND h.code = k.code AND h.coupon_id = ${couponId}
    ), voided AS (
      UPDATE coupon_codes k SET voided_at = moment.now
        FROM line l CROSS JOIN ${MOMENT_BEHIND_LOCKS}
       WHERE k.company_id = ${companyId} AND k.coupon_id = ${couponId} AND k.id = l.id
         AND k.used_at IS NULL AND k.voided_at IS NULL AND l.hold_id IS NULL
      RETURNING k.id
    ), counted AS (
      UPDATE coupons SET voided_count = voided_count + (SELECT count(*) FROM voided)
       WHERE company_id = ${companyId} AND id = ${couponId}
    )
    SELECT code, CASE WHEN id IS NULL THEN 'exists' WHEN used_at IS NOT NULL THEN 'used' ELSE 'held' END AS rule
      FROM line WHERE id IS NULL OR used_at IS NOT NULL OR voided_at IS NULL AND hold_id IS NOT NULL`;
}

export const codeLists = new UploadedLists({
  model: "CouponCodeUpload",
  owner: { model: "Coupon", id: "coupon_id" },
});
