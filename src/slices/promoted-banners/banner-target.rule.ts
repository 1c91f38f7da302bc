import type { FieldError } from "../../core/errors/domain-error.js";
import type { StoredRule } from "../../core/operations/operation-arguments.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { isId } from "../../core/integers.js";
import { BANNER_TARGET_TYPES, type BannerTargetType } from "./promoted-banner.model.js";

/** What a banner leads to; a change to the company may leave its id out. */
export interface BannerTarget {
  readonly targetType: BannerTargetType;
  readonly targetId: number | null;
}

/** Finds a target of a new banner that does not exist. */
export const newTargetExists: StoredRule = (input, context, { companyId }) =>
  wrongTarget(context.companyScope(companyId as number), targetAfter(null, input));

/** Finds a target that does not exist any more after a part of it has changed. */
export const changedTargetExists: StoredRule = async (input, context, args) => {
  if (input["targetType"] === undefined && input["targetId"] === undefined) return [];
  const [companyId, id] = [args["companyId"] as number, args["id"] as number];
  const scope = context.companyScope(companyId);
  const stored = await scope.db.promotedBanner.findFirst({
    where: { companyId, id },
    select: { targetType: true, targetId: true },
  });
  return stored === null ? [] : wrongTarget(scope, targetAfter(stored as BannerTarget, input));
};

/**
 * The target after an input, whose values may be of any type. Only what is absent stays: a company that is to become the
 * target needs no id.
 */
export function targetAfter(
  stored: BannerTarget | null,
  input: Readonly<Record<string, unknown>>,
): Readonly<Record<keyof BannerTarget, unknown>> {
  const { targetType = stored?.targetType, targetId } = input;
  if (targetId !== undefined) return { targetType, targetId };
  const stays = targetType !== "company" || targetType === stored?.targetType;
  return { targetType, targetId: stays ? (stored?.targetId ?? null) : null };
}

/** Returns what is wrong with a target; nothing when its values are missing or of no type that the input's bounds allow. */
export async function wrongTarget(
  scope: CompanyScope,
  { targetType, targetId }: Readonly<Record<keyof BannerTarget, unknown>>,
): Promise<FieldError[]> {
  if (!isTargetType(targetType)) return [];
  if (!isId(targetId) || (await exists(scope, targetType, targetId))) return [];
  return [{ field: "targetId", rule: "exists", message: `${targetId} does not exist` }];
}

async function exists(
  { db, companyId }: CompanyScope,
  targetType: BannerTargetType,
  id: number,
): Promise<boolean> {
  const query = { where: { companyId, id }, select: { id: true } };
  switch (targetType) {
    case "company":
      return id === companyId;
    case "branch_group":
      return (await db.branchGroup.findFirst(query)) !== null;
    case "good":
      return (await db.good.findFirst({ ...query, where: { ...query.where, deletedAt: null } })) !== null;
    case "branch_category":
      return (await db.branchCategory.findFirst(query)) !== null;
    case "city":
      return (await db.city.findFirst(query)) !== null;
  }
}

function isTargetType(value: unknown): value is BannerTargetType {
  return (BANNER_TARGET_TYPES as readonly unknown[]).includes(value);
}
