import { Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from "type-graphql";
import type { OperationContext } from "../../core/operations/operation-context.js";
import { RequirePermission } from "../../core/access/access.js";
import { Audited } from "../../core/operations/audited.js";
import { Company, EntityId, Input, WithDeleted } from "../../core/operations/operation-arguments.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { AdminSettings } from "./admin-settings.model.js";
import { describeAdminSettings } from "./admin-settings.rules.js";
import { CreateAdminInput, UpdateAdminInput } from "./admin.inputs.js";
import { Admin, adminList } from "./admin.model.js";
import * as adminService from "./admin.service.js";

const { Args: AdminsArgs, Connection: AdminConnection } = adminList;
type AdminsArgs = InstanceType<typeof AdminsArgs>;

const CREATION_NOTE =
  "Without a password the answer carries a token to set one. VALIDATION_FAILED with rule `unique` for an e-mail that " +
  "is taken. FORBIDDEN when the type has a role that the caller does not hold, unless a full administrator, and for a password by a key.";
const HOLDS_MORE_NOTE = "FORBIDDEN for an admin who holds more than the caller, unless a full administrator.";

@Resolver(() => Admin)
export class AdminResolver {
  @RequirePermission("access_admins")
  @Query(() => AdminConnection, { description: "The company's admins, newest first unless ordered." })
  admins(@Company() company: CompanyScope, @Args(() => AdminsArgs) args: AdminsArgs) {
    return adminService.listAdmins(company, args);
  }

  @RequirePermission("access_admins", { orAdmin: "id" })
  @Query(() => Admin, {
    description: "One admin; the admin itself needs no permission. NOT_FOUND when there is none.",
  })
  admin(
    @Company() company: CompanyScope,
    @EntityId("id", "Admin") id: number,
    @WithDeleted("admins") withDeleted: boolean,
  ) {
    return adminService.getAdmin(company, id, { withDeleted });
  }

  @RequirePermission("can_edit_admins")
  @Audited({ byService: true })
  @Mutation(() => Admin, { description: `Creates an admin. ${CREATION_NOTE}` })
  createAdmin(
    @Company() company: CompanyScope,
    @Input(() => CreateAdminInput, { description: "The admin." }) input: CreateAdminInput,
  ) {
    return adminService.createAdmin(company, input);
  }

  @RequirePermission("can_edit_admins")
  @Audited({ byService: true })
  @Mutation(() => Admin, { description: `Creates an admin for one shop. ${CREATION_NOTE}` })
  createAdminForBranchGroup(
    @Company() company: CompanyScope,
    @EntityId("branchGroupId", "BranchGroup") branchGroupId: number,
    @Input(() => CreateAdminInput, { description: "The admin." }) input: CreateAdminInput,
  ) {
    return adminService.createAdmin(company, input, { branchGroupId });
  }

  @RequirePermission("can_edit_admins")
  @Audited({ byService: true })
  @Mutation(() => Admin, { description: `Creates an admin for one branch. ${CREATION_NOTE}` })
  createAdminForBranch(
    @Company() company: CompanyScope,
    @EntityId("branchId", "Branch") branchId: number,
    @Input(() => CreateAdminInput, { description: "The admin." }) input: CreateAdminInput,
  ) {
    return adminService.createAdmin(company, input, { branchId });
  }

  @RequirePermission("can_edit_admins")
  @Audited()
  @Mutation(() => Admin, { description: `Changes an admin. ${HOLDS_MORE_NOTE}` })
  updateAdmin(
    @Company() company: CompanyScope,
    @EntityId("id", "Admin") id: number,
    @Input(() => UpdateAdminInput, { description: "The changes." }) input: UpdateAdminInput,
  ) {
    return adminService.updateAdmin(company, id, input);
  }

  @RequirePermission("can_edit_admins")
  @Audited()
  @Mutation(() => Admin, {
    description:
      `Deletes an admin, whose tokens stop working. ${HOLDS_MORE_NOTE} INVALID_STATE for the owner of the company ` +
      "and for the last full administrator.",
  })
  async deleteAdmin(
    @Ctx() context: OperationContext,
    @Company() company: CompanyScope,
    @EntityId("id", "Admin") id: number,
  ) {
    const admin = await adminService.deleteAdmin(company, id);
    context.runtime.roles.forgetCompany(company.companyId);
    return admin;
  }

  @FieldResolver(() => AdminSettings, { description: "Its settings." })
  settings(@Root() admin: { settings: unknown }): AdminSettings {
    return describeAdminSettings(admin.settings);
  }
}
