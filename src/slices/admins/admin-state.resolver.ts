import { Arg, Ctx, Mutation, Resolver } from "type-graphql";
import { RequirePermission } from "../../core/access/access.js";
import { Audited } from "../../core/operations/audited.js";
import { Company, EntityId } from "../../core/operations/operation-arguments.js";
import type { OperationContext } from "../../core/operations/operation-context.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import * as adminStateService from "./admin-state.service.js";
import { Admin } from "./admin.model.js";
import { transferOwnership } from "./ownership.service.js";

const HOLDS_MORE_NOTE = "FORBIDDEN for an admin who holds more than the caller, unless a full administrator.";

/** Who may act at all, and whose company it is. */
@Resolver()
export class AdminStateResolver {
  @RequirePermission("can_edit_admins")
  @Audited()
  @Mutation(() => Admin, {
    description:
      "Suspends an admin: its logins end, its tokens are refused within 5 seconds everywhere, and it cannot sign in. One that is " +
      `suspended stays so. INVALID_STATE for oneself and for the owner of the company. ${HOLDS_MORE_NOTE}`,
  })
  async suspendAdmin(
    @Ctx() { runtime }: OperationContext,
    @Company() company: CompanyScope,
    @EntityId("adminId", "Admin") adminId: number,
  ) {
    const admin = await adminStateService.suspendAdmin(company, adminId);
    runtime.roles.forgetCompany(company.companyId);
    return admin;
  }

  @RequirePermission("can_edit_admins")
  @Audited()
  @Mutation(() => Admin, {
    description: `Lets a suspended admin sign in again; one that is not stays as it is. ${HOLDS_MORE_NOTE}`,
  })
  resumeAdmin(@Company() company: CompanyScope, @EntityId("adminId", "Admin") adminId: number) {
    return adminStateService.resumeAdmin(company, adminId);
  }

  @RequirePermission("can_edit_admins")
  @Audited()
  @Mutation(() => Admin, {
    description:
      "Brings a deleted admin back with its type, password and second factor; it signs in anew. INVALID_STATE when it is not " +
      `deleted, CONFLICT while another admin has its e-mail. ${HOLDS_MORE_NOTE}`,
  })
  restoreAdmin(
    @Company() company: CompanyScope,
    @EntityId("id", "Admin", { includesDeleted: true }) id: number,
  ) {
    return adminStateService.restoreAdmin(company, id);
  }

  @RequirePermission("can_edit_admins", { fullAdmins: true, ignoresKey: true, forPeople: true })
  @Audited({ byService: true })
  @Mutation(() => Admin, {
    description:
      "Makes another admin the owner of the company, and answers it. The old owner stays a full administrator. For the owner, " +
      "by its password, and for the platform without one; FORBIDDEN for other full administrators. VALIDATION_FAILED on " +
      "`password`, rule `mismatch`, for a wrong one, which counts as a failed login: RATE_LIMITED after too many. INVALID_STATE " +
      "for an admin who is suspended.",
  })
  async transferOwnership(
    @Ctx() context: OperationContext,
    @Company() company: CompanyScope,
    @EntityId("adminId", "Admin") adminId: number,
    @Arg("password", () => String, {
      nullable: true,
      description: "The present owner's password; of no account for the platform.",
    })
    password: string | null,
  ) {
    const { runtime } = context;
    const asked = { password: password ?? null, origin: context };
    const admin = await transferOwnership(runtime.writer, company, adminId, asked);
    runtime.roles.forgetCompany(company.companyId);
    return admin;
  }
}
