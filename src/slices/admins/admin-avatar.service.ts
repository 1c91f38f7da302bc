import { notFound } from "../../core/errors/domain-error.js";
import type { UploadedFile } from "../../core/files/upload.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import type { Admin as AdminRow } from "../../generated/prisma/client.js";
import { getAdmin } from "./admin.service.js";

/** Gives an admin another avatar. @throws DomainError NOT_FOUND; UNAVAILABLE when the store does not take it. */
export async function setAvatar(scope: CompanyScope, id: number, avatar: UploadedFile): Promise<AdminRow> {
  await getAdmin(scope, id);
  const avatarKey = await scope.storePicture(avatar);
  const { db, companyId } = scope;
  const [row] = await db.admin.updateManyAndReturn({
    where: { companyId, id, deletedAt: null },
    data: { avatarKey },
  });
  if (row === undefined) throw notFound("Admin");
  return row;
}
