import { Mutation, Resolver } from "type-graphql";
import { RequirePermission } from "../../core/access/access.js";
import { Audited } from "../../core/operations/audited.js";
import { Company, EntityId, Input } from "../../core/operations/operation-arguments.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { UploadAdminAvatarInput } from "./admin-avatar.inputs.js";
import { setAvatar } from "./admin-avatar.service.js";
import { Admin } from "./admin.model.js";

const HOLDS_MORE_NOTE =
  "FORBIDDEN for another admin who holds more than the caller, unless a full administrator.";

@Resolver()
export class AdminAvatarResolver {
  @RequirePermission("can_edit_admins", { orAdmin: "adminId" })
  @Audited()
  @Mutation(() => Admin, {
    description: `Gives an admin another avatar; the old one is removed. ${HOLDS_MORE_NOTE}`,
  })
  uploadAdminAvatar(
    @Company() company: CompanyScope,
    @EntityId("adminId", "Admin") adminId: number,
    @Input(() => UploadAdminAvatarInput, { description: "The avatar." }) input: UploadAdminAvatarInput,
  ) {
    return setAvatar(company, adminId, input.avatar);
  }
}
