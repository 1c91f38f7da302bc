import { notFound } from "../../core/errors/domain-error.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { getBranchGroup } from "../shops/branch-group.service.js";
import { getBranch } from "../shops/branch.service.js";
import { hasLinkedTargets } from "./coupon-actions.rules.js";
import { assertMay } from "./coupon-lifecycle.rules.js";
import type { CouponRow } from "./coupon.model.js";
import { lockCoupon } from "./coupon.service.js";

/**
 * Links a shop or a branch, whichever the coupon's `targetType` says, as a target of it. Linking it again changes
 * nothing.
 *
 * @throws DomainError NOT_FOUND for the coupon or the target; INVALID_STATE unless the coupon is pending and its
 *   `targetType` has targets to link.
 */
export function linkTarget(scope: CompanyScope, couponId: number, targetId: number): Promise<CouponRow> {
  return scope.transaction(async (inside) => {
    const { db, companyId, at } = inside;
    const coupon = await lockCoupon(inside, couponId);
    await assertTargetExists(inside, coupon, targetId);
    assertMay("link_target", coupon, at);
    const link = { companyId, couponId };
    const added = await (coupon.targetType === "branch"
      ? db.couponBranch.createMany({ data: [{ ...link, branchId: targetId }], skipDuplicates: true })
      : db.couponBranchGroup.createMany({
          data: [{ ...link, branchGroupId: targetId }],
          skipDuplicates: true,
        }));
    return added.count === 0 ? coupon : couponAfter(inside, couponId);
  });
}

/**
 * Unlinks a target of a coupon.
 *
 * @throws DomainError NOT_FOUND for the coupon, and for a target that does not exist or is not linked; INVALID_STATE
 *   unless the coupon is pending and its `targetType` has targets to link.
 */
export function unlinkTarget(scope: CompanyScope, couponId: number, targetId: number): Promise<CouponRow> {
  return scope.transaction(async (inside) => {
    const { db, companyId, at } = inside;
    const coupon = await lockCoupon(inside, couponId);
    await assertTargetExists(inside, coupon, targetId);
    assertMay("unlink_target", coupon, at);
    const { count } = await (coupon.targetType === "branch"
      ? db.couponBranch.deleteMany({ where: { companyId, couponId, branchId: targetId } })
      : db.couponBranchGroup.deleteMany({ where: { companyId, couponId, branchGroupId: targetId } }));
    if (count === 0) throw notFound("Target");
    return couponAfter(inside, couponId);
  });
}

async function assertTargetExists(
  scope: CompanyScope,
  { targetType }: CouponRow,
  targetId: number,
): Promise<void> {
  if (targetType === "branch") await getBranch(scope, targetId);
  else if (hasLinkedTargets(targetType)) await getBranchGroup(scope, targetId);
  else await assertIsAnyTarget(scope, targetId);
}

/** @throws DomainError NOT_FOUND for an id of neither a shop nor a branch. */
async function assertIsAnyTarget({ db, companyId }: CompanyScope, id: number): Promise<void> {
  const where = { companyId, id };
  if ((await db.branchGroup.count({ where })) + (await db.branch.count({ where })) === 0)
    throw notFound("Target");
}

/** The coupon after its targets, which are parts of it, have changed. */
function couponAfter({ db, companyId }: CompanyScope, id: number): Promise<CouponRow> {
  return db.coupon.findUniqueOrThrow({ where: { companyId_id: { companyId, id } } });
}
