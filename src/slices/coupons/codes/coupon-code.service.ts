import { judgeCode } from "./code-guesses.js";
import { DomainError, notFound } from "../../../core/errors/domain-error.js";
import type { Where } from "../../../core/lists/compile-filter.js";
import type { Connection } from "../../../core/lists/connection.js";
import type { ListArguments } from "../../../core/lists/list-definition.js";
import { listAll, listPage, type ListDelegate, type ListSource } from "../../../core/lists/list-page.js";
import { RowsOf } from "../../../core/lists/rows-of.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import {
  type AvailableTicket,
  availableCodeList,
  type CouponCode,
  couponCodeList,
  useList,
} from "./coupon-code.model.js";
import { findDeletedByPromoCode } from "./coupon-by-code.sql.js";
import { shownCode, storedCode } from "./stored-code.js";
import { statusOf } from "../coupon-lifecycle.rules.js";
import type { CouponRedemption } from "../uses/coupon-use.model.js";
import type { CouponRow } from "../coupon.model.js";
import { getCoupon } from "../coupon.service.js";

/** A page of a coupon's codes, which has none before the coupon is ready. @throws DomainError NOT_FOUND. */
export async function listCodes(
  scope: CompanyScope,
  couponId: number,
  args: ListArguments,
): Promise<Connection<CouponCode>> {
  return listPage(couponCodeList, await codesOf(scope, couponId, args), args);
}

/**
 * A coupon's codes at once, at most 10,000; the coupon has none before it is ready.
 *
 * @throws DomainError NOT_FOUND.
 */
export async function listAllCodes(
  scope: CompanyScope,
  couponId: number,
  args: Pick<ListArguments, "withDeleted" | "offset">,
): Promise<readonly CouponCode[]> {
  return listAll(couponCodeList, await codesOf(scope, couponId, args), args);
}

/**
 * A page of the codes that are neither used nor held; the promo code of a batch coupon while uses are left. Of a deleted
 * coupon none can be used.
 *
 * @throws DomainError NOT_FOUND; INVALID_STATE for a promo, which has no codes.
 */
export async function listAvailableCodes(
  scope: CompanyScope,
  couponId: number,
  args: ListArguments,
): Promise<Connection<AvailableTicket>> {
  const { db, companyId, at } = scope;
  const coupon = await getCoupon(scope, couponId, args);
  if (coupon.type === "promo") throw new DomainError("INVALID_STATE", "A promo has no codes.");
  const live = { companyId, couponId, expiresAt: { gt: at } };
  const isBatch = coupon.type === "batch";
  const left = async () =>
    coupon.totalCount - coupon.spentCount - (await db.couponHold.count({ where: live }));
  const remaining = isBatch ? await left() : 1;
  const where: Where = {
    ...madeCodes(coupon, at),
    ...(coupon.deletedAt !== null && NONE),
    ...(isBatch
      ? remaining === 0 && NONE
      : {
          usedAt: null,
          voidedAt: null,
          code: { notIn: new RowsOf("CouponHold", "code", { ...live, code: { not: null } }) },
        }),
  };
  const delegate = rowsShown(db.couponCode, coupon, { remaining });
  return listPage(availableCodeList, { delegate, where }, byId(args));
}

/** A page of a coupon's uses that were not given back, the latest first unless ordered. @throws DomainError NOT_FOUND. */
export async function listUses(
  scope: CompanyScope,
  couponId: number,
  args: ListArguments,
): Promise<Connection<CouponRedemption>> {
  const { db, companyId } = scope;
  const coupon = await getCoupon(scope, couponId, args);
  const delegate = rowsShown(db.couponRedemption, coupon, { promoCode: coupon.promoCode });
  return listPage(useList, { delegate, where: { companyId, couponId, returnedAt: null } }, args);
}

/**
 * The coupon that a code belongs to, whatever its status; a code that no such coupon has counts as a guess.
 *
 * @param options.withDeleted whether a deleted coupon is answered, too, when no other one has the code.
 * @throws DomainError NOT_FOUND; RATE_LIMITED after too many guesses.
 */
export async function getCouponByCode(
  scope: CompanyScope,
  code: string,
  { withDeleted }: { withDeleted: boolean },
): Promise<CouponRow> {
  const { db, companyId } = scope;
  const stored = storedCode(code);
  const id = stored === null ? null : await findCouponId(scope, stored, withDeleted);
  const notDeleted = withDeleted ? {} : { deletedAt: null };
  const coupon = id === null ? null : await db.coupon.findFirst({ where: { companyId, id, ...notDeleted } });
  await judgeCode(scope, coupon !== null);
  if (coupon === null) throw notFound("Coupon");
  return coupon;
}

async function findCouponId(scope: CompanyScope, code: string, withDeleted: boolean): Promise<number | null> {
  const { db, companyId } = scope;
  const row = await db.couponCode.findFirst({ where: { companyId, code }, select: { couponId: true } });
  if (row !== null) return row.couponId;
  return withDeleted ? findDeletedByPromoCode(scope, code) : null;
}

/** Puts the id in place of `createdAt`: both give the same order of codes, and the ids have an index. */
function byId(args: ListArguments): ListArguments {
  const orderBy = (args.orderBy ?? []).map((term) =>
    term.field === "createdAt" ? { ...term, field: "id" } : term,
  );
  return { ...args, orderBy };
}

async function codesOf(
  scope: CompanyScope,
  couponId: number,
  args: Pick<ListArguments, "withDeleted">,
): Promise<ListSource> {
  const coupon = await getCoupon(scope, couponId, args);
  return { delegate: rowsShown(scope.db.couponCode, coupon), where: madeCodes(coupon, scope.at) };
}

const NONE: Where = { id: { in: [] } };

/** Condition for the codes of a coupon; no code is shown while they are still being made. */
function madeCodes(coupon: CouponRow, at: Date): Where {
  const status = statusOf(coupon, at);
  const isMade = status !== "pending" && status !== "generating";
  return { companyId: coupon.companyId, couponId: coupon.id, ...(!isMade && NONE) };
}

/** Reads rows by `delegate` and adds `values` to each; its code is put as it is shown. */
function rowsShown(delegate: ListDelegate, coupon: CouponRow, values: object = {}): ListDelegate {
  return {
    findMany: async (query) => {
      const rows = (await delegate.findMany(query)) as { code: string | null }[];
      return rows.map((row) => ({ ...row, ...values, code: shownCode(coupon, row.code) }));
    },
    count: (query) => delegate.count(query),
  };
}
