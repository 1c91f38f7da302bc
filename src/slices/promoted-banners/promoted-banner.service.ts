import { notFound, validationFailed } from "../../core/errors/domain-error.js";
import type { Where } from "../../core/lists/compile-filter.js";
import type { Connection } from "../../core/lists/connection.js";
import { listCounts, type ValueCount } from "../../core/lists/list-counts.js";
import type { CountArguments, ListArguments } from "../../core/lists/list-definition.js";
import { listPage } from "../../core/lists/list-page.js";
import { RowsOf } from "../../core/lists/rows-of.js";
import { writeMask } from "../../core/masks/masks.js";
import { resourceService, type Values } from "../../core/resources/resource-service.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import type { Row } from "../../core/db/db.js";
import { isShownAt, nextChange } from "./banner-hours.rules.js";
import { targetAfter, wrongTarget, type BannerTarget } from "./banner-target.rule.js";
import { BANNER_DAYS, EVERY_DAY } from "./promoted-banner.masks.js";
import {
  type PromotedBanner,
  promotedBannerList,
  type PromotedBannersArgs,
} from "./promoted-banner.model.js";
import { bannersOfDeletedGoods, enabledBanners, lockBanner } from "./promoted-banner.sql.js";

type PromotedBannerRow = Row<"PromotedBanner">;

/** A page of banners, and the moment until which it says what clients are shown. */
interface BannerPage extends Connection<PromotedBanner> {
  validUntil?: Date | null;
}

/**
 * A page of the company's banners, without those for goods that are deleted; with `now` of those that a client is shown at this
 * moment.
 */
export async function listBanners(scope: CompanyScope, args: ListArguments): Promise<BannerPage> {
  const { db, companyId } = scope;
  const { now, branchCategoryId } = args as PromotedBannersArgs;
  const shown = now === true ? await shownBanners(scope) : null;
  const conditions: Where[] = [
    ...(shown === null ? await listed(scope) : [{ id: { in: shown.ids } }]),
    ...(branchCategoryId == null ? [] : [{ id: { in: linkedTo(companyId, branchCategoryId) } }]),
  ];
  const where = { companyId, AND: conditions };
  const source = { delegate: db.promotedBanner, where, select: scope.selected("PromotedBanner") };
  const page: BannerPage = await listPage(promotedBannerList, source, args);
  page.validUntil = shown?.until ?? null;
  return page;
}

/** Counts the banners that the list has, by the values of a field. */
export async function countBanners(scope: CompanyScope, args: CountArguments): Promise<ValueCount[]> {
  const { db, companyId } = scope;
  const where = { companyId, AND: await listed(scope) };
  return listCounts(promotedBannerList, { delegate: db.promotedBanner, where }, args);
}

/** The condition that leaves out banners for goods that are deleted. */
async function listed(scope: CompanyScope): Promise<Where[]> {
  const hidden = await bannersOfDeletedGoods(scope);
  return hidden.length === 0 ? [] : [{ id: { notIn: hidden } }];
}

function linkedTo(companyId: number, branchCategoryId: number): RowsOf {
  const where = { companyId, branchCategoryId };
  return new RowsOf("PromotedBannerBranchCategory", "promotedBannerId", where);
}

/** The ids of the banners that a client is shown now, and when that changes by itself. */
async function shownBanners(scope: CompanyScope): Promise<{ ids: number[]; until: Date | null }> {
  const { at, company } = scope;
  const groups = (await enabledBanners(scope)).map(({ tz, ids, ...hours }) => ({
    ids,
    hours: { ...hours, timeZoneOffset: tz ?? company.timeZoneOffset },
  }));
  const changes = groups.flatMap(({ hours }) => nextChange(hours, at)?.getTime() ?? []);
  return {
    ids: groups.flatMap(({ ids, hours }) => (isShownAt(hours, at) ? ids : [])),
    until: changes.length === 0 ? null : new Date(changes.reduce((a, b) => Math.min(a, b))),
  };
}

const { get, ...plain } = resourceService<PromotedBanner>("PromotedBanner", promotedBannerList, { prepare });

/** Writes and reads of banners by their ids. */
export const promotedBannerService = { ...plain, get, list: listBanners, counts: countBanners };

/**
 * Turns an input into columns: days from flags, the target into the column of its kind. A banner that changes is locked,
 * since its target is judged as a whole.
 */
async function prepare(scope: CompanyScope, input: Values, id: number | null): Promise<Values> {
  const stored = id === null ? null : await lockBanner(scope, id);
  if (id !== null && stored === null) throw notFound("PromotedBanner");
  const { targetType, targetId, days, ...rest } = input;
  const columns = Object.entries(rest).filter(([name]) => !(name in BANNER_DAYS));
  const isTargeted = targetType !== undefined || targetId !== undefined;
  return {
    ...Object.fromEntries(columns),
    days: writeMask(BANNER_DAYS, input, days as number | undefined, stored?.days ?? daysOfNew(input)),
    ...(isTargeted && (await targetColumns(scope, stored, input))),
  };
}

/** Whoever names days of a new banner means these; whoever only leaves some out means the others. */
function daysOfNew(input: Values): number {
  return Object.keys(BANNER_DAYS).some((day) => input[day] === true) ? 0 : EVERY_DAY;
}

async function targetColumns(
  scope: CompanyScope,
  stored: BannerTarget | null,
  input: Values,
): Promise<Values> {
  const target = targetAfter(stored, input);
  const wrong = await wrongTarget(scope, target);
  if (wrong.length > 0) throw validationFailed(wrong);
  const { targetType, targetId } = target as BannerTarget;
  const only = (kind: string) => (targetType === kind ? targetId : null);
  return {
    targetType,
    targetId: targetId ?? scope.companyId,
    branchGroupId: only("branch_group"),
    goodId: only("good"),
    branchCategoryId: only("branch_category"),
    cityId: only("city"),
  };
}

/** Gives a banner another picture, upright or not. @throws DomainError NOT_FOUND. */
export async function setPicture(
  { db, companyId }: CompanyScope,
  id: number,
  data: { readonly bannerKey: string } | { readonly verticalBannerKey: string },
): Promise<PromotedBannerRow> {
  const [row] = await db.promotedBanner.updateManyAndReturn({ where: { companyId, id }, data });
  if (row === undefined) throw notFound("PromotedBanner");
  return row;
}

/** Links a banner to a branch category; linking it again changes nothing. @throws DomainError NOT_FOUND. */
export function linkCategory(
  scope: CompanyScope,
  branchCategoryId: number,
  promotedBannerId: number,
): Promise<PromotedBannerRow> {
  return scope.transaction(async (inside) => {
    const { db, companyId } = inside;
    const category = await db.branchCategory.findFirst({ where: { companyId, id: branchCategoryId } });
    if (category === null) throw notFound("BranchCategory");
    if ((await lockBanner(inside, promotedBannerId)) === null) throw notFound("PromotedBanner");
    await db.promotedBannerBranchCategory.createMany({
      data: [{ companyId, promotedBannerId, branchCategoryId }],
      skipDuplicates: true,
    });
    return afterLinking(inside, promotedBannerId);
  });
}

/** Unlinks a banner from a branch category. @throws DomainError NOT_FOUND, also when it is not linked. */
export function unlinkCategory(
  scope: CompanyScope,
  branchCategoryId: number,
  promotedBannerId: number,
): Promise<PromotedBannerRow> {
  return scope.transaction(async (inside) => {
    const { db, companyId } = inside;
    if ((await lockBanner(inside, promotedBannerId)) === null) throw notFound("PromotedBanner");
    const { count } = await db.promotedBannerBranchCategory.deleteMany({
      where: { companyId, promotedBannerId, branchCategoryId },
    });
    if (count === 0) throw notFound("BranchCategory");
    return afterLinking(inside, promotedBannerId);
  });
}

/** The banner after its links, which are parts of it, have changed or not. */
function afterLinking({ db, companyId }: CompanyScope, id: number): Promise<PromotedBannerRow> {
  return db.promotedBanner.findUniqueOrThrow({ where: { companyId_id: { companyId, id } } });
}
