import { Int, Mutation, Query, Resolver } from "type-graphql";
import { RequirePermission } from "../../core/access/access.js";
import { Audited } from "../../core/operations/audited.js";
import { Company, EntityId } from "../../core/operations/operation-arguments.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { Session } from "../auth/session.model.js";
import * as adminLoginService from "./admin-login.service.js";
import { Admin } from "./admin.model.js";

const HOLDS_MORE_NOTE = "FORBIDDEN for an admin who holds more than the caller, unless a full administrator.";

/** Invitations and logins of other admins. */
@Resolver()
export class AdminLoginResolver {
  @RequirePermission("can_edit_admins", { forPeople: true })
  @Audited()
  @Mutation(() => Admin, {
    description:
      "Invites an admin, or lets one who has forgotten its password set another: the answer carries a one-time " +
      "`passwordSetupToken` for `setPassword`, valid for seven days, in the place of earlier ones. The service sends no " +
      "mail, so hand it on yourself. The password stays as it is until then. FORBIDDEN for oneself (see " +
      `\`changePassword\`), and for the owner unless the platform asks. ${HOLDS_MORE_NOTE} The token is worth nothing once the admin holds more than whoever issued it.`,
  })
  issuePasswordSetupToken(@Company() company: CompanyScope, @EntityId("adminId", "Admin") adminId: number) {
    return adminLoginService.invite(company, adminId);
  }

  @RequirePermission("can_edit_admins", { forPeople: true })
  @Audited()
  @Mutation(() => Admin, {
    description:
      "Takes the second factor from an admin who has lost it with all recovery codes, and ends its logins; without one they end, " +
      `too. FORBIDDEN for oneself (see \`disableTotp\`), and for the owner unless the platform asks. ${HOLDS_MORE_NOTE}`,
  })
  resetSecondFactor(@Company() company: CompanyScope, @EntityId("adminId", "Admin") adminId: number) {
    return adminLoginService.resetSecondFactor(company, adminId);
  }

  @RequirePermission("access_admins", { orAdmin: "adminId" })
  @Query(() => [Session], {
    description: "The logins of an admin that go on, the one that was used last first, at most 1,000.",
  })
  adminSessions(@Company() company: CompanyScope, @EntityId("adminId", "Admin") adminId: number) {
    return adminLoginService.listSessionsOf(company, adminId);
  }

  @RequirePermission("can_edit_admins")
  @Audited()
  @Mutation(() => Int, {
    description:
      `Ends all logins of an admin, and answers how many. ${HOLDS_MORE_NOTE} Their access tokens are refused ` +
      "within 5 seconds.",
  })
  revokeAdminSessions(@Company() company: CompanyScope, @EntityId("adminId", "Admin") adminId: number) {
    return adminLoginService.closeSessionsOfAdmin(company, adminId);
  }
}
