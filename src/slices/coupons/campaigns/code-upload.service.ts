import { shownName } from "../../../core/files/shown-name.js";
import { DomainError, notFound } from "../../../core/errors/domain-error.js";
import { formatOf } from "../../../core/files/sheet-rule.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import type { Row } from "../../../core/db/db.js";
import { hasManyCodes } from "../coupon-actions.rules.js";
import { assertMay } from "../coupon-lifecycle.rules.js";
import { lockCoupon } from "../coupon.service.js";
import { CODE_LIST, type UploadCouponCodesInput } from "./campaign.inputs.js";
import { codeUploads } from "./code-upload.jobs.js";

type CodeUploadRow = Row<"CouponCodeUpload">;

/**
 * Keeps a list of codes and adds the job for it, in one transaction.
 *
 * @throws DomainError NOT_FOUND; INVALID_STATE unless the coupon has many codes and is pending or runs.
 */
export function uploadCodes(
  scope: CompanyScope,
  couponId: number,
  { file }: UploadCouponCodesInput,
): Promise<CodeUploadRow> {
  return scope.transaction(async (inside) => {
    assertMay("upload_codes", await lockCoupon(inside, couponId), inside.at);
    return keepUpload(inside, couponId, { file, action: "add" });
  });
}

/**
 * Keeps a list of codes that are voided, and adds the job for it, in one transaction.
 *
 * @throws DomainError NOT_FOUND; INVALID_STATE unless the coupon has many codes.
 */
export function uploadVoidedCodes(
  scope: CompanyScope,
  couponId: number,
  { file }: UploadCouponCodesInput,
): Promise<CodeUploadRow> {
  return scope.transaction(async (inside) => {
    const { type } = await lockCoupon(inside, couponId);
    if (!hasManyCodes(type))
      throw new DomainError("INVALID_STATE", "A promo code cannot be voided: pause or finish its coupon.");
    return keepUpload(inside, couponId, { file, action: "void" });
  });
}

async function keepUpload(
  inside: CompanyScope,
  couponId: number,
  { file, action }: UploadCouponCodesInput & { action: "add" | "void" },
): Promise<CodeUploadRow> {
  const { db, companyId } = inside;
  const upload = await db.couponCodeUpload.create({
    data: {
      companyId,
      couponId,
      action,
      fileName: shownName(file.name),
      format: formatOf(file.name, CODE_LIST) as string,
      fileKey: file.key,
    },
  });
  await codeUploads.schedule(inside, upload.id);
  return upload;
}

/** @throws DomainError NOT_FOUND. */
export async function getUpload({ db, companyId }: CompanyScope, id: number): Promise<CodeUploadRow> {
  const upload = await db.couponCodeUpload.findFirst({ where: { companyId, id } });
  if (upload === null) throw notFound("CouponCodeUpload");
  return upload;
}
