import { DomainError, validationFailed } from "../../core/errors/domain-error.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { unlessExternalIdTaken } from "../../core/resources/external-id.js";
import { momentAfter, readMoment } from "../../core/time/moments.js";
import { keepFromReady } from "./coupon-ready.rules.js";
import { couponCodes } from "./codes/coupon-codes.jobs.js";
import type { CouponConfig } from "./coupon-config.model.js";
import { NOTHING_WHILE_RUNNING } from "./coupon-config.rules.js";
import { scheduleCouponDue } from "./coupon-due.jobs.js";
import { assertEndsLater } from "./coupon-input.rules.js";
import { assertMay, defaultCodeLength, endOf } from "./coupon-lifecycle.rules.js";
import { hasManyCodes } from "./coupon-actions.rules.js";
import type { SetCouponReadyInput, UpdateRunningCouponInput } from "./coupon.inputs.js";
import type { CouponRow } from "./coupon.model.js";
import { columnsOf, lockCoupon } from "./coupon.service.js";
import { claimPromoCode, lastUseOf, momentBehindLocks } from "./coupon.sql.js";
import { keepSegmentsOf } from "./coupon-segments.service.js";
import { finishedCampaigns } from "./joint-campaigns/campaign.sql.js";
import { mergeTimes } from "../../core/schedule/schedule.js";

/**
 * Sets a pending coupon ready: a job makes the codes that it does not have yet; then it is ready, or runs when its time has come.
 *
 * @returns the coupon, which is `generating`.
 * @throws DomainError NOT_FOUND; INVALID_STATE, also when its campaign is finished; VALIDATION_FAILED for times out of order, and for each term by which
 *   nobody could ever use it or others could guess its codes.
 */
export function setReady(scope: CompanyScope, id: number, input: SetCouponReadyInput): Promise<CouponRow> {
  return scope.transaction(async (inside) => {
    const { db, companyId, company, at } = inside;
    const stored = await lockCoupon(inside, id);
    const times = mergeTimes(stored, input, input.timezone ?? company.timeZoneOffset);
    const codeLength = hasManyCodes(stored.type)
      ? (input.couponLength ?? defaultCodeLength(stored.type))
      : null;
    const { campaignId } = stored;
    const isCampaignOver =
      campaignId !== null && (await finishedCampaigns(inside, [campaignId])).has(campaignId);
    assertMay("set_ready", { ...stored, isCampaignOver }, at);
    assertEndsLater(times, at);
    const wrong = keepFromReady({ ...stored, config: stored.config as CouponConfig }, codeLength);
    if (wrong.length > 0) throw validationFailed(wrong);
    const coupon = await db.coupon.update({
      where: { companyId_id: { companyId, id } },
      data: {
        ...times,
        status: "generating",
        codeLength,
        currencyIso: company.currencyIso,
        readyAt: await momentBehindLocks(inside),
      },
    });
    await couponCodes.schedule(inside, id);
    return coupon;
  });
}

/**
 * Changes a coupon that runs. Every later use is judged by the changed coupon.
 *
 * @throws DomainError NOT_FOUND; INVALID_STATE; VALIDATION_FAILED when it would end before it started.
 */
export function updateRunning(
  scope: CompanyScope,
  id: number,
  input: UpdateRunningCouponInput,
): Promise<CouponRow> {
  return scope.transaction(async (inside) => {
    const { db, companyId, company, at } = inside;
    const stored = await lockCoupon(inside, id);
    assertMay("update_running", stored, at);
    const { endsAt: sent, timezone, config } = input;
    const before = stored.config as CouponConfig;
    const endsAt =
      sent == null ? sent : momentAfter(stored.endsAt, readMoment(sent, timezone ?? company.timeZoneOffset));
    if (endsAt != null) {
      const lastUse = await lastUseOf(inside, id);
      assertEndsLater({ startsAt: stored.startsAt, endsAt }, lastUse !== null && lastUse > at ? lastUse : at);
    }
    const coupon = await db.coupon.update({
      where: { companyId_id: { companyId, id } },
      data: {
        ...columnsOf(inside, { ...input, ...(config === null && { config: NOTHING_WHILE_RUNNING }) }, before),
        ...(endsAt !== undefined && { endsAt }),
      },
    });
    await scheduleCouponDue(inside, coupon);
    return coupon;
  });
}

/**
 * Ends a running coupon now: it cannot be used any more. No use is later than the end.
 *
 * @throws DomainError NOT_FOUND; INVALID_STATE.
 */
export function setFinished(scope: CompanyScope, id: number): Promise<CouponRow> {
  return scope.transaction(async (inside) => {
    const { db, companyId, at } = inside;
    const stored = await lockCoupon(inside, id);
    assertMay("set_finished", stored, at);
    const coupon = await db.coupon.update({
      where: { companyId_id: { companyId, id } },
      data: { status: "finished", endsAt: endOf(stored, await lastUseOf(inside, id), at) },
    });
    await scheduleCouponDue(inside, coupon);
    return coupon;
  });
}

/**
 * Deletes a coupon that does not run; it can be restored. Its holds are removed, and its promo code is free again. If
 * its codes are being made, that stops.
 *
 * @throws DomainError NOT_FOUND; INVALID_STATE while it runs.
 */
export function deleteCoupon(scope: CompanyScope, id: number): Promise<CouponRow> {
  return scope.transaction(async (inside) => {
    const { db, companyId, at } = inside;
    const stored = await lockCoupon(inside, id);
    assertMay("delete", stored, at);
    await db.couponHold.deleteMany({ where: { companyId, couponId: id } });
    if (stored.promoCode !== null) await db.couponCode.deleteMany({ where: { companyId, couponId: id } });
    const coupon = await db.coupon.update({
      where: { companyId_id: { companyId, id } },
      data: { deletedAt: at, heldCount: 0, heldAmountE2: 0 },
    });
    await scheduleCouponDue(inside, coupon);
    return coupon;
  });
}

/**
 * Brings a deleted coupon back as it was. If its codes were being made, that goes on.
 *
 * @throws DomainError NOT_FOUND; INVALID_STATE when it is not deleted; CONFLICT when another coupon has its promo
 *   code or its external id by now, or when a segment that it names is gone.
 */
export function restoreCoupon(scope: CompanyScope, id: number): Promise<CouponRow> {
  return scope.transaction(async (inside) => {
    const { db, companyId, at } = inside;
    const stored = await lockCoupon(inside, id, { withDeleted: true });
    assertMay("restore", stored, at);
    await keepSegmentsOf(inside, stored);
    if (stored.promoCode !== null && !(await claimPromoCode(inside, id, stored.promoCode)))
      throw new DomainError("CONFLICT", `Another coupon has the promo code ${stored.promoCode}.`);
    const restoring = db.coupon.update({
      where: { companyId_id: { companyId, id } },
      data: { deletedAt: null },
    });
    const coupon = await unlessExternalIdTaken(restoring);
    if (coupon.status === "generating") await couponCodes.schedule(inside, id);
    await scheduleCouponDue(inside, coupon);
    return coupon;
  });
}
