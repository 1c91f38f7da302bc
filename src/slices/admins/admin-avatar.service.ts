import { notFound } from "../../core/errors/domain-error.js";
import type { UploadedFile } from "../../core/files/upload.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import type { Admin as AdminRow } from "../../generated/prisma/client.js";

/** Gives an admin another avatar. @throws DomainError NOT_FOUND. */
export async function setAvatar(
  { db, companyId }: CompanyScope,
  id: number,
  avatar: UploadedFile,
): Promise<AdminRow> {
  const [row] = await db.admin.updateManyAndReturn({
    where: { companyId, id, deletedAt: null },
    data: { avatarKey: avatar.key },
  });
  if (row === undefined) throw notFound("Admin");
  return row;
}
