import type { UploadedFile } from "../../core/files/upload.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import type { Row } from "../../core/db/db.js";
import { lockOwnOrChangeable, rowsAround } from "./admin.service.js";

type AdminRow = Row<"Admin">;

/**
 * Gives an admin another avatar.
 *
 * @throws DomainError NOT_FOUND; FORBIDDEN for another admin who holds more than the caller.
 */
export function setAvatar(scope: CompanyScope, id: number, avatar: UploadedFile): Promise<AdminRow> {
  return scope.transaction(async (inside) => {
    await lockOwnOrChangeable(inside, id);
    const { db, companyId } = rowsAround(inside, id);
    return db.admin.update({ where: { companyId_id: { companyId, id } }, data: { avatarKey: avatar.key } });
  });
}
