import { invalidField, notFound, validationFailed } from "../../core/errors/domain-error.js";
import type { Conditions } from "../../core/lists/compile-filter.js";
import type { Connection } from "../../core/lists/connection.js";
import { listCounts, type ValueCount } from "../../core/lists/list-counts.js";
import type { CountArguments, ListArguments } from "../../core/lists/list-definition.js";
import { type ListLink, listPage, type ListSource } from "../../core/lists/list-page.js";
import { RowsOf } from "../../core/lists/rows-of.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import type { JsonObject } from "../../core/db/db.js";
import { getBranchGroup } from "../shops/branch-group.service.js";
import type { CouponConfig } from "./coupon-config.model.js";
import { mergeConfig } from "./coupon-config.rules.js";
import { keepNamedSegments } from "./coupon-segments.service.js";
import { storedWhitelist } from "./coupon-input.rules.js";
import { assertMay } from "./coupon-lifecycle.rules.js";
import { statusCondition } from "../../core/schedule/status-filter.js";
import type { CreateCouponInput, UpdateCouponInput } from "./coupon.inputs.js";
import { type Coupon, couponList, type CouponRow } from "./coupon.model.js";
import { claimPromoCode, lockAnyCoupon } from "./coupon.sql.js";
import { PROMO_CODE_TAKEN } from "./promo-code.rule.js";

/** The shop where a new coupon can be used; the whole company when there is none. */
export interface CouponOwner {
  readonly branchGroupId?: number;
}

/** A page of coupons. A condition on their status counts their exact run times. */
export function listCoupons(scope: CompanyScope, args: ListArguments): Promise<Connection<Coupon>> {
  const direction = orderByUses(args);
  if (direction === null) return listPage(couponList, couponsOf(scope), args);
  return listPage(
    couponList,
    { ...couponsOf(scope), link: ranked(scope, direction) },
    { ...args, orderBy: null },
  );
}

/** Returns the direction when coupons are to be ordered by their uses, beside which there is no other field. */
function orderByUses({ orderBy }: ListArguments): "asc" | "desc" | null {
  const byUses = orderBy?.find(({ field }) => field === "spentCount");
  return byUses === undefined ? null : (byUses.direction ?? "asc");
}

/** The coupons in the order of their uses, which a table beside them has. */
function ranked({ db, companyId }: CompanyScope, direction: "asc" | "desc"): ListLink {
  return {
    delegate: db.couponRank,
    rows: new RowsOf("CouponRank", "couponId", { companyId }),
    order: [
      { field: "uses", direction },
      { field: "couponId", direction },
    ],
    kinds: ["int", "int"],
    isOfAll: true,
  };
}

/** Counts coupons by the values of a field; by status, it counts their exact run times. */
export function countCoupons(scope: CompanyScope, args: CountArguments): Promise<ValueCount[]> {
  return listCounts(couponList, couponsOf(scope), args);
}

function couponsOf({ db, companyId, at }: CompanyScope): ListSource {
  const rewrites = { status: (conditions: Conditions) => statusCondition(conditions, at) };
  return { delegate: db.coupon, where: { companyId }, rewrites };
}

/**
 * One coupon.
 *
 * @param options.withDeleted whether a deleted coupon is answered, too; the guard has checked that the caller may
 *   see it.
 * @throws DomainError NOT_FOUND.
 */
export async function getCoupon(
  { db, companyId }: CompanyScope,
  id: number,
  options: { withDeleted?: boolean | null | undefined } = {},
): Promise<CouponRow> {
  const notDeleted = options.withDeleted === true ? {} : { deletedAt: null };
  const coupon = await db.coupon.findFirst({ where: { companyId, id, ...notDeleted } });
  if (coupon === null) throw notFound("Coupon");
  return coupon;
}

/**
 * Locks a coupon until the transaction ends, so that its state cannot change meanwhile.
 *
 * @throws DomainError NOT_FOUND.
 */
export async function lockCoupon(
  scope: CompanyScope,
  id: number,
  options: { withDeleted?: boolean } = {},
): Promise<CouponRow> {
  if (!(await lockAnyCoupon(scope, id))) throw notFound("Coupon");
  return getCoupon(scope, id, options);
}

/**
 * Creates a coupon, which is pending until it is set ready. From now on no other coupon can have its promo code.
 *
 * @throws DomainError VALIDATION_FAILED with rule `unique` when another coupon has the promo code.
 */
export function createCoupon(
  scope: CompanyScope,
  input: CreateCouponInput,
  owner: CouponOwner = {},
): Promise<CouponRow> {
  return scope.transaction(async (inside) => {
    const { db, companyId } = inside;
    const { type, totalCount } = input;
    await keepNamedSegments(inside, input.config);
    const promoCode = input.promoCode ?? null;
    const coupon = await db.coupon.create({
      data: { companyId, ...owner, ...columnsOf(inside, input, {}), type, promoCode, totalCount },
    });
    if (promoCode !== null && !(await claimPromoCode(inside, coupon.id, promoCode)))
      throw validationFailed([PROMO_CODE_TAKEN]);
    return coupon;
  });
}

export async function createCouponForBranchGroup(
  scope: CompanyScope,
  branchGroupId: number,
  input: CreateCouponInput,
): Promise<CouponRow> {
  await getBranchGroup(scope, branchGroupId);
  return createCoupon(scope, input, { branchGroupId });
}

/**
 * Changes a pending coupon. A new `targetType` unlinks all targets.
 *
 * @throws DomainError NOT_FOUND; INVALID_STATE.
 */
export function updateCoupon(scope: CompanyScope, id: number, input: UpdateCouponInput): Promise<CouponRow> {
  return scope.transaction(async (inside) => {
    const { db, companyId, at } = inside;
    const stored = await lockCoupon(inside, id);
    assertMay("update", stored, at);
    assertRoomForUploaded(stored, input);
    await keepNamedSegments(inside, input.config);
    const coupon = await db.coupon.update({
      where: { companyId_id: { companyId, id } },
      data: columnsOf(inside, input, stored.config as CouponConfig),
    });
    // The targets go behind the row, whose version moves once for both.
    if (coupon.targetType !== stored.targetType) {
      await db.couponBranchGroup.deleteMany({ where: { companyId, couponId: id } });
      await db.couponBranch.deleteMany({ where: { companyId, couponId: id } });
    }
    return coupon;
  });
}

/** The codes that were uploaded for a pending coupon count among its uses. */
function assertRoomForUploaded({ generatedCount }: CouponRow, { totalCount }: UpdateCouponInput): void {
  if (totalCount === undefined || totalCount >= generatedCount) return;
  throw invalidField("totalCount", "min", `must be at least ${generatedCount}: it has as many codes`);
}

type ChangedFields = Pick<
  UpdateCouponInput,
  | "name"
  | "externalId"
  | "priceE2"
  | "pricePrc"
  | "minPurchaseE2"
  | "appliesTo"
  | "targetType"
  | "totalCount"
  | "whitelist"
  | "config"
>;

/**
 * The columns that an input sets. The input holds plain values alone: human ones were turned into plain ones
 * before.
 */
export function columnsOf(
  { company }: { readonly company: Pick<CompanyScope["company"], "timeZoneOffset"> },
  input: ChangedFields,
  stored: CouponConfig,
) {
  const { name, externalId, priceE2, pricePrc, minPurchaseE2, appliesTo, targetType, totalCount } = input;
  const { whitelist, config } = input;
  return {
    ...given({ name, externalId, priceE2, pricePrc, minPurchaseE2, appliesTo, targetType, totalCount }),
    ...(whitelist !== undefined && { whitelist: storedWhitelist(whitelist) }),
    ...(config !== undefined && {
      config: mergeConfig(stored, config, company.timeZoneOffset) as JsonObject,
    }),
  };
}

/** Leaves out the values that were not given. */
function given<T extends object>(values: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Key in keyof T]?: Exclude<T[Key], undefined> };
}
